"""The scheduler's periodic work: what has expired goes, and guests who stayed away go with their files."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

import structlog

from jiqi.domain.accounts import Role, User
from jiqi.domain.ids import UserId
from jiqi.domain.kernels import Reason, Target, want_stop
from jiqi.domain.limits import LIMITS
from jiqi.domain.throttle import WINDOW
from jiqi.services.kernels import WAKE, node_queue
from jiqi.services.ports import Clock, Database, Transaction

log = structlog.get_logger()
_GUESTS_A_ROUND = 50


class Homes(Protocol):
    """Homes of people who leave. A mark outlives a crash between the row's end and the files'."""

    def mark_leaving(self, user_id: UserId) -> None:
        """Write down, fsynced, that the person's row is about to be removed."""

    def leaving(self) -> list[UserId]:
        """Return the people marked."""

    def unmark(self, user_id: UserId) -> None:
        """Forget the mark."""

    def remove(self, user_id: UserId) -> None:
        """Remove the home with all beneath it, following no link and crossing no mount. Raises OSError."""


class Sweeping:
    """`claimed(user)` says whether a place of this installation still has the person's home."""

    def __init__(
        self, *, database: Database, homes: Homes, clock: Clock, claimed: Callable[[UserId], bool]
    ) -> None:
        self._database = database
        self._homes = homes
        self._clock = clock
        self._claimed = claimed

    def sweep(self) -> None:
        """Do one round."""
        now = self._clock()
        gone = self._database.write(
            lambda tx: tx.tickets.sweep(now) + tx.sessions.sweep(now) + tx.failures.sweep(now - WINDOW)
        )
        if gone:
            log.info("expired_removed", count=gone)
        for user_id in self._homes.leaving():
            self._finish(user_id)
        kept = LIMITS[Role.GUEST].files_kept
        if kept is None:
            return
        unseen_since = now - kept
        guests = self._database.read(
            lambda tx: tx.users.guests_unseen_since(unseen_since, limit=_GUESTS_A_ROUND)
        )
        for guest in guests:
            self._remove_guest(guest, unseen_since=unseen_since, now=now)

    def _remove_guest(self, guest: User, *, unseen_since: datetime, now: datetime) -> None:
        stopping = self._database.write(lambda tx: _stop_kernels(tx, guest.id, now=now))
        if stopping or self._claimed(guest.id):
            # The next round removes him, once his kernels are gone.
            return
        self._homes.mark_leaving(guest.id)

        def leave(tx: Transaction) -> bool:
            user = tx.users.get(guest.id)
            if user is None or user.role is not Role.GUEST or user.last_seen >= unseen_since:
                return False
            if tx.kernels.live_of_user(guest.id):
                return False
            tx.users.delete(guest.id)
            return True

        if self._database.write(leave):
            log.info("guest_removed", user_id=guest.id)
        self._finish(guest.id)

    def _finish(self, user_id: UserId) -> None:
        """Remove the files of a person whose row is gone, or forget a mark whose row stayed."""
        if self._database.read(lambda tx: tx.users.get(user_id)) is not None:
            self._homes.unmark(user_id)
            return
        if self._claimed(user_id):
            return
        try:
            self._homes.remove(user_id)
        except OSError as error:
            log.error("home_kept", user_id=user_id, error=str(error))  # noqa: TRY400  (tried again)
            return
        self._homes.unmark(user_id)


def _stop_kernels(tx: Transaction, user_id: UserId, *, now: datetime) -> int:
    kernels = tx.kernels.live_of_user(user_id)
    for kernel in kernels:
        if kernel.target is Target.RUNNING:
            tx.kernels.save(want_stop(kernel, reason=Reason.ACCOUNT, now=now))
            tx.outbox.add(queue=node_queue(kernel.node_id), task=WAKE, argument=kernel.id, now=now)
    return len(kernels)
