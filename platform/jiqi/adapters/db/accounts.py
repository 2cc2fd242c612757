"""Accounts, login sessions, tokens and tickets in SQL."""

from datetime import datetime

from sqlalchemy import Connection, and_, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from jiqi.adapters.db import tables
from jiqi.adapters.db.rows import from_row, to_row
from jiqi.domain.accounts import ApiToken, LoginSession, NameTakenError, Role, Ticket, User
from jiqi.domain.ids import SessionId, TokenId, UserId


class SqlUsers:
    """Accounts."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, user: User) -> None:
        """Insert. Raises NameTakenError when the name key is in use."""
        self._check_name(user)
        try:
            self._connection.execute(insert(tables.users), to_row(user))
        except IntegrityError as error:
            raise NameTakenError(name=user.name) from error

    def get(self, user_id: UserId) -> User | None:
        """Return the account, disabled ones too."""
        row = (
            self._connection.execute(select(tables.users).where(tables.users.c.id == user_id))
            .mappings()
            .first()
        )
        return from_row(User, row) if row is not None else None

    def by_name_key(self, key: str) -> User | None:
        """Return the account that logs in under `key`."""
        query = select(tables.users).where(tables.users.c.name_key == key)
        row = self._connection.execute(query).mappings().first()
        return from_row(User, row) if row is not None else None

    def save(self, user: User) -> None:
        """Write every column. Raises NameTakenError."""
        self._check_name(user)
        self._connection.execute(
            update(tables.users).where(tables.users.c.id == user.id).values(to_row(user))
        )

    def touch(self, user_id: UserId, *, now: datetime) -> None:
        """Remember the last visit, and nothing else."""
        self._connection.execute(
            update(tables.users).where(tables.users.c.id == user_id).values(last_seen=now)
        )

    def guests_unseen_since(self, moment: datetime, *, limit: int) -> list[User]:
        """Return guests whose last visit is before `moment`, oldest first."""
        query = (
            select(tables.users)
            .where(tables.users.c.role == Role.GUEST.value, tables.users.c.last_seen < moment)
            .order_by(tables.users.c.last_seen)
            .limit(limit)
        )
        return [from_row(User, row) for row in self._connection.execute(query).mappings()]

    def recent(self, *, limit: int) -> list[User]:
        """Return accounts, last seen first."""
        query = select(tables.users).order_by(tables.users.c.last_seen.desc()).limit(limit)
        return [from_row(User, row) for row in self._connection.execute(query).mappings()]

    def delete(self, user_id: UserId) -> None:
        """Remove the account and what belongs to it in SQL."""
        self._connection.execute(delete(tables.users).where(tables.users.c.id == user_id))

    def admins(self) -> list[User]:
        """Return the administrators that are not disabled, oldest first."""
        query = (
            select(tables.users)
            .where(tables.users.c.role == Role.ADMIN.value, tables.users.c.disabled.is_(False))
            .order_by(tables.users.c.created)
        )
        return [from_row(User, row) for row in self._connection.execute(query).mappings()]

    def _check_name(self, user: User) -> None:
        if user.name_key is None:
            return
        other = self.by_name_key(user.name_key)
        if other is not None and other.id != user.id:
            raise NameTakenError(name=user.name)


class SqlLoginSessions:
    """Logged-in browsers."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, session: LoginSession) -> None:
        """Insert."""
        self._connection.execute(insert(tables.login_sessions), to_row(session))

    def by_hash(self, secret_hash: str) -> LoginSession | None:
        """Return the session whose cookie has this hash."""
        query = select(tables.login_sessions).where(tables.login_sessions.c.secret_hash == secret_hash)
        row = self._connection.execute(query).mappings().first()
        return from_row(LoginSession, row) if row is not None else None

    def get(self, session_id: SessionId) -> LoginSession | None:
        """Return the session."""
        query = select(tables.login_sessions).where(tables.login_sessions.c.id == session_id)
        row = self._connection.execute(query).mappings().first()
        return from_row(LoginSession, row) if row is not None else None

    def children(self, session_id: SessionId) -> list[LoginSession]:
        """Return the sessions that descend from it."""
        query = select(tables.login_sessions).where(tables.login_sessions.c.parent == session_id)
        return [from_row(LoginSession, row) for row in self._connection.execute(query).mappings()]

    def of_user(self, user_id: UserId) -> list[LoginSession]:
        """Return the person's sessions, newest first."""
        table = tables.login_sessions
        query = select(table).where(table.c.user_id == user_id).order_by(table.c.created.desc())
        return [from_row(LoginSession, row) for row in self._connection.execute(query).mappings()]

    def save(self, session: LoginSession) -> None:
        """Write every column."""
        table = tables.login_sessions
        self._connection.execute(update(table).where(table.c.id == session.id).values(to_row(session)))

    def revoke(self, session_id: SessionId) -> None:
        """Remove the session; those that descend from it go by the foreign key."""
        self._connection.execute(
            delete(tables.login_sessions).where(tables.login_sessions.c.id == session_id)
        )

    def revoke_all(self, user_id: UserId) -> None:
        """Remove every session of the person."""
        self._connection.execute(
            delete(tables.login_sessions).where(tables.login_sessions.c.user_id == user_id)
        )

    def living(self, ids: list[SessionId], *, now: datetime) -> set[SessionId]:
        """Return those of `ids` that exist, have not expired, and belong to an enabled account."""
        table = tables.login_sessions
        query = (
            select(table.c.id)
            .join(tables.users, tables.users.c.id == table.c.user_id)
            .where(table.c.id.in_(ids), table.c.expires > now, tables.users.c.disabled.is_(False))
        )
        return {SessionId(found) for found in self._connection.execute(query).scalars()}

    def sweep(self, now: datetime) -> int:
        """Remove expired sessions; return how many."""
        return self._connection.execute(
            delete(tables.login_sessions).where(tables.login_sessions.c.expires <= now)
        ).rowcount


