"""The warm places of one host: as many as wanted by pool key, filled one at a time and out of the way."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from jiqi.domain.errors import JiqiError
from jiqi.domain.ids import WarmName
from jiqi.domain.kernels import Environment
from jiqi.services.hosting_base import new_name
from jiqi.services.ports_hosts import CancelledError, KernelHost, Place, PoolKey

log = structlog.get_logger()
# A refill waits until the kernel that was just claimed has had the machine for its first cells.
QUIET_SECONDS = 2.0
_WARM_SECONDS = 180.0
_PAUSE_AFTER_ERROR = 10.0


@dataclass(slots=True, kw_only=True)
class _Warm:
    place: Place
    ready: bool


class Pool:
    """Nothing here outlives the agent: after a restart `adopt` puts the places back."""

    def __init__(self, host: KernelHost, *, wanted: Callable[[], dict[PoolKey, int]]) -> None:
        self._host = host
        self._wanted_now = wanted
        self._warm: dict[WarmName, _Warm] = {}
        self._making: set[WarmName] = set()
        self._held: set[WarmName] = set()
        self._lock = threading.Lock()
        self._quiet_until = 0.0
        self._paused: dict[PoolKey, float] = {}
        self._closing = threading.Event()

    def take(self, key: PoolKey, *, digest: str) -> tuple[Place, bool] | None:
        """Return a place of this image and whether it is ready, the ready ones first; it is then `held`."""
        with self._lock:
            fitting = [w for w in self._warm.values() if w.place.key == key and w.place.digest == digest]
            if not fitting:
                return None
            chosen = max(fitting, key=lambda warm: warm.ready)
            del self._warm[chosen.place.name]
            self._held.add(chosen.place.name)
            return chosen.place, chosen.ready

    def hold(self, name: WarmName) -> None:
        """Keep `tidy` away from a place that is about to be made for a kernel."""
        with self._lock:
            self._held.add(name)

    def let_go(self, name: WarmName) -> None:
        """Say that the record now names the place, or that it is gone."""
        with self._lock:
            self._held.discard(name)

    def disturb(self) -> None:
        """Put the next refill off, because somebody's kernel is starting."""
        self._quiet_until = time.monotonic() + QUIET_SECONDS

    def adopt(self, place: Place, *, ready: bool) -> bool:
        """Take in a warm place if one of its key is wanted; say whether it was."""
        with self._lock:
            if place.name in self._warm:
                return True
            if self._missing(place.key) <= 0:
                return False
            self._warm[place.name] = _Warm(place=place, ready=ready)
            self._held.discard(place.name)
            return True

    def names(self) -> set[WarmName]:
        """Return every name that this pool answers for."""
        with self._lock:
            return set(self._warm) | self._making | self._held

    def ready(self) -> dict[PoolKey, int]:
        """Return how many places are ready by key."""
        with self._lock:
            keys = [warm.place.key for warm in self._warm.values() if warm.ready]
            return {key: keys.count(key) for key in self._wanted}

    def prune(self, running: set[WarmName]) -> list[Place]:
        """Drop the places that no longer run and return them."""
        with self._lock:
            gone = [w.place for name, w in self._warm.items() if w.ready and name not in running]
            for place in gone:
                del self._warm[place.name]
            return gone

    def stale(self, digests: dict[str, str]) -> list[Place]:
        """Drop the places whose image has been replaced and return them."""
        with self._lock:
            old = [
                w.place for w in self._warm.values() if digests.get(w.place.key.environment) != w.place.digest
            ]
            for place in old:
                del self._warm[place.name]
            return old

    def fill(self, environments: tuple[Environment, ...]) -> bool:
        """Make one place that is missing, waiting for it to be ready; say whether one was made.

        One at a time: two frameworks that import at once on two cores are ready later than one after the other.
        """
        if time.monotonic() < self._quiet_until:
            return False
        for environment in environments:
            for key in self._wanted:
                if key.environment == environment.name and self._is_due(key):
                    return self._make(key, environment)
        return False

    def close(self) -> None:
        """Let a filling that is under way return; its place is adopted by the next agent."""
        self._closing.set()

    @property
    def _wanted(self) -> dict[PoolKey, int]:
        # Asked anew each time: what a place gets of a network may change with the host's rules.
        return self._wanted_now() if self._host.pools else {}

    def _missing(self, key: PoolKey) -> int:
        return self._wanted.get(key, 0) - sum(warm.place.key == key for warm in self._warm.values())

    def _is_due(self, key: PoolKey) -> bool:
        with self._lock:
            return self._missing(key) > 0 and time.monotonic() >= self._paused.get(key, 0.0)

    def _make(self, key: PoolKey, environment: Environment) -> bool:
        name = new_name()
        with self._lock:
            self._making.add(name)
        place: Place | None = None
        began = time.monotonic()
        try:
            place = self._host.create(name, key, environment=environment, home=None, urgent=False)
            with self._lock:
                self._warm[name] = _Warm(place=place, ready=False)
            self.warm_up(place)
        except CancelledError:
            return False
        except Exception as error:
            self._paused[key] = time.monotonic() + _PAUSE_AFTER_ERROR
            self._give_up(name, place)
            log.warning("pool_fill_refused", environment=key.environment, error=str(error))
            return False
        finally:
            with self._lock:
                self._making.discard(name)
        log.info("pool_filled", place=name, environment=key.environment, seconds=_since(began))
        return True

    def warm_up(self, place: Place) -> None:
        """Wait until the place is ready, then count it as such. Raises what `await_ready` does."""

        def is_taken() -> bool:
            # Somebody took it while it was warming: that thread waits for it from now on.
            with self._lock:
                return self._closing.is_set() or place.name not in self._warm

        self._host.await_ready(place, seconds=_WARM_SECONDS, cancelled=is_taken)
        self._host.lift(place)
        with self._lock:
            if place.name in self._warm:
                self._warm[place.name].ready = True

    def warm_up_or_give_up(self, place: Place) -> None:
        """Make an adopted place ready, or remove it."""
        try:
            self.warm_up(place)
        except CancelledError:
            return
        except Exception as error:
            self._give_up(place.name, place)
            log.warning("adopted_place_refused", place=place.name, error=str(error))

    def _give_up(self, name: WarmName, place: Place | None) -> None:
        with self._lock:
            taken = place is not None and name not in self._warm
            self._warm.pop(name, None)
        if taken:
            return
        _quietly(lambda: self._host.stop(place, grace=0) if place is not None else None)
        _quietly(lambda: self._host.detach(name))
        _quietly(lambda: self._host.discard(name))


def _quietly(act: Callable[[], None]) -> None:
    # What could not be removed now is found by `tidy`.
    try:
        act()
    except (JiqiError, OSError) as error:
        log.debug("pool_leftover", error=str(error))


def _since(began: float) -> float:
    return round(time.monotonic() - began, 3)
