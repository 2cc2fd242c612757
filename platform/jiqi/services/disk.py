"""Each person's share of the disk: how much is used, how much may be added."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

from jiqi.domain.accounts import User
from jiqi.domain.files import DiskQuotaError, FileMissingError
from jiqi.domain.ids import UserId
from jiqi.domain.limits import LIMITS
from jiqi.services.ports import Clock
from jiqi.services.ports_homes import Homes

# Walking a home costs about a second per 100,000 files, so one answer serves for a while.
KEPT = timedelta(seconds=10)
_REMEMBERED = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Bytes used and allowed; not `complete` when the home has too many files to count."""

    used: int
    limit: int
    complete: bool

    @property
    def room(self) -> int:
        """How many bytes may be added."""
        return max(0, self.limit - self.used)


class Disk:
    """Remembers each home's size for ten seconds; safe in threads."""

    def __init__(self, *, homes: Homes, clock: Clock) -> None:
        self._homes = homes
        self._clock = clock
        self._known: OrderedDict[UserId, tuple[datetime, int, bool]] = OrderedDict()
        self._lock = threading.Lock()

    def usage(self, user: User) -> Share:
        """Return the person's share, at most ten seconds old."""
        now = self._clock()
        with self._lock:
            known = self._known.get(user.id)
        if known is None or now - known[0] > KEPT:
            known = (now, *self._walk(user.id))
            with self._lock:
                self._known[user.id] = known
                self._known.move_to_end(user.id)
                while len(self._known) > _REMEMBERED:
                    self._known.popitem(last=False)
        return Share(used=known[1], limit=LIMITS[user.role].disk, complete=known[2])

    def room(self, user: User) -> int:
        """Return how many bytes the person may add."""
        return self.usage(user).room

    def require(self, user: User, *, size: int = 1) -> None:
        """Raise DiskQuotaError when `size` bytes are more than the person may add."""
        share = self.usage(user)
        if size > share.room:
            raise DiskQuotaError(path="", room=share.room, limit=share.limit)

    def forget(self, user_id: UserId) -> None:
        """Count again at the next question: something large came or went."""
        with self._lock:
            self._known.pop(user_id, None)

    def _walk(self, user_id: UserId) -> tuple[int, bool]:
        try:
            usage = self._homes.of(user_id).usage()
        except FileMissingError:
            return 0, True
        return usage.bytes, usage.complete
