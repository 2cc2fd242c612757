"""Kernels as plain processes of this machine: no isolation, for one's own computer without Docker.

Places are found by a mark in their environment, so that they are adopted after a restart of the agent. The mark
holds this installation, node, name and pool key.
"""

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable

import structlog

from jiqi.adapters.homes import ensure_home
from jiqi.adapters.hosts import control, processes
from jiqi.adapters.hosts.interpreters import Interpreter
from jiqi.adapters.hosts.run_directories import RunDirectories
from jiqi.adapters.hosts.waiting import Places, await_fork_server, exit_by_status, start_kernel
from jiqi.adapters.hosts.watching import Watcher
from jiqi.adapters.images import image_files
from jiqi.config import Settings
from jiqi.domain.ids import KernelId, UserId, WarmName, is_id
from jiqi.domain.kernels import Environment, Network
from jiqi.services.ports_hosts import (
    Exit,
    HostDiskFullError,
    HostUnavailableError,
    Order,
    Place,
    PoolKey,
    Started,
)

log = structlog.get_logger()
_MARK = "JIQI_PLACE"
_LEAST_FREE = 256 * 1024 * 1024
_STOP_SECONDS = 5.0
_ENVIRONMENTS_SEEN = 30.0


class ProcessHost:
    """The kernel processes of one installation and node."""

    kind = "process"
    isolates = False
    pools = True

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._watcher = Watcher()
        self._runs = RunDirectories(settings, mounted=False)
        self._python = Interpreter(settings)
        self._known: tuple[Environment, ...] = ()
        self._known_until = 0.0
        self._children: dict[int, subprocess.Popen[bytes]] = {}

    def prepare(self) -> None:
        """Make the shared folders."""
        self._settings.state.mkdir(parents=True, exist_ok=True)

    def network(self, wanted: Network) -> Network:
        """Return egress, because a process has the machine's own network."""
        del wanted
        return Network.EGRESS

    def environments(self) -> tuple[Environment, ...]:
        """Return the environments whose framework the interpreter finds."""
        if time.monotonic() > self._known_until:
            self._known = self._python.environments()
            self._known_until = time.monotonic() + _ENVIRONMENTS_SEEN
        return self._known

    def described(self) -> tuple[Environment, ...]:
        """Return the environments of the image files."""
        return tuple(image.environment(digest="") for image in image_files(self._settings.images))

    def problem(self) -> str | None:
        """Return why no kernel can start, or None."""
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
        """Start a fork server of its own session; it outlives the agent."""
        del home
        self._runs.make(name)
        folder = self._runs.writable(name)
        preload = ["--preload", ",".join(environment.preload)] if environment.preload else []
        command = [
            str(self._python.path), "-m", "jiqi_kernel", "serve", "--run", str(folder), *preload,
        ]  # fmt: skip
        variables = self._python.variables(environment) | {
            _MARK: "/".join((*self._owner(), name, key.environment, key.network.value, environment.digest)),
            "HOME": str(folder),
            "TMPDIR": "/tmp",  # noqa: S108  (there is no other on this host)
            "JIQI_NETWORK": key.network.value,
        }
        try:
            with (self._runs.path(name) / "log").open("ab") as output:
                child = subprocess.Popen(
                    command if urgent else ["nice", "-n", "5", *command],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=output,
                    env=variables,
                    cwd="/",
                    start_new_session=True,
                    umask=0o007,
                    **self._python.identity(),
                )
        except OSError as error:
            if error.errno == 28:  # noqa: PLR2004  (ENOSPC)
                raise HostDiskFullError from error
            raise HostUnavailableError(detail=str(error)) from error
        self._children[child.pid] = child
        found = processes.process(child.pid)
        log.info("process_started", place=name, environment=key.environment, pid=child.pid)
        ref = _ref(child.pid, found.start if found else 0)
        return Place(name=name, ref=ref, key=key, digest=environment.digest, running=found is not None)

    def await_ready(self, place: Place, *, seconds: float, cancelled: Callable[[], bool]) -> None:
        """Wait for the fork server's standby."""
        await_fork_server(
            self._runs.writable(place.name),
            seconds=seconds,
            cancelled=cancelled,
            alive=lambda: _is_alive(place.ref),
        )

    def places(self) -> list[Place]:
        """Return the marked processes that no marked process started."""
        for pid in [pid for pid, child in self._children.items() if child.poll() is not None]:
            del self._children[pid]
        ours = "/".join(self._owner()) + "/"
        marked = {
            one.pid: (one, mark)
            for one in processes.processes()
            if not one.dead and (mark := processes.environ(one.pid).get(_MARK, "")).startswith(ours)
        }
        found = [_place(one, mark) for one, mark in marked.values() if one.parent not in marked]
        return [place for place in found if place is not None]

    def find(self, name: WarmName) -> Place | None:
        """Return the process of a place."""
        return next((place for place in self.places() if place.name == name), None)

    def attach(self, place: Place, user_id: UserId) -> None:
        """Make the home; a process sees every home anyway."""
        del place
        ensure_home(self._settings, user_id)

    def start(
        self, place: Place, order: Order, *, seconds: float, cancelled: Callable[[], bool] = control.never
    ) -> Started:
        """Fork the kernel over the control socket."""
        home = ensure_home(self._settings, order.user_id)
        prefix = self._runs.prefix(place.name)
        places = Places(
            home=str(home),
            inside=prefix,
            outside=prefix,
            user_base=str(home / ".packages" / order.environment),
            network=place.key.network.value,
        )
        folder = self._runs.writable(place.name)
        return start_kernel(folder, order, places=places, seconds=seconds, cancelled=cancelled)

    def lift(self, place: Place) -> None:
        """Give the process and its standby the usual priority again, where that is allowed."""
        pid = _pid(place.ref)
        for one in {pid, *processes.descendants(pid)}:
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, one, 0)

    def label(self, place: Place, kernel_id: KernelId) -> None:
        """Do nothing: a process keeps its name."""

    def interrupt(self, place: Place) -> None:
        """Interrupt what the kernel runs."""
        with contextlib.suppress(control.SilentError):
            control.request(self._runs.writable(place.name), "interrupt", control.Nothing, seconds=5)

    def outcome(self, place: Place, *, kernel_id: KernelId, generation: int) -> Exit | None:
        """Return why the kernel is gone."""
        if not _is_alive(place.ref):
            return Exit(lost=True)
        return exit_by_status(self._runs.writable(place.name), kernel_id=kernel_id, generation=generation)

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
        """Ask the kernel to end, then kill the process with everything that it and its kernel started."""
        pid, start = _pid(place.ref), int(place.ref.rpartition("-")[2])
        if grace > 0 and _is_alive(place.ref):
            with contextlib.suppress(Exception):
                control.request(
                    self._runs.writable(place.name), "stop", control.Nothing, seconds=grace + 1, grace=grace
                )
        if _is_alive(place.ref):
            family = processes.descendants(pid)
            processes.kill_all({pid, *family})
        # Whatever was started in between, or had left the family, still carries the mark.
        processes.kill_all(self._marked(place.name))
        if not processes.await_gone(pid, start=start, seconds=_STOP_SECONDS):
            raise HostUnavailableError(detail="kill")

    def detach(self, name: WarmName) -> None:
        """Do nothing: no home is mounted."""

    def is_free(self, name: WarmName) -> bool:
        """Return True: no home is mounted."""
        del name
        return True

    def discard(self, name: WarmName) -> None:
        """Remove the run directory."""
        self._runs.remove(name)

    def leftovers(self) -> set[WarmName]:
        """Return the names that have a run directory."""
        return self._runs.names()

    def close(self) -> None:
        """Close connections; processes go on."""
        self._watcher.close()

    def _owner(self) -> tuple[str, str]:
        return self._settings.installation, self._settings.node

    def _marked(self, name: WarmName) -> set[int]:
        start = "/".join((*self._owner(), name)) + "/"
        pids = {one.pid for one in processes.processes() if not one.dead}
        return {pid for pid in pids if processes.environ(pid).get(_MARK, "").startswith(start)}


def _ref(pid: int, start: int) -> str:
    return f"p{pid}-{start}"


def _pid(ref: str) -> int:
    return int(ref[1:].partition("-")[0])


def _is_alive(ref: str) -> bool:
    found = processes.process(_pid(ref))
    return found is not None and not found.dead and _ref(found.pid, found.start) == ref


def _place(one: processes.Process, mark: str) -> Place | None:
    parts = mark.split("/")
    if len(parts) != 6 or not is_id(parts[2]):  # noqa: PLR2004  (what `create` joins)
        return None
    _, _, name, environment, network, digest = parts
    if network not in {member.value for member in Network}:
        return None
    return Place(
        name=WarmName(name),
        ref=_ref(one.pid, one.start),
        key=PoolKey(environment=environment, network=Network(network)),
        digest=digest,
        running=True,
    )
