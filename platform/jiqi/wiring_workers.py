"""The composition root of the background processes: the agent of a host and the scheduler."""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

import structlog

from jiqi import wiring
from jiqi.adapters import mounts
from jiqi.adapters.claims import FileClaims
from jiqi.adapters.homes import Homes
from jiqi.adapters.hosts.docker import DockerHost
from jiqi.adapters.hosts.docker_engine import DockerEngine
from jiqi.adapters.hosts.process import ProcessHost
from jiqi.config import Settings
from jiqi.domain.ids import NodeId, UserId
from jiqi.domain.kernels import Network
from jiqi.services.hosting import Hosting
from jiqi.services.hosting_base import Agency, new_epoch, no_trace
from jiqi.services.hosting_beat import Beating
from jiqi.services.hosting_claims import Placing
from jiqi.services.hosting_pool import Pool
from jiqi.services.hosting_tidy import Tidying
from jiqi.services.kernels import node_queue
from jiqi.services.ports_hosts import KernelHost, PoolKey, Trace
from jiqi.services.sweeping import Sweeping
from jiqi.worker import scheduler
from jiqi.worker.agent import Agent, Later, NodeLock
from jiqi.worker.celery_app import celery_app
from jiqi.worker.running import serve
from jiqi.worker.signals import Signals
from jiqi.worker.supervisor import Supervisor
from jiqi.worker.tasks import register_sweep, register_wake

log = structlog.get_logger()
_BOOT = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, kw_only=True)
class AgentParts:
    """A built agent that has not begun."""

    agent: Agent
    agency: Agency
    hosting: Hosting
    pool: Pool
    signals: Signals


def kernel_host(settings: Settings) -> KernelHost:
    """Return the host that the settings name; `auto` is Docker when its engine answers now."""
    kind = settings.host
    if kind == "auto":
        kind = "docker" if _docker_answers() else "process"
    return DockerHost(settings) if kind == "docker" else ProcessHost(settings)


def agent(settings: Settings, base: wiring.Base, *, trace: Trace = no_trace) -> AgentParts:
    """Build the agent of this host; nothing is started."""
    host = kernel_host(settings)
    agency = Agency(
        node=NodeId(settings.node),
        host=host,
        claims=FileClaims(settings.state / "claims"),
        database=base.database,
        events=base.events,
        clock=wiring.utc_now,
        boot=_BOOT.read_text().strip(),
        trace=trace,
    )
    signals, later = Signals(), Later()
    pool = Pool(host, wanted=lambda: pool_sizes(settings, host))
    placing = Placing(agency, pool, later=later)
    hosting = Hosting(agency, placing, look=signals.look)
    return AgentParts(
        agent=Agent(
            agency=agency,
            pool=pool,
            tidying=Tidying(
                agency, pool, placing, warm_up=lambda place: later(lambda: pool.warm_up_or_give_up(place))
            ),
            beating=Beating(
                agency,
                epoch=new_epoch(),
                capacity=settings.capacity,
                memory_mb=machine_memory_mb(),
                warm=lambda: sum(pool.ready().values()),
            ),
            supervisor=Supervisor(hosting, signals),
            later=later,
        ),
        agency=agency,
        hosting=hosting,
        pool=pool,
        signals=signals,
    )


def pool_sizes(settings: Settings, host: KernelHost) -> dict[PoolKey, int]:
    """Return how many warm places are wanted by what they really get here."""
    sizes: dict[PoolKey, int] = {}
    for text, count in settings.pool.items():
        name, _, network = text.partition("/")
        try:
            wanted = Network(network or Network.NONE.value)
        except ValueError:
            log.warning("pool_key_unknown", key=text)
            continue
        key = PoolKey(environment=name, network=host.network(wanted))
        sizes[key] = max(count, sizes.get(key, 0))
    return sizes


def run_agent(settings: Settings, *, trace: Trace = no_trace) -> None:
    """Serve this host's kernels until SIGTERM. Raises AgentRunningError."""
    lock = NodeLock(settings.state, settings.node)
    base = wiring.base(settings)
    parts = agent(settings, base, trace=trace)
    app = celery_app(settings.redis_url)
    register_wake(app, parts.signals.wake)
    parts.agent.start()
    try:
        serve(app, queue=node_queue(settings.node), threads=2, name="agent")
    finally:
        parts.agent.close()
        base.database.close()
        lock.release()


def run_scheduler(settings: Settings) -> None:
    """Do the periodic work until SIGTERM."""
    base = wiring.base(settings)
    claims = FileClaims(settings.state / "claims")

    def claimed(user_id: UserId) -> bool:
        return any(claim.user_id == user_id for claim in claims.all())

    sweeping = Sweeping(database=base.database, homes=Homes(settings), clock=wiring.utc_now, claimed=claimed)
    base.relay.start()

    def sweep() -> None:
        sweeping.sweep()
        base.relay.nudge()

    app = celery_app(settings.redis_url)
    register_sweep(app, sweep)
    try:
        scheduler.run(app)
    finally:
        base.close()


def teardown(settings: Settings) -> list[str]:
    """End every kernel of this installation and node and unmount everything; return what is left and why.

    For `make clean` and tests, while no agent runs: afterwards the state folder holds no mount point.
    """
    lock = NodeLock(settings.state, settings.node)
    host = kernel_host(settings)
    left: list[str] = []
    try:
        for place in host.places():
            host.stop(place, grace=1)
        for name in host.leftovers():
            try:
                host.detach(name)
                host.discard(name)
            except Exception as error:
                left.append(f"{name}: {error}")
        if not left:
            mounts.unmount(settings.state / "mounts")
            with contextlib.suppress(OSError):
                settings.run.rmdir()
    finally:
        host.close()
        lock.release()
    return left


def machine_memory_mb() -> int:
    """Return the machine's memory in MiB."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // (1024 * 1024)


def _docker_answers() -> bool:
    engine = DockerEngine()
    try:
        return engine.ping()
    finally:
        engine.close()
