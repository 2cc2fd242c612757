"""Kernels in Docker containers: one container a place, its home mounted from outside when it is claimed."""

import contextlib
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import docker.errors
import structlog

from jiqi.adapters import mounts
from jiqi.adapters.homes import ensure_home
from jiqi.adapters.hosts import control, docker_options
from jiqi.adapters.hosts.cgroups import memory_facts
from jiqi.adapters.hosts.docker_engine import DockerEngine
from jiqi.adapters.hosts.run_directories import PREFIX, WRITABLE, RunDirectories
from jiqi.adapters.hosts.waiting import (
    ALIVE_CHECK,
    Places,
    await_fork_server,
    exit_by_status,
    start_kernel,
)
from jiqi.adapters.hosts.watching import Watcher
from jiqi.adapters.images import ImageFile, image_files
from jiqi.adapters.network import EgressRules
from jiqi.config import Settings
from jiqi.domain.ids import KernelId, UserId, WarmName, is_id
from jiqi.domain.kernels import Environment, Network
from jiqi.services.ports_hosts import (
    Exit,
    HostUnavailableError,
    Order,
    Place,
    PlaceLostError,
    PoolKey,
    Started,
)

log = structlog.get_logger()
_LEAST_FREE = 256 * 1024 * 1024
_IMAGES_SEEN = 10.0
_POINT = "jiqi"


