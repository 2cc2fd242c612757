"""Becoming somebody: guest in one click, register, log in and out, change the password.

Password hashes cost 50 ms of CPU; whoever calls a method that takes a password does so in a pool of its own.
"""

import builtins
import secrets
from dataclasses import dataclass, replace
from datetime import datetime

from jiqi.domain.accounts import (
    AlreadyRegisteredError,
    GuestWorkError,
    LoginFailedError,
    LoginSession,
    RegistrationClosedError,
    Role,
    SessionKind,
    User,
    check_name,
    check_password,
    name_key,
)
from jiqi.domain.errors import BadInputError, LoginRequiredError, NotFoundError
from jiqi.domain.files import shown
from jiqi.domain.ids import SessionId, UserId, is_id, random_id
from jiqi.domain.limits import LIMITS
from jiqi.domain.throttle import admit_try
from jiqi.services.authentication import Principal, new_secret, secret_hash
from jiqi.services.ports import Clock, Database, Passwords, Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """A login session at the portal; `secret` is its cookie's value when a new one must be set."""

    principal: Principal
    session: LoginSession
    secret: str | None


class Accounts:
    """Accounts and their login sessions at the portal."""

    def __init__(
        self, *, database: Database, passwords: Passwords, clock: Clock, registration: bool = True
    ) -> None:
        self._database = database
        self._passwords = passwords
        self._clock = clock
        self._registration = registration

    def guest(self, *, language: str, agent: str) -> Login:
        """Make a guest and log him in."""
        now = self._clock()
        title = "Guest" if language == "en" else "游客"
        user = User(
            id=UserId(random_id()),
            name=f"{title} {secrets.randbelow(9000) + 1000}",
            name_key=None,
            role=Role.GUEST,
            password_hash=None,
            language=language,
            created=now,
            last_seen=now,
        )

        def work(tx: Transaction) -> Login:
            tx.users.add(user)
            return begin_session(tx, user, agent=agent, now=now, password=False)

        return self._database.write(work)

    def register(
        self, *, name: str, password: str, language: str, agent: str, guest: Principal | None
    ) -> Login:
        """Make a member, or make one of the guest who is logged in: id, files and open pages stay.

        Raises NameTakenError, PasswordWeakError, BadInputError, RegistrationClosedError, AlreadyRegisteredError.
        """
        if not self._registration:
            raise RegistrationClosedError
        if guest is not None and guest.user.role is not Role.GUEST:
            raise AlreadyRegisteredError(name=guest.user.name)
        shown = check_name(name)
        hashed = self._passwords.hash(check_password(password))
        now = self._clock()

        def work(tx: Transaction) -> Login:
            current = tx.users.get(guest.user.id) if guest is not None else None
            if current is not None and current.role is not Role.GUEST:
                raise AlreadyRegisteredError(name=current.name)
            user = User(
                id=current.id if current is not None else UserId(random_id()),
                name=shown,
                name_key=name_key(shown),
                role=Role.MEMBER,
                password_hash=hashed,
                language=language,
                created=current.created if current is not None else now,
                last_seen=now,
            )
            if current is None or guest is None or guest.session_id is None:
                tx.users.add(user)
                return begin_session(tx, user, agent=agent, now=now, password=True)
            tx.users.save(user)
            return _promote_session(tx, user, guest.session_id, now=now)

        return self._database.write(work)

    def log_in(
        self, *, name: str, password: str, agent: str, guest: Principal | None = None, ask: bool = False
    ) -> Login:
        """Log in by name and password. Raises LoginFailedError, LoginThrottledError.

        With `ask`, a guest who is logged in and has projects gives GuestWorkError once the password is right.
        """
        user = self._prove(_key_of(name), password)
        now = self._clock()

        def work(tx: Transaction) -> Login:
            if ask and guest is not None and guest.user.role is Role.GUEST:
                projects = tx.projects.of_user(guest.user.id)
                if projects:
                    raise GuestWorkError(projects=len(projects))
            return begin_session(tx, user, agent=agent, now=now, password=True)

        return self._database.write(work)

    def log_out(self, principal: Principal) -> None:
        """End the login session and the notebook sessions that came from it."""
        session_id = principal.session_id
        if session_id is not None:
            self._database.write(lambda tx: tx.sessions.revoke(session_id))

    def change(self, principal: Principal, *, name: str | None, language: str | None) -> User:
        """Change name or language. Raises NameTakenError, BadInputError."""
        shown = check_name(name) if name is not None else None

        def work(tx: Transaction) -> User:
            user = tx.users.get(principal.user.id)
            if user is None:
                raise LoginRequiredError
            if shown is not None:
                key = name_key(shown) if user.name_key is not None else None
                user = replace(user, name=shown, name_key=key)
            if language is not None:
                user = replace(user, language=language)
            tx.users.save(user)
            return user

        return self._database.write(work)

    def change_password(self, principal: Principal, *, old: str, new: str) -> Login:
        """Set a new password; other login sessions and every API token end.

        Raises LoginFailedError, LoginThrottledError, PasswordWeakError.
        """
        check_password(new)
        user = self._prove(principal.user.name_key or "", old)
        hashed = self._passwords.hash(new)
        now = self._clock()

        def work(tx: Transaction) -> Login:
            current = tx.users.get(user.id)
            if current is None or principal.session_id is None:
                raise LoginRequiredError
            changed = replace(current, password_hash=hashed)
            tx.users.save(changed)
            for session in tx.sessions.of_user(user.id):
                if principal.session_id not in {session.id, session.parent}:
                    tx.sessions.revoke(session.id)
            tx.tokens.revoke_all(user.id)
            return _promote_session(tx, changed, principal.session_id, now=now)

        return self._database.write(work)

    def confirm_password(self, principal: Principal, *, password: str) -> None:
        """Remember that the password was proved now. Raises LoginFailedError, LoginThrottledError."""
        self._prove(principal.user.name_key or "", password)
        now = self._clock()

        def work(tx: Transaction) -> None:
            session = tx.sessions.get(principal.session_id) if principal.session_id is not None else None
            if session is None:
                raise LoginRequiredError
            tx.sessions.save(replace(session, password_at=now))

        self._database.write(work)

    def renew(self, principal: Principal) -> LoginSession | None:
        """Extend a guest's session that is past its middle, so that who comes back stays; None when it is not."""
        now = self._clock()
        life = LIMITS[principal.user.role].login

        def work(tx: Transaction) -> LoginSession | None:
            session = tx.sessions.get(principal.session_id) if principal.session_id is not None else None
            if session is None or session.expires - now > life / 2:
                return None
            for child in tx.sessions.children(session.id):
                tx.sessions.save(replace(child, expires=now + life))
            session = replace(session, expires=now + life)
            tx.sessions.save(session)
            return session

        return self._database.write(work) if principal.user.role is Role.GUEST else None

    def session(self, principal: Principal) -> LoginSession | None:
        """Return the login session behind a principal, None for a token."""
        session_id = principal.session_id
        if session_id is None:
            return None
        return self._database.read(lambda tx: tx.sessions.get(session_id))

    def sessions(self, principal: Principal) -> "builtins.list[LoginSession]":
        """Return the person's browsers at the portal, newest first."""
        now = self._clock()
        found = self._database.read(lambda tx: tx.sessions.of_user(principal.user.id))
        return [s for s in found if s.kind is SessionKind.PORTAL and s.expires > now]

    def end_session(self, principal: Principal, session_id: SessionId) -> None:
        """Log one browser of the person out. Raises NotFoundError."""

        def work(tx: Transaction) -> None:
            session = tx.sessions.get(session_id) if is_id(session_id) else None
            if session is None or session.user_id != principal.user.id:
                raise NotFoundError(session=shown(session_id[:26]))
            tx.sessions.revoke(session_id)

        self._database.write(work)

    def _prove(self, key: str, password: str) -> User:
        """Return the account whose password this is."""

        def count(tx: Transaction) -> User | None:
            tx.failures.put(admit_try(tx.failures.get(key), key=key, now=self._clock()))
            return tx.users.by_name_key(key) if key else None

        user = self._database.write(count)
        fits = self._passwords.matches(password, user.password_hash if user is not None else None)
        if user is None or not fits or user.disabled:
            raise LoginFailedError
        self._database.write(lambda tx: tx.failures.clear(key))
        return user


