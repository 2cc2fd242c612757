"""The administrator's one-time link: it makes the first administrator, later it logs the oldest one in."""

from dataclasses import replace
from datetime import datetime

from jiqi.domain.accounts import (
    Role,
    Ticket,
    TicketError,
    TicketKind,
    User,
    check_name,
    check_password,
    name_key,
)
from jiqi.domain.errors import BadInputError
from jiqi.domain.ids import UserId, random_id
from jiqi.domain.limits import ADMIN_LINK_LIFE
from jiqi.services.accounts import Login, begin_session
from jiqi.services.authentication import new_secret, secret_hash
from jiqi.services.ports import Clock, Database, Passwords, Transaction


class AdminLinks:
    """Links are made by whoever holds a shell on the server; each is good once, for a day."""

    def __init__(self, *, database: Database, passwords: Passwords, clock: Clock) -> None:
        self._database = database
        self._passwords = passwords
        self._clock = clock

    def create(self) -> str:
        """Return the secret of a new link."""
        secret = new_secret()
        ticket = Ticket(
            secret_hash=secret_hash(secret),
            kind=TicketKind.ADMIN,
            user_id=None,
            session_id=None,
            expires=self._clock() + ADMIN_LINK_LIFE,
        )

        def work(tx: Transaction) -> None:
            tx.tickets.add(ticket)

        self._database.write(work)
        return secret

    def has_admin(self) -> bool:
        """Say whether an administrator can log in."""
        return bool(self._database.read(lambda tx: tx.users.admins()))

    def check(self, secret: str) -> User | None:
        """Return whom the link will log in, None when it makes the first administrator. Raises TicketError."""
        now = self._clock()

        def work(tx: Transaction) -> User | None:
            _require(tx.tickets.get(secret_hash(secret)), now=now)
            return next(iter(tx.users.admins()), None)

        return self._database.read(work)

    def redeem(
        self, secret: str, *, name: str | None, password: str | None, language: str, agent: str
    ) -> Login:
        """Use the link up and log the administrator in; a given password becomes his.

        Raises TicketError, BadInputError, PasswordWeakError, NameTakenError; after the last three the link is still good.
        """
        admin = self.check(secret)
        if admin is None and (name is None or password is None):
            raise BadInputError(where="name" if name is None else "password")
        shown = check_name(name) if admin is None and name is not None else None
        hashed = self._passwords.hash(check_password(password)) if password is not None else None
        now = self._clock()

        def work(tx: Transaction) -> Login:
            _require(tx.tickets.take(secret_hash(secret)), now=now)
            user = next(iter(tx.users.admins()), None)
            if user is None:
                if shown is None or hashed is None:
                    raise BadInputError(where="name")
                user = _first_admin(shown, hashed, language=language, now=now)
                tx.users.add(user)
            elif hashed is not None:
                user = replace(user, password_hash=hashed)
                tx.users.save(user)
                tx.sessions.revoke_all(user.id)
            return begin_session(tx, user, agent=agent, now=now, password=hashed is not None)

        return self._database.write(work)


def _require(ticket: Ticket | None, *, now: datetime) -> None:
    if ticket is None or ticket.kind is not TicketKind.ADMIN or ticket.expires <= now:
        raise TicketError(kind="admin")


def _first_admin(name: str, hashed: str, *, language: str, now: datetime) -> User:
    return User(
        id=UserId(random_id()),
        name=name,
        name_key=name_key(name),
        role=Role.ADMIN,
        password_hash=hashed,
        language=language,
        created=now,
        last_seen=now,
    )
