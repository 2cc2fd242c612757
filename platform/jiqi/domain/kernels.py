"""Kernels as records with a wanted and an actual state, and the one next step between them.

The web process writes what is wanted (`target`, `wanted`, `interrupts_wanted`); only the agent of the
record's node writes what is (`status`, `generation`, `interrupts_done`). `next_step` is the whole policy.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import assert_never

from jiqi.domain.errors import JiqiError, UnavailableError
from jiqi.domain.ids import KernelId, NodeId, ProjectId, UserId, WarmName


class Status(StrEnum):
    """What a kernel is."""

    REQUESTED = "requested"
    STARTING = "starting"
    READY = "ready"
    RESTARTING = "restarting"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAILED = "failed"


class Target(StrEnum):
    """What a kernel should be."""

    RUNNING = "running"
    STOPPED = "stopped"


class Network(StrEnum):
    """What a container may reach."""

    NONE = "none"
    EGRESS = "egress"


class Reason(StrEnum):
    """Why a kernel ended or could not start; words by code `end.<value>`."""

    USER = "user"
    EXITED = "exited"
    OOM = "oom"
    HOST_RESTARTED = "host_restarted"
    HOST_DOWN = "host_down"
    IMAGE_MISSING = "image_missing"
    START_FAILED = "start_failed"
    START_TIMEOUT = "start_timeout"
    DISK_FULL = "disk_full"
    GUEST_TIME = "guest_time"
    ACCOUNT = "account"


class Step(StrEnum):
    """What the agent does next for one kernel."""

    NOTHING = "nothing"
    CLAIM = "claim"
    RESTART = "restart"
    INTERRUPT = "interrupt"
    STOP = "stop"
    END = "end"
    FAIL = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """One kernel. `document` is a path below the person's home, or None for a kernel without a file.

    `prefix` is the host path before `-1`…`-5` of the five sockets; `key` signs messages; `version`
    grows with every write and makes writes compare-and-set.
    """

    id: KernelId
    user_id: UserId
    project_id: ProjectId | None
    document: str | None
    session_id: str
    session_name: str
    session_type: str
    environment: str
    node_id: NodeId
    network: Network
    safe: bool
    status: Status
    target: Target
    generation: int
    wanted: int
    interrupts_wanted: int
    interrupts_done: int
    key: str
    prefix: str | None
    warm: WarmName | None
    kernel_info: dict[str, object] | None
    cold: bool
    shadowed: tuple[str, ...]
    reason: Reason | None
    reason_params: dict[str, object] = field(default_factory=dict)
    created: datetime
    changed: datetime
    deadline: datetime | None
    ended: datetime | None
    version: int = 0

    @property
    def live(self) -> bool:
        """Whether the record still holds its document."""
        return self.ended is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """One image a node can run, as its agent reports it."""

    name: str
    version: str
    digest: str
    framework: str
    accelerator: str
    display: dict[str, str]
    memory_mb: int
    shm_mb: int
    cpus: float
    preload: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One host of kernels. `problem` is a stable code while it cannot start any, such as `docker.down`; `warm` kernels stand ready."""

    id: NodeId
    kind: str
    isolates: bool
    capacity: int
    environments: tuple[Environment, ...]
    beat: datetime
    epoch: str
    problem: str | None = None
    warm: int = 0


class EnvironmentUnknownError(JiqiError):
    """No host has an image of this name; `known` lists what there is."""

    code = "environment.unknown"
    status = 400


class KernelLimitError(JiqiError):
    """The person has as many kernels as the role allows; `kernels` lists them."""

    code = "kernel.limit"
    status = 409


class HostFullError(JiqiError):
    """Every host runs as many kernels as it may."""

    code = "host.full"
    status = 503


class HostDownError(UnavailableError):
    """No agent has reported within `BEAT_LOST`, or the host says why it cannot start kernels."""

    code = "host.down"


class KernelGoneError(JiqiError):
    """The kernel has ended; `reason` says why."""

    code = "kernel.gone"
    status = 410


START_DEADLINE = timedelta(seconds=60)
RESTART_DEADLINE = timedelta(seconds=60)
STOP_DEADLINE = timedelta(seconds=60)
BEAT = timedelta(seconds=3)
BEAT_LOST = timedelta(seconds=15)


