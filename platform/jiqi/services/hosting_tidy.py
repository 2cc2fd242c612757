"""Agreement of rows, claim files, containers and mounts: adopt what lives, remove what nobody answers for.

The same pass serves the agent's start and every later round. It removes a place only when no live row names it,
the pool does not know it, and its claim, if there is one, is of a kernel that has ended; and it unmounts only
what a claim file explains.
"""

from collections.abc import Callable
from dataclasses import dataclass

import structlog

from jiqi.domain.errors import JiqiError
from jiqi.domain.ids import WarmName
from jiqi.services.hosting_base import Agency
from jiqi.services.hosting_claims import Placing
from jiqi.services.hosting_pool import Pool
from jiqi.services.ports_hosts import Claim, HostUnavailableError, Place

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Seen:
    """What there is. Read in this order: places, folders and claims, then the pool, then the rows.

    A place moves from the pool to a row, never back, and `held` covers the way: so whatever is in none of them
    had no owner when the pass began.
    """

    places: dict[WarmName, Place]
    folders: set[WarmName]
    claims: dict[WarmName, Claim]
    pool: set[WarmName]
    rows: set[WarmName]


class Tidying:
    """One pass at a time. `warm_up` is given each place that was adopted and may not be ready yet."""

    def __init__(
        self, agency: Agency, pool: Pool, placing: Placing, *, warm_up: Callable[[Place], None]
    ) -> None:
        self._agency = agency
        self._host = agency.host
        self._pool = pool
        self._placing = placing
        self._warm_up = warm_up

    def tidy(self) -> None:
        """Do one pass. Raises HostUnavailableError before anything was changed."""
        seen = self._see()
        for place in self._pool.prune({name for name, place in seen.places.items() if place.running}):
            self._clear(place.name, why="warm_ended")
        digests = {environment.name: environment.digest for environment in self._host.environments()}
        for place in self._pool.stale(digests):
            self._clear(place.name, why="image_replaced")
        for name, place in seen.places.items():
            if name in seen.pool or name in seen.rows:
                continue
            if name not in seen.claims and self._adopts(place, digests):
                continue
            self._clear(name, why="orphan")
        for name in (seen.folders | set(seen.claims)) - set(seen.places) - seen.pool - seen.rows:
            self._clear_leftover(name, claimed=name in seen.claims)

    def _see(self) -> _Seen:
        places = {place.name: place for place in self._host.places()}
        folders = self._host.leftovers()
        claims = {claim.name: claim for claim in self._agency.claims.all()}
        pool = self._pool.names()
        rows = {kernel.warm for kernel in self._agency.live() if kernel.warm is not None}
        return _Seen(places, folders, claims, pool, rows)

    def _adopts(self, place: Place, digests: dict[str, str]) -> bool:
        fits = place.running and place.digest == digests.get(place.key.environment)
        if not fits or not self._pool.adopt(place, ready=False):
            return False
        log.info("place_adopted", place=place.name, environment=place.key.environment)
        self._warm_up(place)
        return True

    def _clear_leftover(self, name: WarmName, *, claimed: bool) -> None:
        if claimed:
            self._clear(name, why="leftover")
            return
        # Without a claim nothing can be mounted there; `discard` and `rmdir` refuse if it is after all.
        try:
            self._host.discard(name)
            if self._host.is_free(name):
                self._host.detach(name)
            else:
                log.error("mount_unexplained", place=name)
        except (JiqiError, OSError) as error:
            log.error("leftover_kept", place=name, error=str(error))  # noqa: TRY400  (one line)

    def _clear(self, name: WarmName, *, why: str) -> None:
        try:
            self._placing.clear(name, grace=0)
            log.info("place_removed", place=name, why=why)
        except HostUnavailableError:
            raise
        except (JiqiError, OSError) as error:
            log.error("place_kept", place=name, why=why, error=str(error))  # noqa: TRY400  (one line)
