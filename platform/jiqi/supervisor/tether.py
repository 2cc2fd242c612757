"""Ends a child when its supervisor is gone, even by `kill -9`: python tether.py PID COMMAND… (it needs nothing else)."""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
SUPERVISOR = "JIQI_SUPERVISOR"


def tether(parent: int) -> None:
    """Ask the kernel for SIGTERM at the death of `parent`; end at once when it died before the asking."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(0)


def tether_to_supervisor() -> None:
    """Tether this process when a supervisor started it."""
    parent = os.environ.pop(SUPERVISOR, "")
    if parent.isdigit():
        tether(int(parent))


if __name__ == "__main__":
    # The setting survives exec, so that a program that knows nothing of it is tethered too.
    tether(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606  (the supervisor's own command)
