"""People and the ways they prove who they are."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from jiqi.domain.errors import BadInputError, JiqiError
from jiqi.domain.ids import SessionId, TokenId, UserId


class Role(StrEnum):
    """What a person is to the platform."""

    GUEST = "guest"
    MEMBER = "member"
    ADMIN = "admin"


class SessionKind(StrEnum):
    """Where a login session is good: each origin has its own cookie."""

    PORTAL = "portal"
    NOTEBOOK = "notebook"


class TicketKind(StrEnum):
    """What a one-time secret opens."""

    ENTER = "enter"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """One person; `id` never changes, `name` may. A guest has no `name_key` and no password."""

    id: UserId
    name: str
    name_key: str | None
    role: Role
    password_hash: str | None
    language: str
    created: datetime
    last_seen: datetime
    disabled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginSession:
    """A browser that is logged in; only the hash of its cookie is stored."""

    id: SessionId
    user_id: UserId
    kind: SessionKind
    secret_hash: str
    parent: SessionId | None
    created: datetime
    expires: datetime
    password_at: datetime | None = None
    agent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiToken:
    """A key for programs; shown once, stored as a hash."""

    id: TokenId
    user_id: UserId
    label: str
    secret_hash: str
    created: datetime
    expires: datetime | None
    last_used: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """A one-time secret, stored as a hash."""

    secret_hash: str
    kind: TicketKind
    user_id: UserId | None
    session_id: SessionId | None
    expires: datetime


class NameTakenError(JiqiError):
    """Another account has this name (compared without case and width)."""

    code = "account.name_taken"
    status = 409


class LoginFailedError(JiqiError):
    """Wrong name or password, without saying which."""

    code = "login.failed"
    status = 401


class LoginThrottledError(JiqiError):
    """Too many tries for this account; `minutes` says how long to wait."""

    code = "login.throttled"
    status = 429


class TicketError(JiqiError):
    """A one-time link or ticket that was used, is too old, or never was."""

    code = "ticket.invalid"
    status = 410


class PasswordWeakError(JiqiError):
    """A password shorter than `least` characters, or one of the commonest."""

    code = "password.weak"
    status = 400


class PasswordStaleError(JiqiError):
    """An administrator's write needs a password proved within the last ten minutes."""

    code = "password.stale"
    status = 403


class RegistrationClosedError(JiqiError):
    """Here only administrators make accounts."""

    code = "registration.closed"
    status = 403


class AlreadyRegisteredError(JiqiError):
    """Whoever is logged in has an account; log out first to make another."""

    code = "account.already"
    status = 409


class GuestWorkError(JiqiError):
    """The guest who is logged in here has `projects`; bring them along or leave them?"""

    code = "login.guest_work"
    status = 409


class LastAdminError(JiqiError):
    """The last administrator cannot be disabled."""

    code = "account.last_admin"
    status = 409


_CONTROL = re.compile(r"[\x00-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
NAME_LIMIT = 40
# Compatibility folding makes some single characters into many; the column holds this many.
_KEY_LIMIT = 160
PASSWORD_LEAST = 8
PASSWORD_MOST = 200
_COMMON = frozenset(
    {
        "password",
        "12345678",
        "123456789",
        "1234567890",
        "11111111",
        "88888888",
        "qwertyui",
        "iloveyou",
        "abc12345",
        "password1",
    }
)


def check_name(text: str) -> str:
    """Return the name as it will be shown: NFC, trimmed. Raises BadInputError."""
    name = unicodedata.normalize("NFC", text).strip()
    too_long = len(name) > NAME_LIMIT or len(name_key(name)) > _KEY_LIMIT
    if not name or too_long or _CONTROL.search(name) or not _encodable(name):
        raise BadInputError(where="name", limit=NAME_LIMIT)
    return name


def name_key(name: str) -> str:
    """Return what must be unique: compatibility-folded and without case, so that Ａlice is alice."""
    return unicodedata.normalize("NFKC", name).casefold()


def check_password(text: str) -> str:
    """Return `text` when it may serve as a password. Raises PasswordWeakError."""
    if not PASSWORD_LEAST <= len(text) <= PASSWORD_MOST or text.casefold() in _COMMON:
        raise PasswordWeakError(least=PASSWORD_LEAST)
    return text


def _encodable(text: str) -> bool:
    # JSON can carry lone surrogates, which no database takes.
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
