"""Giving a place to a kernel and taking it back: short steps in a fixed order, each of which may be done again.

Claim: row → claim file → mount → start → row READY. Release: stop → unmount → folders → claim file → row ended.
The row names the place before anything is done to it and until nothing is left of it, so that an agent which was
killed between any two steps finds in SQL what it had begun.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePosixPath

import structlog

from jiqi.domain.ids import KernelId, WarmName
from jiqi.domain.kernels import Environment, Kernel, Status, Target
from jiqi.services.hosting_base import Agency, new_name
from jiqi.services.hosting_pool import Pool
from jiqi.services.ports_hosts import (
    CancelledError,
    Claim,
    Order,
    Place,
    PlaceLostError,
    PoolKey,
    Started,
    StartTimeoutError,
)

log = structlog.get_logger()
STOP_GRACE = 1.0
_TRIES = 3
_START_SECONDS = 130.0


class Placing:
    """Claims and releases of one agent. `later` runs what a kernel can do without at first."""

    def __init__(self, agency: Agency, pool: Pool, *, later: Callable[[Callable[[], None]], None]) -> None:
        self._agency = agency
        self._host = agency.host
        self._pool = pool
        self._later = later

    def claim(self, kernel: Kernel, *, cancelled: Callable[[], bool]) -> Place | None:
        """Bring a kernel to READY and return its place, or None when the record changed meanwhile.

        Raises HostUnavailableError, ImageMissingError, StartRefusedError, StartTimeoutError, HostDiskFullError.
        """
        environment = self._agency.environment(kernel.environment)
        for _ in range(_TRIES):
            try:
                place = self._place(kernel, environment, cancelled=cancelled)
                if place is None:
                    return None
                return self._settle_in(kernel, place, cancelled=cancelled)
            except PlaceLostError:
                log.warning("place_lost", kernel_id=kernel.id, place=kernel.warm)
                found = self._agency.kernel(kernel.id)
                if found is None:
                    return None
                kernel = found
                if kernel.warm is not None:
                    self.clear(kernel.warm, grace=0)
            except CancelledError:
                return None
        raise StartTimeoutError

    def restart(self, kernel: Kernel, *, cancelled: Callable[[], bool]) -> Place | None:
        """Replace the kernel's process on the same sockets. Raises PlaceLostError, StartRefusedError."""
        place = self._host.find(kernel.warm) if kernel.warm is not None else None
        if place is None or not place.running:
            raise PlaceLostError(place=kernel.warm)
        generation = kernel.wanted
        if self._agency.change(kernel.id, _restarting) is None:
            return None
        self._agency.trace("restart.row")
        began = time.monotonic()
        order, seconds = self._order(kernel, generation), self._seconds_left(kernel)
        try:
            started = self._host.start(place, order, seconds=seconds, cancelled=cancelled)
        except CancelledError:
            return None
        self._agency.trace("restart.started")
        self._agency.change(kernel.id, lambda k: _ready(k, place, started, generation=generation))
        log.info("kernel_restarted", kernel_id=kernel.id, generation=generation, seconds=_since(began))
        return place

    def clear(self, name: WarmName, *, grace: float) -> None:
        """Stop a place and remove all that it has on the host, the claim file last.

        Raises HostUnavailableError; MountBusyError when a mount stays, and with it the claim file.
        """
        self._host.unwatch(name)
        place = self._host.find(name)
        if place is not None:
            self._host.stop(place, grace=grace)
        self._agency.trace("release.stopped")
        self._host.detach(name)
        self._agency.trace("release.unmounted")
        self._host.discard(name)
        self._agency.trace("release.folders")
        self._agency.claims.remove(name)
        self._agency.trace("release.claim")
        self._pool.let_go(name)

    def _place(
        self, kernel: Kernel, environment: Environment, *, cancelled: Callable[[], bool]
    ) -> Place | None:
        """Return a running place that the row names, ready to start a kernel."""
        seconds = self._seconds_left(kernel)
        if kernel.warm is not None:
            place = self._host.find(kernel.warm)
            if place is not None and place.running:
                self._host.lift(place)
                self._host.await_ready(place, seconds=seconds, cancelled=cancelled)
                return place
            self.clear(kernel.warm, grace=0)
        key = PoolKey(environment=kernel.environment, network=self._host.network(kernel.network))
        taken = self._pool.take(key, digest=environment.digest)
        if taken is None:
            return self._make(kernel, key, environment, cancelled=cancelled)
        place, is_ready = taken
        if not self._write_row(kernel.id, place.name):
            self._pool.let_go(place.name)
            return None
        if not is_ready:
            self._later(lambda: self._host.lift(place))
            self._host.await_ready(place, seconds=seconds, cancelled=cancelled)
        return place

    def _make(
        self, kernel: Kernel, key: PoolKey, environment: Environment, *, cancelled: Callable[[], bool]
    ) -> Place | None:
        name = new_name()
        self._pool.hold(name)
        try:
            if not self._write_row(kernel.id, name):
                return None
            home = None if self._host.pools else kernel.user_id
            place = self._host.create(name, key, environment=environment, home=home, urgent=True)
            self._agency.trace("claim.created")
            self._host.await_ready(place, seconds=self._seconds_left(kernel), cancelled=cancelled)
        finally:
            self._pool.let_go(name)
        return place

    def _write_row(self, kernel_id: KernelId, name: WarmName) -> bool:
        """Let the row name the place; say whether the kernel is still wanted."""
        saved = self._agency.change(kernel_id, lambda k: _starting(k, name))
        if saved is not None:
            self._agency.trace("claim.row")
        return saved is not None

    def _settle_in(self, kernel: Kernel, place: Place, *, cancelled: Callable[[], bool]) -> Place:
        self._pool.disturb()
        self._agency.claims.put(
            Claim(
                ref=place.ref,
                name=place.name,
                kernel_id=kernel.id,
                user_id=kernel.user_id,
                boot=self._agency.boot,
                made=self._agency.clock(),
            )
        )
        self._pool.let_go(place.name)
        self._agency.trace("claim.file")
        self._host.attach(place, kernel.user_id)
        self._agency.trace("claim.mounted")
        generation = max(kernel.wanted, 1)
        began = time.monotonic()
        order, seconds = self._order(kernel, generation), self._seconds_left(kernel)
        started = self._host.start(place, order, seconds=seconds, cancelled=cancelled)
        self._agency.trace("claim.started")
        self._agency.change(kernel.id, lambda k: _ready(k, place, started, generation=generation))
        self._agency.trace("claim.ready")
        log.info("kernel_ready", kernel_id=kernel.id, place=place.name, start_seconds=_since(began))
        # After READY: the container's name helps people only, and Docker takes 10 ms for it.
        self._later(lambda: self._host.label(place, kernel.id))
        return place

    def _order(self, kernel: Kernel, generation: int) -> Order:
        user = self._agency.database.read(lambda tx: tx.users.get(kernel.user_id))
        document = kernel.document or ""
        folder = str(PurePosixPath(document).parent)
        return Order(
            kernel_id=kernel.id,
            user_id=kernel.user_id,
            environment=kernel.environment,
            generation=generation,
            key=kernel.key,
            folder="" if folder == "." else folder,
            safe=kernel.safe,
            env={
                "JIQI_LANG": user.language if user is not None else "zh-CN",
                "JPY_SESSION_NAME": document.replace("\0", ""),
            },
        )

    def _seconds_left(self, kernel: Kernel) -> float:
        if kernel.deadline is None:
            return _START_SECONDS
        return max(0.5, (kernel.deadline - self._agency.clock()).total_seconds())


def _starting(kernel: Kernel, name: WarmName) -> Kernel | None:
    if kernel.target is not Target.RUNNING or kernel.status not in {Status.REQUESTED, Status.STARTING}:
        return None
    return replace(kernel, status=Status.STARTING, warm=name)


def _restarting(kernel: Kernel) -> Kernel | None:
    if kernel.target is not Target.RUNNING:
        return None
    return replace(kernel, status=Status.RESTARTING)


def _ready(kernel: Kernel, place: Place, started: Started, *, generation: int) -> Kernel | None:
    if kernel.status not in {Status.STARTING, Status.RESTARTING}:
        return None
    return replace(
        kernel,
        status=Status.READY,
        generation=generation,
        network=place.key.network,
        prefix=started.prefix,
        kernel_info=started.kernel_info,
        cold=started.cold,
        shadowed=started.shadowed,
        # A stop that was asked for meanwhile keeps its own deadline.
        deadline=None if kernel.target is Target.RUNNING else kernel.deadline,
    )


def _since(began: float) -> float:
    return round(time.monotonic() - began, 4)
