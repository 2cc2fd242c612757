"""jiqi stop: ends every kernel and process of this installation, whether or not `jiqi up` still runs."""

import contextlib
import os
import signal
import time

import structlog

from jiqi import console, logs, wiring
from jiqi.adapters import mounts
from jiqi.adapters.claims import FileClaims
from jiqi.adapters.hosts.docker import DockerHost
from jiqi.adapters.hosts.process import ProcessHost
from jiqi.config import Settings
from jiqi.domain.errors import JiqiError
from jiqi.domain.ids import NodeId, WarmName
from jiqi.domain.kernels import Reason, Status, ended, want_stop
from jiqi.services.kernels import WAKE, node_queue
from jiqi.services.ports import Transaction
from jiqi.services.ports_hosts import KernelHost, Place
from jiqi.supervisor import instance
from jiqi.supervisor.engine import Engine

log = structlog.get_logger()
_KERNELS_SECONDS = 15.0
_UP_SECONDS = 30.0
_GRACE = 1.0


def stop(settings: Settings) -> int:
    """Stop everything of this node; return 1 when something is left. Homes, outputs and rows stay."""
    logs.configure(form=settings.log_format, level="warning", process="stop")
    running = instance.running(settings.state)
    base = wiring.base(settings)
    has_tables = (settings.state / "jiqi.db").exists() or not settings.database_url.startswith("sqlite")
    try:
        asked = _ask(base, settings) if has_tables else 0
        if running is not None and running.stage == "ready" and asked:
            _wait_for_kernels(base, settings)
        if running is not None and not _end(settings, running.pid):
            return 1
        left = _clear(settings)
        if has_tables and not left:
            _close_rows(base, settings)
    finally:
        base.database.close()
    left += _unmount(settings)
    if running is None and not asked and not left:
        console.say("stop.nothing")
        return 0
    if asked:
        console.say("stop.kernels", n=asked)
    if left:
        console.refuse("stop.left", n=left, log=settings.state / "logs" / "agent.log")
        return 1
    console.say("stop.done", state=settings.state)
    return 0


def _ask(base: wiring.Base, settings: Settings) -> int:
    """Write that every live kernel of the node is to stop, for a living agent to do in its own order."""

    def work(tx: Transaction) -> int:
        kernels = tx.kernels.live_of_node(NodeId(settings.node))
        now = wiring.utc_now()
        for kernel in kernels:
            tx.kernels.save(want_stop(kernel, reason=Reason.HOST_DOWN, now=now))
            tx.outbox.add(queue=node_queue(settings.node), task=WAKE, argument=kernel.id, now=now)
        return len(kernels)

    return base.database.write(work)


def _wait_for_kernels(base: wiring.Base, settings: Settings) -> None:
    end = time.monotonic() + _KERNELS_SECONDS
    while time.monotonic() < end:
        if not base.database.read(lambda tx: tx.kernels.live_of_node(NodeId(settings.node))):
            return
        time.sleep(0.1)


def _end(settings: Settings, pid: int) -> bool:
    """Ask `jiqi up` to end and wait for its lock; what is left of it is cleared afterwards."""
    if pid:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    end = time.monotonic() + _UP_SECONDS
    while instance.running(settings.state) is not None:
        if time.monotonic() > end:
            console.refuse("stop.slow", pid=pid, seconds=int(_UP_SECONDS))
            return False
        time.sleep(0.05)
    return True


def _clear(settings: Settings) -> int:
    """Remove every place, warm ones too, in the order stop, detach, discard; return how many stayed."""
    hosts: list[KernelHost] = [ProcessHost(settings)]
    if Engine().version() is not None:
        hosts.append(DockerHost(settings))
    # All places end before any folder goes: both kinds keep their sockets under one run root.
    left = sum(not _ended(host, place) for host in hosts for place in host.places())
    if not left:
        claims = FileClaims(settings.state / "claims")
        left = sum(not _discarded(host, name, claims) for host in hosts for name in host.leftovers())
    for host in hosts:
        host.close()
    return left


def _ended(host: KernelHost, place: Place) -> bool:
    try:
        host.stop(place, grace=_GRACE if place.running else 0.0)
    except (JiqiError, OSError) as error:
        log.warning("place_left", place=place.name, error=str(error))
        return False
    return True


def _discarded(host: KernelHost, name: WarmName, claims: FileClaims) -> bool:
    try:
        host.detach(name)
        host.discard(name)
        claims.remove(name)
    except (JiqiError, OSError) as error:
        log.warning("place_left", place=name, error=str(error))
        return False
    return True


def _close_rows(base: wiring.Base, settings: Settings) -> None:
    """Write the end of kernels whose places are gone, when no agent was there to do it."""

    def work(tx: Transaction) -> None:
        for kernel in tx.kernels.live_of_node(NodeId(settings.node)):
            tx.kernels.save(
                ended(kernel, status=Status.STOPPED, reason=Reason.HOST_DOWN, now=wiring.utc_now())
            )

    base.database.write(work)


def _unmount(settings: Settings) -> int:
    """Give back the shared mount that carries homes, and the empty run root."""
    with contextlib.suppress(OSError):
        settings.run.rmdir()
    folder = settings.state / "mounts"
    if not mounts.mounted(folder):
        return 0
    try:
        mounts.unmount(folder)
    except (JiqiError, OSError) as error:
        log.warning("mount_left", path=str(folder), error=str(error))
        return 1
    return 0
