"""One call of an operation: who asks, in which language, and what else the answer sets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from jiqi.domain.errors import JiqiError, LoginRequiredError
from jiqi.services.accounts import Accounts
from jiqi.services.admin_links import AdminLinks
from jiqi.services.authentication import Authentication, Principal
from jiqi.services.bringing import Bringing
from jiqi.services.disk import Disk
from jiqi.services.entering import Entering
from jiqi.services.hosts import Hosts
from jiqi.services.kernels import KernelService
from jiqi.services.lessons import Lessons
from jiqi.services.people import People
from jiqi.services.projects import ProjectService
from jiqi.services.tokens import Tokens
from jiqi.web.site import Site


class Auth(StrEnum):
    """Who may call an operation, and with which key."""

    PUBLIC = "public"
    """Anybody."""
    WORK = "work"
    """A person: portal cookie, notebook cookie or API token. Lessons, projects, kernels, files."""
    PORTAL = "portal"
    """A person by the portal's cookie on the portal's origin. Account, sessions, tokens."""
    ADMIN = "admin"
    """An administrator by the portal's cookie."""
    ADMIN_FRESH = "admin-fresh"
    """An administrator whose password was proved within the last ten minutes."""


class Lane(StrEnum):
    """Which bounded pool runs the operation."""

    WORK = "work"
    PASSWORDS = "passwords"


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The use cases that operations call."""

    site: Site
    accounts: Accounts
    links: AdminLinks
    authentication: Authentication
    tokens: Tokens
    people: People
    entering: Entering
    lessons: Lessons
    projects: ProjectService
    bringing: Bringing
    kernels: KernelService
    hosts: Hosts
    disk: Disk


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One row of the API: `run(call)` or `run(call, body)`; types come from its annotations."""

    id: str
    method: str
    path: str
    auth: Auth
    tag: str
    run: Callable[..., Any]
    errors: tuple[type[JiqiError], ...] = ()
    lane: Lane = Lane.WORK
    status: int = 200


@dataclass(slots=True, kw_only=True)
class Cookie:
    """A login cookie to set, or to clear when `secret` is None."""

    secret: str | None
    expires: datetime | None = None


@dataclass(slots=True, kw_only=True)
class Call:
    """One call; operations run in a thread and touch nothing of the request but this."""

    services: Services
    principal: Principal | None
    language: str
    agent: str
    request_id: str
    path: Mapping[str, str] = field(default_factory=dict)
    session_secret: str | None = None
    cookie: Cookie | None = None

    @property
    def who(self) -> Principal:
        """Who asks. Raises LoginRequiredError."""
        if self.principal is None:
            raise LoginRequiredError
        return self.principal

    def log_in(self, secret: str, *, expires: datetime) -> None:
        """Set the portal's cookie with the answer."""
        self.cookie = Cookie(secret=secret, expires=expires)

    def log_out(self) -> None:
        """Clear the portal's cookie with the answer."""
        self.cookie = Cookie(secret=None)