def next_step(kernel: Kernel, *, now: datetime) -> Step:  # noqa: PLR0911  (a row of the table each)
    """Return the one step that brings `kernel` nearer to what is wanted."""
    late = kernel.deadline is not None and now > kernel.deadline
    match kernel.status:
        case Status.STOPPED | Status.FAILED:
            return Step.NOTHING
        case Status.REQUESTED:
            if kernel.target is Target.STOPPED:
                return Step.END
            return Step.FAIL if late else Step.CLAIM
        case Status.STARTING:
            if kernel.target is Target.STOPPED:
                return Step.STOP
            return Step.FAIL if late else Step.CLAIM
        case Status.READY:
            return _next_when_ready(kernel)
        case Status.RESTARTING:
            if kernel.target is Target.STOPPED:
                return Step.STOP
            return Step.FAIL if late else Step.RESTART
        case Status.STOPPING:
            return Step.STOP
    assert_never(kernel.status)


def _next_when_ready(kernel: Kernel) -> Step:
    if kernel.target is Target.STOPPED:
        return Step.STOP
    if kernel.wanted > kernel.generation:
        return Step.RESTART
    if kernel.interrupts_wanted > kernel.interrupts_done:
        return Step.INTERRUPT
    return Step.NOTHING


def want_restart(kernel: Kernel, *, now: datetime) -> Kernel:
    """Return `kernel` asked to restart; asking again while a restart is under way changes nothing."""
    if kernel.wanted > max(kernel.generation, 1) or kernel.status in {Status.REQUESTED, Status.STARTING}:
        return kernel
    return replace(kernel, wanted=kernel.generation + 1, deadline=now + RESTART_DEADLINE, changed=now)


def want_interrupt(kernel: Kernel, *, now: datetime) -> Kernel:
    """Return `kernel` asked for one more interrupt."""
    return replace(kernel, interrupts_wanted=kernel.interrupts_wanted + 1, changed=now)


def want_stop(kernel: Kernel, *, reason: Reason, now: datetime) -> Kernel:
    """Return `kernel` asked to stop; the first reason stays."""
    return replace(
        kernel,
        target=Target.STOPPED,
        reason=kernel.reason or reason,
        deadline=now + STOP_DEADLINE,
        changed=now,
    )


def ended(kernel: Kernel, *, status: Status, reason: Reason, now: datetime, **params: object) -> Kernel:
    """Return `kernel` as over, with the first reason that was given."""
    return replace(
        kernel,
        status=status,
        target=Target.STOPPED,
        reason=kernel.reason or reason,
        reason_params=kernel.reason_params or params,
        changed=now,
        ended=now,
        deadline=None,
    )


def losing(kernel: Kernel, *, reason: Reason, now: datetime, **params: object) -> Kernel:
    """Return `kernel` on its way out for a reason that nobody asked for: told at once, released after."""
    return replace(
        want_stop(kernel, reason=reason, now=now),
        status=Status.STOPPING,
        reason_params=kernel.reason_params or params,
    )


def final_status(reason: Reason | None) -> Status:
    """Return what a kernel is in the end: stopped when that was somebody's will, else failed."""
    match reason:
        case Reason.USER | Reason.GUEST_TIME | Reason.ACCOUNT | None:
            return Status.STOPPED
        case (
            Reason.EXITED
            | Reason.OOM
            | Reason.HOST_RESTARTED
            | Reason.HOST_DOWN
            | Reason.IMAGE_MISSING
            | Reason.START_FAILED
            | Reason.START_TIMEOUT
            | Reason.DISK_FULL
        ):
            return Status.FAILED
    assert_never(reason)


def session_over(kernel: Kernel, *, most: timedelta | None, now: datetime) -> bool:
    """Say whether a kernel has run for as long as its person's role allows (`most`; None is for ever)."""
    return most is not None and kernel.target is Target.RUNNING and now - kernel.created >= most


def choose_node(nodes: list[Node], *, environment: str, used: dict[NodeId, int], now: datetime) -> Node:
    """Return the least filled host that can start `environment` now.

    Raises EnvironmentUnknownError, HostDownError or HostFullError: always the nearest true reason.
    """
    having = [node for node in nodes if any(e.name == environment for e in node.environments)]
    fresh = [node for node in having if now - node.beat <= BEAT_LOST]
    if not having and any(now - node.beat <= BEAT_LOST and node.problem is None for node in nodes):
        known = sorted({e.name for node in nodes for e in node.environments})
        raise EnvironmentUnknownError(environment=environment, known=known)
    working = [node for node in fresh if node.problem is None]
    if not working:
        problem = next((node.problem for node in fresh if node.problem), "agent.silent")
        raise HostDownError(problem=problem)
    room = [node for node in working if used.get(node.id, 0) < node.capacity]
    if not room:
        raise HostFullError(capacity=sum(node.capacity for node in working))
    return min(room, key=lambda node: (used.get(node.id, 0) / node.capacity, node.id))
