"""The numbers that ship with the product, as one table (docs/limits.md shows the same figures)."""

from dataclasses import dataclass
from datetime import timedelta

from jiqi.domain.accounts import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one role may use; sizes in bytes."""

    login: timedelta
    kernel_session: timedelta | None
    kernel_idle: timedelta
    kernels: int
    disk: int
    files_kept: timedelta | None
    egress: bool


GIB = 1024**3

LIMITS: dict[Role, Limits] = {
    Role.GUEST: Limits(
        login=timedelta(days=7),
        kernel_session=timedelta(hours=2),
        kernel_idle=timedelta(minutes=60),
        kernels=1,
        disk=2 * GIB,
        files_kept=timedelta(days=7),
        egress=False,
    ),
    Role.MEMBER: Limits(
        login=timedelta(days=30),
        kernel_session=None,
        kernel_idle=timedelta(minutes=60),
        kernels=3,
        disk=20 * GIB,
        files_kept=None,
        egress=True,
    ),
    Role.ADMIN: Limits(
        login=timedelta(days=30),
        kernel_session=None,
        kernel_idle=timedelta(minutes=60),
        kernels=3,
        disk=20 * GIB,
        files_kept=None,
        egress=True,
    ),
}

# A ticket carries a person from the portal's origin to the notebook's in one redirect.
TICKET_LIFE = timedelta(seconds=60)
# The administrator's one-time link.
ADMIN_LINK_LIFE = timedelta(hours=24)
# Administrator's writes need a password not older than this.
FRESH_PASSWORD = timedelta(minutes=10)