class DockerHost:
    """The containers of one installation and node."""

    kind = "docker"
    isolates = True

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._engine = DockerEngine()
        self._watcher = Watcher()
        self._mounts = settings.state / "mounts"
        # Mounts need root. Without it a home is bound when the container is made, so there is no pool.
        self.pools = os.getuid() == 0
        self._runs = RunDirectories(settings, mounted=self.pools)
        self._egress = EgressRules(docker_options.EGRESS) if EgressRules.possible() else None
        self._egress_is_safe = False
        self._known: tuple[Environment, ...] = ()
        self._known_until = 0.0

    def prepare(self) -> None:
        """Make the shared folders, mounts, network and rules. Raises HostUnavailableError."""
        self._settings.state.mkdir(parents=True, exist_ok=True)
        if self.pools:
            self._mounts.mkdir(mode=0o711, exist_ok=True)
            mounts.share(self._mounts)
        if self._egress is None:
            return
        self._engine.make_bridge(docker_options.EGRESS)
        try:
            self._egress.ensure()
        except HostUnavailableError as error:
            # Kernels that want egress get no network until the rules stand.
            self._egress_is_safe = False
            log.error("egress_rules_refused", error=str(error))  # noqa: TRY400  (one line, every beat)
            return
        self._egress_is_safe = True

    def network(self, wanted: Network) -> Network:
        """Return the network that a place really gets: without rules, none."""
        return wanted if self._egress_is_safe else Network.NONE

    def environments(self) -> tuple[Environment, ...]:
        """Return the images that Docker has."""
        if time.monotonic() < self._known_until:
            return self._known
        found = []
        for image in image_files(self._settings.images):
            digest = self._engine.image_digest(image.tag)
            if digest is not None:
                found.append(image.environment(digest=digest))
        self._known = tuple(found)
        self._known_until = time.monotonic() + _IMAGES_SEEN
        return self._known

    def described(self) -> tuple[Environment, ...]:
        """Return the environments of the image files."""
        return tuple(image.environment(digest="") for image in image_files(self._settings.images))

    def problem(self) -> str | None:
        """Return why no kernel can start, or None."""
        if not self._engine.ping():
            return HostUnavailableError.code
        with contextlib.suppress(HostUnavailableError):
            if not self.environments():
                return "image.missing"
        if shutil.disk_usage(self._settings.state).free < _LEAST_FREE:
            return "disk.full"
        return None

    def create(
        self,
        name: WarmName,
        key: PoolKey,
        *,
        environment: Environment,
        home: UserId | None,
        urgent: bool,
    ) -> Place:
        """Make and start a container; the fork server in it begins to preload."""
        if key.network is Network.EGRESS and not self._egress_is_safe:
            raise HostUnavailableError(detail="egress rules")
        self._runs.make(name)
        options = docker_options.container_options(
            self._settings, name, key, environment, image=self._image(environment).tag
        )
        options["host_config"] = self._engine.host_config(
            **docker_options.host_options(
                environment,
                network=key.network,
                home=str(self._home_of(name, home)),
                late=self.pools,
                run=str(self._runs.path(name)),
                share=docker_options.FULL_SHARE if urgent else docker_options.WARMING_SHARE,
            )
        )
        ref = self._engine.create(**options)
        self._engine.start(ref)
        log.info("container_started", place=name, environment=key.environment, network=key.network)
        return Place(name=name, ref=ref, key=key, digest=environment.digest, running=True)

    def await_ready(self, place: Place, *, seconds: float, cancelled: Callable[[], bool]) -> None:
        """Wait for the fork server's standby."""
        await_fork_server(
            self._runs.writable(place.name),
            seconds=seconds,
            cancelled=cancelled,
            alive=lambda: self._is_running(place.ref),
        )

    def places(self) -> list[Place]:
        """Return every container of this installation and node."""
        return self._places(docker_options.owned(self._settings))

    def find(self, name: WarmName) -> Place | None:
        """Return the container of a place."""
        wanted = docker_options.owned(self._settings) | docker_options.name_label(name)
        return next(iter(self._places(wanted)), None)

    def attach(self, place: Place, user_id: UserId) -> None:
        """Mount the home where the container sees it."""
        home = ensure_home(self._settings, user_id)
        if self.pools:
            mounts.bind(home, self._mounts / place.name / _POINT)

    def start(
        self, place: Place, order: Order, *, seconds: float, cancelled: Callable[[], bool] = control.never
    ) -> Started:
        """Fork the kernel over the control socket."""
        places = Places(
            home=docker_options.HOME,
            inside=f"{docker_options.RUN}/{WRITABLE}/{PREFIX}",
            outside=self._runs.prefix(place.name),
            user_base=docker_options.user_base(order.environment),
            network=place.key.network.value,
        )
        folder = self._runs.writable(place.name)
        return start_kernel(folder, order, places=places, seconds=seconds, cancelled=cancelled)

    def lift(self, place: Place) -> None:
        """Give the container its full share of the processor."""
        self._engine.share(place.ref, weight=docker_options.FULL_SHARE)

    def label(self, place: Place, kernel_id: KernelId) -> None:
        """Name the container after its kernel, for people who look at `docker ps`."""
        with contextlib.suppress(docker.errors.APIError, PlaceLostError):
            self._engine.rename(place.ref, f"jiqi-{self._settings.installation}-kernel-{kernel_id}")

    def interrupt(self, place: Place) -> None:
        """Interrupt what the kernel runs."""
        with contextlib.suppress(control.SilentError):
            control.request(self._runs.writable(place.name), "interrupt", control.Nothing, seconds=5)

    def outcome(self, place: Place, *, kernel_id: KernelId, generation: int) -> Exit | None:
        """Return why the kernel is gone: by the container's state, then by the fork server's word."""
        state = self._engine.state(place.ref)
        if state is None or not state.get("Running"):
            facts = state or {}
            return Exit(lost=True, oom=bool(facts.get("OOMKilled")), code=facts.get("ExitCode"))
        found = exit_by_status(self._runs.writable(place.name), kernel_id=kernel_id, generation=generation)
        if found is None:
            return None
        memory = memory_facts(int(state["Pid"]))
        return Exit(
            code=found.code,
            signal=found.signal,
            oom=found.signal == 9 and memory.kills > 0,  # noqa: PLR2004  (SIGKILL)
            peak_mb=memory.peak_mb,
            limit_mb=memory.limit_mb,
        )

    def watch(self, place: Place, *, changed: Callable[[], None]) -> None:
        """Hold the control connection."""
        self._watcher.watch(place.name, self._runs.writable(place.name), changed=changed)

    def watched(self) -> set[WarmName]:
        """Return the places whose control connection is held."""
        return self._watcher.names()

    def unwatch(self, name: WarmName) -> None:
        """Close the control connection."""
        self._watcher.unwatch(name)

    def stop(self, place: Place, *, grace: float) -> None:
        """Ask the kernel to end, then kill and remove the container, until Docker has none of this name."""
        if grace > 0 and place.running:
            with contextlib.suppress(Exception):
                control.request(
                    self._runs.writable(place.name), "stop", control.Nothing, seconds=grace + 1, grace=grace
                )
        end = time.monotonic() + ALIVE_CHECK * 20
        self._engine.remove(place.ref)
        while self._engine.state(place.ref) is not None:
            if time.monotonic() > end:
                raise HostUnavailableError(detail="remove")
            time.sleep(0.05)
            self._engine.remove(place.ref)

    def detach(self, name: WarmName) -> None:
        """Unmount the home and remove the empty mount points."""
        if not self.pools:
            return
        mounts.unmount(self._mounts / name / _POINT)
        mounts.remove_point(self._mounts / name / _POINT)
        mounts.remove_point(self._mounts / name)

    def is_free(self, name: WarmName) -> bool:
        """Say whether nothing is mounted where the home would be."""
        return not mounts.mounted(self._mounts / name / _POINT)

    def discard(self, name: WarmName) -> None:
        """Remove the run directory."""
        self._runs.remove(name)

    def leftovers(self) -> set[WarmName]:
        """Return the names that have folders on the host."""
        try:
            inside = {WarmName(entry.name) for entry in self._mounts.iterdir() if is_id(entry.name)}
        except FileNotFoundError:
            inside = set()
        return inside | self._runs.names()

    def close(self) -> None:
        """Close connections; containers go on."""
        self._watcher.close()
        self._engine.close()

    def _image(self, environment: Environment) -> ImageFile:
        return ImageFile(name=environment.name, version=environment.version)

    def _home_of(self, name: WarmName, home: UserId | None) -> Path:
        if not self.pools:
            if home is None:
                raise HostUnavailableError(detail="no pool without root")
            return ensure_home(self._settings, home)
        point = self._mounts / name / _POINT
        point.mkdir(mode=0o755, parents=True, exist_ok=True)
        return point.parent

    def _is_running(self, ref: str) -> bool:
        state = self._engine.state(ref)
        return state is not None and bool(state.get("Running"))

    def _places(self, labels: dict[str, str]) -> list[Place]:
        found = []
        for container in self._engine.containers(labels):
            try:
                name, key, digest = docker_options.by_labels(container["Labels"])
            except (KeyError, ValueError):
                continue
            running = container["State"] in {"running", "paused"}
            found.append(Place(name=name, ref=container["Id"], key=key, digest=digest, running=running))
        return found
