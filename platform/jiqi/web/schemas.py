"""What goes over the wire of the portal API; msgspec checks it and docs/openapi.json describes it."""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Language = Literal["zh-CN", "en"]
RoleName = Literal["guest", "member", "admin"]
KernelStatus = Literal["requested", "starting", "ready", "restarting", "stopping", "stopped", "failed"]
Text200 = Annotated[str, Meta(max_length=200)]
Secret = Annotated[str, Meta(min_length=1, max_length=200)]


class Problem(msgspec.Struct, kw_only=True):
    """RFC 9457: what happened, what became of the work, what to do now; `code` is stable."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    params: dict[str, Any]
    request_id: str


class Person(msgspec.Struct, kw_only=True):
    """The person that is logged in."""

    id: str
    name: str
    role: RoleName
    language: Language
    created: datetime


class RoleLimits(msgspec.Struct, kw_only=True):
    """What the role may use; bytes and seconds, null = no limit."""

    kernels: int
    disk: int
    kernel_session: int | None
    kernel_idle: int
    files_kept: int | None
    network: Literal["none", "egress"]


class Me(msgspec.Struct, kw_only=True):
    """Who I am: `user` is null when nobody is logged in."""

    user: Person | None
    limits: RoleLimits | None
    session_expires: datetime | None
    password_fresh_until: datetime | None


class Site(msgspec.Struct, kw_only=True):
    """What this installation is; `problem` is a code while no kernel can start."""

    name: str
    version: str
    portal_url: str
    notebook_url: str
    registration: bool
    isolated: bool
    has_admin: bool
    problem: str | None


class GuestRequest(msgspec.Struct, kw_only=True):
    """Begin as a guest."""

    lang: Language | None = None


class RegisterRequest(msgspec.Struct, kw_only=True):
    """Make an account; a guest who is logged in keeps id and files."""

    name: Text200
    password: Text200
    lang: Language | None = None


class LoginRequest(msgspec.Struct, kw_only=True):
    """Log in. `guest_work`: what becomes of the projects of the guest who is logged in here."""

    name: Text200
    password: Text200
    guest_work: Literal["ask", "bring", "leave"] = "ask"


class ChangeMe(msgspec.Struct, kw_only=True):
    """Change name or language; what is left out stays."""

    name: Text200 | None = None
    language: Language | None = None


class PasswordChange(msgspec.Struct, kw_only=True):
    """Change the password; every other login session of mine ends."""

    old: Text200
    new: Text200


class PasswordConfirm(msgspec.Struct, kw_only=True):
    """Prove the password again before an administrator's write."""

    password: Text200


class Session(msgspec.Struct, kw_only=True):
    """A logged-in browser of mine."""

    id: str
    agent: str
    created: datetime
    expires: datetime
    current: bool


class SessionList(msgspec.Struct, kw_only=True):
    """My logged-in browsers, newest first."""

    sessions: list[Session]


class Token(msgspec.Struct, kw_only=True):
    """An API token without its secret."""

    id: str
    label: str
    created: datetime
    expires: datetime | None
    last_used: datetime | None


class TokenList(msgspec.Struct, kw_only=True):
    """My API tokens, newest first."""

    tokens: list[Token]


class TokenRequest(msgspec.Struct, kw_only=True):
    """Make a token; `days` null = until revoked."""

    label: Annotated[str, Meta(min_length=1, max_length=100)]
    days: Annotated[int, Meta(ge=1, le=3650)] | None = 90


class NewToken(msgspec.Struct, kw_only=True):
    """The only answer that holds the secret, and the address that Jupyter clients take."""

    token: Token
    secret: str
    jupyter_url: str


class LinkSecret(msgspec.Struct, kw_only=True):
    """The secret of an administrator's link, from the address's fragment."""

    secret: Secret


class LinkState(msgspec.Struct, kw_only=True):
    """What the link will do: `setup` makes the first administrator, `login` logs `name` in."""

    kind: Literal["setup", "login"]
    name: str | None


class LinkRedeem(msgspec.Struct, kw_only=True):
    """Use the link; `name` and `password` are needed for setup, `password` replaces the old one at login."""

    secret: Secret
    name: Text200 | None = None
    password: Text200 | None = None


class Lesson(msgspec.Struct, kw_only=True):
    """A lesson in the reader's language; `project` is my copy of it, if any."""

    id: str
    path: str
    version: str
    title: str
    summary: str
    minutes: int
    level: str
    environment: str
    open_url: str
    badge_url: str
    project: str | None


