"""jiqi doctor: facts of this machine, what is missing, and how to mend it."""

from jiqi.doctor.report import run

__all__ = ["run"]
