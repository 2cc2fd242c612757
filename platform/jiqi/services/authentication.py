"""Who a request comes from: a cookie's or token's secret to a person, and back to nothing when revoked.

Secrets have 256 random bits, so that a plain SHA-256 is enough to store them (no dictionary fits them).
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta

from jiqi.domain.accounts import SessionKind, User
from jiqi.domain.ids import SessionId, TokenId
from jiqi.services.ports import Clock, Database, Transaction

_TOUCH = timedelta(minutes=1)


def new_secret() -> str:
    """Return 256 random bits as URL-safe text."""
    return secrets.token_urlsafe(32)


def secret_hash(secret: str) -> str:
    """Return the hex SHA-256 by which a secret is stored and found."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """A person and the key that proved it: exactly one of `session_id` and `token_id` is set."""

    user: User
    session_id: SessionId | None = None
    token_id: TokenId | None = None


class Authentication:
    """Lookups by secret; every call is one short transaction."""

    def __init__(self, *, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def by_session(self, kind: SessionKind, secret: str) -> Principal | None:
        """Return the person logged in by a cookie of `kind`, or None when it is unknown, old or revoked."""
        found = self._database.read(lambda tx: self._session(tx, kind, secret))
        if found is not None:
            self._touch(found)
        return found

    def by_token(self, secret: str) -> Principal | None:
        """Return the person of an API token, or None."""
        found = self._database.read(lambda tx: self._token(tx, secret))
        if found is not None:
            self._touch(found)
        return found

    def living(self, principals: list[Principal]) -> list[bool]:
        """Say for each whether its key is still good: for websockets that outlive their request."""
        now = self._clock()
        sessions = [p.session_id for p in principals if p.session_id is not None]
        tokens = [p.token_id for p in principals if p.token_id is not None]

        def work(tx: Transaction) -> tuple[set[SessionId], set[TokenId]]:
            return tx.sessions.living(sessions, now=now), tx.tokens.living(tokens, now=now)

        good_sessions, good_tokens = self._database.read(work)
        return [p.session_id in good_sessions or p.token_id in good_tokens for p in principals]

    def _session(self, tx: Transaction, kind: SessionKind, secret: str) -> Principal | None:
        session = tx.sessions.by_hash(secret_hash(secret))
        if session is None or session.kind is not kind or session.expires <= self._clock():
            return None
        user = tx.users.get(session.user_id)
        if user is None or user.disabled:
            return None
        return Principal(user=user, session_id=session.id)

    def _token(self, tx: Transaction, secret: str) -> Principal | None:
        token = tx.tokens.by_hash(secret_hash(secret))
        now = self._clock()
        if token is None or (token.expires is not None and token.expires <= now):
            return None
        user = tx.users.get(token.user_id)
        if user is None or user.disabled:
            return None
        return Principal(user=user, token_id=token.id)

    def _touch(self, principal: Principal) -> None:
        # Once a minute is enough for "last seen" and keeps reads from becoming writes.
        now = self._clock()
        if now - principal.user.last_seen < _TOUCH:
            return

        def work(tx: Transaction) -> None:
            tx.users.touch(principal.user.id, now=now)
            if principal.token_id is not None:
                tx.tokens.touch(principal.token_id, now=now)

        self._database.write(work)
