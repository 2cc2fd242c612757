"""What goes over the wire about accounts; msgspec checks it and docs/openapi.json describes it."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from jiqi.web.schemas import Language, Text200

RoleName = Literal["guest", "member", "admin"]
Secret = Annotated[str, Meta(min_length=1, max_length=200)]


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
