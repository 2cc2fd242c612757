"""From the portal's origin to the notebook's: a ticket that is good once, and the login session it opens."""

from dataclasses import dataclass

from jiqi.domain.accounts import LoginSession, SessionKind, Ticket, TicketError, TicketKind
from jiqi.domain.errors import ForbiddenError
from jiqi.domain.ids import SessionId, random_id
from jiqi.domain.limits import TICKET_LIFE
from jiqi.services.authentication import Principal, new_secret, secret_hash
from jiqi.services.ports import Clock, Database, Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """The notebook origin's login session; `secret` is None when the browser has its cookie already."""

    session: LoginSession
    secret: str | None


class Entering:
    """Tickets live for a minute; the session they open ends with the portal's."""

    def __init__(self, *, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def ticket(self, principal: Principal) -> str:
        """Return the secret of a new ticket for a person at the portal. Raises ForbiddenError for a token."""
        if principal.session_id is None:
            raise ForbiddenError(key="token")
        secret = new_secret()
        now = self._clock()
        ticket = Ticket(
            secret_hash=secret_hash(secret),
            kind=TicketKind.ENTER,
            user_id=principal.user.id,
            session_id=principal.session_id,
            expires=now + TICKET_LIFE,
        )

        def work(tx: Transaction) -> None:
            tx.tickets.add(ticket)

        self._database.write(work)
        return secret

    def redeem(self, secret: str, *, cookie: str | None, agent: str) -> Entered:
        """Use a ticket up and return the session on the notebook origin. Raises TicketError.

        A browser that is inside already by the same portal login keeps its cookie: its open pages stay alive.
        """
        now = self._clock()

        def take(tx: Transaction) -> Ticket | None:
            # Committed by itself, so that a ticket is gone even when it was too old.
            return tx.tickets.take(secret_hash(secret))

        ticket = self._database.write(take)
        if ticket is None or ticket.kind is not TicketKind.ENTER or ticket.expires <= now:
            raise TicketError(kind="enter")

        def work(tx: Transaction) -> Entered:
            parent = tx.sessions.get(ticket.session_id) if ticket.session_id is not None else None
            if parent is None or parent.expires <= now or ticket.user_id != parent.user_id:
                raise TicketError(kind="enter")
            kept = tx.sessions.by_hash(secret_hash(cookie)) if cookie else None
            if kept is not None and kept.kind is SessionKind.NOTEBOOK and kept.parent == parent.id:
                return Entered(session=kept, secret=None)
            fresh = new_secret()
            session = LoginSession(
                id=SessionId(random_id()),
                user_id=parent.user_id,
                kind=SessionKind.NOTEBOOK,
                secret_hash=secret_hash(fresh),
                parent=parent.id,
                created=now,
                expires=parent.expires,
                agent=agent[:200],
            )
            tx.sessions.add(session)
            return Entered(session=session, secret=fresh)

        return self._database.write(work)