def begin_session(tx: Transaction, user: User, *, agent: str, now: datetime, password: bool) -> Login:
    """Add a login session at the portal and return it with its secret."""
    secret = new_secret()
    session = LoginSession(
        id=SessionId(random_id()),
        user_id=user.id,
        kind=SessionKind.PORTAL,
        secret_hash=secret_hash(secret),
        parent=None,
        created=now,
        expires=now + LIMITS[user.role].login,
        password_at=now if password else None,
        agent=agent[:200],
    )
    tx.sessions.add(session)
    return Login(principal=Principal(user=user, session_id=session.id), session=session, secret=secret)


def _promote_session(tx: Transaction, user: User, session_id: SessionId, *, now: datetime) -> Login:
    """Give a session that gained rights a new secret; notebook sessions of it stay, for as long as it."""
    session = tx.sessions.get(session_id)
    if session is None:
        raise LoginRequiredError
    secret = new_secret()
    expires = now + LIMITS[user.role].login
    session = replace(session, secret_hash=secret_hash(secret), expires=expires, password_at=now)
    tx.sessions.save(session)
    for child in tx.sessions.children(session_id):
        tx.sessions.save(replace(child, expires=expires))
    return Login(principal=Principal(user=user, session_id=session_id), session=session, secret=secret)


def _key_of(name: str) -> str:
    try:
        return name_key(check_name(name))
    except BadInputError as error:
        # No account can have such a name; saying so would say which names exist.
        raise LoginFailedError from error