class LessonList(msgspec.Struct, kw_only=True):
    """The catalogue, in order."""

    lessons: list[Lesson]


class Project(msgspec.Struct, kw_only=True):
    """A folder of my home; `path` is the file to open first, "" when there is none."""

    id: str
    name: str
    folder: str
    environment: str
    lesson: str | None
    path: str
    kernels: int
    created: datetime
    last_opened: datetime


class ProjectList(msgspec.Struct, kw_only=True):
    """My projects, last opened first."""

    projects: list[Project]


class ProjectContents(msgspec.Struct, kw_only=True):
    """What deleting the project loses; bytes as allocated on disk."""

    files: int
    bytes: int
    kernels: int


class ProjectDetail(msgspec.Struct, kw_only=True):
    """A project and what is in it."""

    project: Project
    contents: ProjectContents


class ProjectRequest(msgspec.Struct, kw_only=True):
    """Make a project with an empty notebook; the same `key` again returns the same project."""

    name: Text200
    environment: Annotated[str, Meta(max_length=64)] | None = None
    key: Annotated[str, Meta(max_length=64)] | None = None


class ProjectChange(msgspec.Struct, kw_only=True):
    """Rename a project; its folder keeps its name, so that open pages stay alive."""

    name: Text200


class OpenRequest(msgspec.Struct, kw_only=True):
    """Open a lesson: guest, copy and kernel are made where they are missing."""

    lesson: Annotated[str, Meta(max_length=100)]
    lang: Language | None = None


class EnterRequest(msgspec.Struct, kw_only=True):
    """Go to the notebook origin: to a file of a project, or to JupyterLab when `project` is null."""

    project: Annotated[str, Meta(max_length=26)] | None = None
    path: Annotated[str, Meta(max_length=4096)] = ""


class Enter(msgspec.Struct, kw_only=True):
    """Submit a form to `action` with the fields `ticket` and `next`; good once, for 60 seconds."""

    action: str
    ticket: str
    next: str


class Opened(msgspec.Struct, kw_only=True):
    """How to go on; `problem` says why no kernel was asked for (the page opens all the same)."""

    enter: Enter
    project: Project | None
    kernel: "Kernel | None"
    problem: Problem | None


class Kernel(msgspec.Struct, kw_only=True):
    """A kernel; `reason` says why it ended; `message` puts it in words."""

    id: str
    status: KernelStatus
    reason: str | None
    message: str | None
    generation: int
    network: Literal["none", "egress"]
    environment: str
    project: str | None
    path: str | None
    safe: bool
    cold: bool
    shadowed: list[str]
    created: datetime
    changed: datetime


class KernelList(msgspec.Struct, kw_only=True):
    """My live kernels, oldest first."""

    kernels: list[Kernel]
    limit: int


class KernelRequest(msgspec.Struct, kw_only=True):
    """Start the kernel of a file, or get the one that runs."""

    project: Annotated[str, Meta(max_length=26)]
    path: Annotated[str, Meta(max_length=4096)]
    environment: Annotated[str, Meta(max_length=64)] | None = None
    safe: bool = False


class Environment(msgspec.Struct, kw_only=True):
    """Where code runs; `available` is false while its hosts cannot start kernels."""

    name: str
    title: str
    framework: str
    accelerator: str
    memory_mb: int
    cpus: float
    network: Literal["none", "egress"]
    isolated: bool
    available: bool


class EnvironmentList(msgspec.Struct, kw_only=True):
    """The environments I may choose."""

    environments: list[Environment]
    problem: str | None


class Disk(msgspec.Struct, kw_only=True):
    """My share of the disk in bytes; `used` is at most ten seconds old."""

    used: int
    limit: int
    complete: bool


class FileWritten(msgspec.Struct, kw_only=True):
    """An uploaded file; `path` is below the home, as in the Jupyter API; `last_modified` in seconds since 1970."""

    name: str
    path: str
    size: int
    last_modified: float


class AdminUser(msgspec.Struct, kw_only=True):
    """An account as administrators see it."""

    id: str
    name: str
    role: RoleName
    disabled: bool
    created: datetime
    last_seen: datetime


class AdminUserList(msgspec.Struct, kw_only=True):
    """Accounts, last seen first; at most 500."""

    users: list[AdminUser]


class AdminUserChange(msgspec.Struct, kw_only=True):
    """Disable or enable an account; its files stay."""

    disabled: bool
