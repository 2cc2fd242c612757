"""What the agent needs from a host of kernels: places to run in, their homes, and why they ended.

A *place* is one container or one process of this installation: warm until it is claimed for a kernel. Every
method may be called again after a crash and then finishes what the first call began. All of them block.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from jiqi.domain.errors import JiqiError, UnavailableError
from jiqi.domain.ids import KernelId, UserId, WarmName
from jiqi.domain.kernels import Environment, Network


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolKey:
    """What a warm place cannot change later."""

    environment: str
    network: Network


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One container or process. `ref` never names another one, not even after a restart of the machine."""

    name: WarmName
    ref: str
    key: PoolKey
    digest: str
    running: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What is written down, fsynced, before a home is mounted: which kernel a place belongs to."""

    ref: str
    name: WarmName
    kernel_id: KernelId
    user_id: UserId
    boot: str
    made: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """How to start a kernel in a place; `folder` is where it begins, a path below the home."""

    kernel_id: KernelId
    user_id: UserId
    environment: str
    generation: int
    key: str
    folder: str
    safe: bool
    env: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """A kernel that answers at `prefix`-1 … -5 on this host; everything else is the container's word."""

    prefix: str
    kernel_info: dict[str, object]
    cold: bool
    shadowed: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Exit:
    """Why a kernel is no longer there; memory in MiB. `lost`: the place itself is gone."""

    code: int | None = None
    signal: int | None = None
    oom: bool = False
    peak_mb: int | None = None
    limit_mb: int | None = None
    lost: bool = False


class HostUnavailableError(UnavailableError):
    """The container engine does not answer; nothing is known about its containers."""

    code = "docker.down"


class ImageMissingError(JiqiError):
    """The host no longer has the image of this environment."""

    code = "image.missing"
    status = 503


class HostDiskFullError(JiqiError):
    """The host's disk is full."""

    code = "host.disk_full"
    status = 507


class PlaceLostError(JiqiError):
    """The container or process of a place ended."""

    code = "place.lost"
    status = 503


class StartRefusedError(JiqiError):
    """The place answers and cannot start the kernel; `detail` is its own word, cut short."""

    code = "kernel.start_refused"
    status = 503


class StartTimeoutError(JiqiError):
    """The place did not answer in time."""

    code = "kernel.start_timeout"
    status = 503


class CancelledError(JiqiError):
    """The kernel is no longer wanted; nothing went wrong."""

    code = "kernel.cancelled"
    status = 409


class MountBusyError(JiqiError):
    """A home is still in use at a mount point, which is left as it is; `path` names it."""

    code = "mount.busy"
    status = 503


class KernelHost(Protocol):
    """Where kernels run. Raises HostUnavailableError from any method that asks the engine."""

    @property
    def kind(self) -> str:
        """`docker` or `process`."""

    @property
    def isolates(self) -> bool:
        """Whether kernels cannot reach each other's files and processes."""

    @property
    def pools(self) -> bool:
        """Whether a home can be given to a place that runs already."""

    def prepare(self) -> None:
        """Make what all places share: folders, mounts, networks, rules. Called at start and at every beat."""

    def network(self, wanted: Network) -> Network:
        """Return the network that a place really gets here when `wanted` is asked for."""

    def environments(self) -> tuple[Environment, ...]:
        """Return what can be started now."""

    def described(self) -> tuple[Environment, ...]:
        """Return what the installation describes, whether or not it is here; asks no engine."""

    def problem(self) -> str | None:
        """Return a stable code while no kernel can start, such as `docker.down`; never raises."""

    def create(
        self,
        name: WarmName,
        key: PoolKey,
        *,
        environment: Environment,
        home: UserId | None,
        urgent: bool,
    ) -> Place:
        """Begin a place; it is not ready yet. `home` is needed where `pools` is false."""

    def await_ready(self, place: Place, *, seconds: float, cancelled: Callable[[], bool]) -> None:
        """Return when a kernel can be forked. Raises PlaceLostError, StartTimeoutError, CancelledError."""

    def places(self) -> list[Place]:
        """Return every place of this installation and node, also those that ended."""

    def find(self, name: WarmName) -> Place | None:
        """Return the place of this name, running or not."""

    def attach(self, place: Place, user_id: UserId) -> None:
        """Let the place see the person's home. Raises PlaceLostError, MountBusyError."""

    def start(
        self, place: Place, order: Order, *, seconds: float, cancelled: Callable[[], bool] = ...
    ) -> Started:
        """Fork the kernel; the same generation again returns the running one, a higher one replaces it.

        Raises PlaceLostError, StartRefusedError, StartTimeoutError, CancelledError.
        """

    def lift(self, place: Place) -> None:
        """Give a place that was filled in the background its full share of the processor; again is harmless."""

    def label(self, place: Place, kernel_id: KernelId) -> None:
        """Give the place a telling name; never matters to anything."""

    def interrupt(self, place: Place) -> None:
        """Interrupt what the kernel runs."""

    def outcome(self, place: Place, *, kernel_id: KernelId, generation: int) -> Exit | None:
        """Return why the kernel of this generation is gone, or None while it lives."""

    def watch(self, place: Place, *, changed: Callable[[], None]) -> None:
        """Call `changed` soon after the kernel or its place ends; again replaces the callback."""

    def watched(self) -> set[WarmName]:
        """Return the places that are being watched now; a broken connection drops out."""

    def unwatch(self, name: WarmName) -> None:
        """Forget a watched place."""

    def stop(self, place: Place, *, grace: float) -> None:
        """End every process of the place, asking the kernel first for `grace` seconds, and remove it."""

    def detach(self, name: WarmName) -> None:
        """Take the home away. Raises MountBusyError after a bounded time."""

    def is_free(self, name: WarmName) -> bool:
        """Say whether no home is mounted for this name."""

    def discard(self, name: WarmName) -> None:
        """Remove the empty folders that a place left on the host; never anything of a home."""

    def leftovers(self) -> set[WarmName]:
        """Return the names that have folders or mounts on the host."""

    def close(self) -> None:
        """Forget everything without touching any place."""


class Claims(Protocol):
    """The claim files of one node."""

    def put(self, claim: Claim) -> None:
        """Write and fsync; the same claim again changes nothing."""

    def all(self) -> list[Claim]:
        """Return every claim that can be read."""

    def remove(self, name: WarmName) -> None:
        """Remove what claims the place; harmless when there is none."""


class Trace(Protocol):
    """Told of every finished step of a claim or release by its name, so that a test can stop in between."""

    def __call__(self, step: str) -> None: ...