class SqlApiTokens:
    """Keys for programs."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, token: ApiToken) -> None:
        """Insert."""
        self._connection.execute(insert(tables.api_tokens), to_row(token))

    def by_hash(self, secret_hash: str) -> ApiToken | None:
        """Return the token with this hash."""
        query = select(tables.api_tokens).where(tables.api_tokens.c.secret_hash == secret_hash)
        row = self._connection.execute(query).mappings().first()
        return from_row(ApiToken, row) if row is not None else None

    def of_user(self, user_id: UserId) -> list[ApiToken]:
        """Return the person's tokens, newest first."""
        table = tables.api_tokens
        query = select(table).where(table.c.user_id == user_id).order_by(table.c.created.desc())
        return [from_row(ApiToken, row) for row in self._connection.execute(query).mappings()]

    def touch(self, token_id: TokenId, *, now: datetime) -> None:
        """Remember the last use."""
        table = tables.api_tokens
        self._connection.execute(update(table).where(table.c.id == token_id).values(last_used=now))

    def revoke(self, user_id: UserId, token_id: TokenId) -> bool:
        """Remove the person's token; say whether there was one."""
        table = tables.api_tokens
        gone = self._connection.execute(
            delete(table).where(and_(table.c.id == token_id, table.c.user_id == user_id))
        )
        return gone.rowcount == 1

    def revoke_all(self, user_id: UserId) -> None:
        """Remove every token of the person."""
        self._connection.execute(delete(tables.api_tokens).where(tables.api_tokens.c.user_id == user_id))

    def living(self, ids: list[TokenId], *, now: datetime) -> set[TokenId]:
        """Return those of `ids` that exist, have not expired, and belong to an enabled account."""
        table = tables.api_tokens
        query = (
            select(table.c.id)
            .join(tables.users, tables.users.c.id == table.c.user_id)
            .where(
                table.c.id.in_(ids),
                or_(table.c.expires.is_(None), table.c.expires > now),
                tables.users.c.disabled.is_(False),
            )
        )
        return {TokenId(found) for found in self._connection.execute(query).scalars()}


class SqlTickets:
    """One-time secrets."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, ticket: Ticket) -> None:
        """Insert."""
        self._connection.execute(insert(tables.tickets), to_row(ticket))

    def get(self, secret_hash: str) -> Ticket | None:
        """Return the ticket and leave it."""
        query = select(tables.tickets).where(tables.tickets.c.secret_hash == secret_hash)
        row = self._connection.execute(query).mappings().first()
        return from_row(Ticket, row) if row is not None else None

    def take(self, secret_hash: str) -> Ticket | None:
        """Remove and return the ticket, expired or not."""
        query = (
            delete(tables.tickets)
            .where(tables.tickets.c.secret_hash == secret_hash)
            .returning(*tables.tickets.c)
        )
        row = self._connection.execute(query).mappings().first()
        return from_row(Ticket, row) if row is not None else None

    def sweep(self, now: datetime) -> int:
        """Remove expired tickets; return how many."""
        return self._connection.execute(
            delete(tables.tickets).where(tables.tickets.c.expires <= now)
        ).rowcount
