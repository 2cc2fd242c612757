"""Kernels as records: the next step, what people may ask for, why they end, and which host takes them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiqi.domain.ids import KernelId, NodeId, UserId
from jiqi.domain.kernels import (
    BEAT_LOST,
    STOP_DEADLINE,
    Environment,
    EnvironmentUnknownError,
    HostDownError,
    HostFullError,
    Kernel,
    Network,
    Node,
    Reason,
    Status,
    Step,
    Target,
    choose_node,
    ended,
    final_status,
    losing,
    next_step,
    session_over,
    want_interrupt,
    want_restart,
    want_stop,
)
from jiqi.services.hosting_beat import capacity_by_memory

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def kernel(**changes: object) -> Kernel:
    base = Kernel(
        id=KernelId("0b9c4df3-6bee-4f97-8555-94410fd7993f"),
        user_id=UserId("u2345678"),
        project_id=None,
        document="p/a.ipynb",
        session_id="s",
        session_name="",
        session_type="notebook",
        environment="torch-cpu",
        node_id=NodeId("n1"),
        network=Network.NONE,
        safe=False,
        status=Status.REQUESTED,
        target=Target.RUNNING,
        generation=0,
        wanted=1,
        interrupts_wanted=0,
        interrupts_done=0,
        key="ab",
        prefix=None,
        warm=None,
        kernel_info=None,
        cold=False,
        shadowed=(),
        reason=None,
        created=NOW,
        changed=NOW,
        deadline=NOW + timedelta(seconds=60),
        ended=None,
    )
    return replace(base, **changes)


def ready(**changes: object) -> Kernel:
    return kernel(status=Status.READY, generation=1, deadline=None, **changes)


@pytest.mark.parametrize(
    ("record", "step"),
    [
        (kernel(), Step.CLAIM),
        (kernel(target=Target.STOPPED), Step.END),
        (kernel(status=Status.STARTING), Step.CLAIM),
        (kernel(status=Status.STARTING, target=Target.STOPPED), Step.STOP),
        (ready(), Step.NOTHING),
        (ready(target=Target.STOPPED), Step.STOP),
        (ready(wanted=2), Step.RESTART),
        (ready(interrupts_wanted=3, interrupts_done=2), Step.INTERRUPT),
        (ready(wanted=2, interrupts_wanted=1), Step.RESTART),
        (kernel(status=Status.RESTARTING, generation=1, wanted=2), Step.RESTART),
        (kernel(status=Status.RESTARTING, target=Target.STOPPED), Step.STOP),
        (kernel(status=Status.STOPPING, target=Target.STOPPED), Step.STOP),
        (kernel(status=Status.STOPPED, target=Target.STOPPED, ended=NOW), Step.NOTHING),
        (kernel(status=Status.FAILED, target=Target.STOPPED, ended=NOW), Step.NOTHING),
    ],
)
def test_the_table_of_steps(record: Kernel, step: Step) -> None:
    assert next_step(record, now=NOW) is step


@pytest.mark.parametrize("status", [Status.REQUESTED, Status.STARTING, Status.RESTARTING])
def test_every_state_on_the_way_has_a_deadline(status: Status) -> None:
    record = kernel(status=status)
    assert next_step(record, now=NOW + timedelta(seconds=61)) is Step.FAIL
    assert next_step(replace(record, target=Target.STOPPED), now=NOW + timedelta(days=1)) is not Step.FAIL


def test_asking_twice_for_a_restart_is_one_restart() -> None:
    once = want_restart(ready(), now=NOW)
    assert once.wanted == 2
    assert once.deadline is not None
    assert want_restart(once, now=NOW + timedelta(seconds=1)) is once
    assert want_restart(kernel(), now=NOW).wanted == 1


def test_the_first_reason_stays() -> None:
    asked = want_stop(ready(), reason=Reason.GUEST_TIME, now=NOW)
    assert asked.deadline == NOW + STOP_DEADLINE
    over = ended(
        want_stop(asked, reason=Reason.USER, now=NOW), status=Status.STOPPED, reason=Reason.USER, now=NOW
    )
    assert over.reason is Reason.GUEST_TIME
    assert not over.live
    assert next_step(over, now=NOW) is Step.NOTHING


def test_a_lost_kernel_tells_at_once_and_is_released_after() -> None:
    lost = losing(ready(), reason=Reason.OOM, now=NOW, peak_mb=300, limit_mb=300)
    assert (lost.status, lost.reason, lost.reason_params) == (
        Status.STOPPING,
        Reason.OOM,
        {"peak_mb": 300, "limit_mb": 300},
    )
    assert lost.live
    assert next_step(lost, now=NOW) is Step.STOP
    # A second trouble on the way out changes neither reason nor figures.
    assert losing(lost, reason=Reason.EXITED, now=NOW, code=1).reason_params == lost.reason_params


def test_what_nobody_wanted_is_a_failure() -> None:
    wanted = {Reason.USER, Reason.GUEST_TIME, Reason.ACCOUNT, None}
    for reason in (*Reason, None):
        assert final_status(reason) is (Status.STOPPED if reason in wanted else Status.FAILED)


def test_a_session_ends_by_role() -> None:
    assert not session_over(ready(), most=None, now=NOW + timedelta(days=99))
    assert not session_over(ready(), most=timedelta(hours=2), now=NOW + timedelta(minutes=119))
    assert session_over(ready(), most=timedelta(hours=2), now=NOW + timedelta(hours=2))
    assert not session_over(ready(target=Target.STOPPED), most=timedelta(0), now=NOW)


_WISHES = st.lists(st.sampled_from(["restart", "interrupt", "stop", "die", "step"]), max_size=30)


@given(_WISHES)
def test_whatever_is_asked_in_any_order_the_agent_comes_to_rest(wishes: list[str]) -> None:
    """Play the agent: each step does what it says; in the end nothing is left to do and the wish is met."""
    record = kernel()
    for wish in wishes:
        if not record.live:
            break
        if wish == "restart":
            record = want_restart(record, now=NOW)
        elif wish == "interrupt":
            record = want_interrupt(record, now=NOW)
        elif wish == "stop":
            record = want_stop(record, reason=Reason.USER, now=NOW)
        elif wish == "die" and record.status is Status.READY:
            record = losing(record, reason=Reason.EXITED, now=NOW)
        else:
            record = _act(record)
    for _ in range(10):
        record = _act(record)
    assert next_step(record, now=NOW) is Step.NOTHING
    assert (record.status is Status.READY) is (record.target is Target.RUNNING)
    if record.live:
        assert record.generation == record.wanted
        assert record.interrupts_done == record.interrupts_wanted


def _act(record: Kernel) -> Kernel:  # noqa: PLR0911  (a step each)
    match next_step(record, now=NOW):
        case Step.NOTHING:
            return record
        case Step.CLAIM:
            if record.status is Status.REQUESTED:
                return replace(record, status=Status.STARTING)
            return replace(record, status=Status.READY, generation=record.wanted, deadline=None)
        case Step.RESTART:
            return replace(record, status=Status.READY, generation=record.wanted, deadline=None)
        case Step.INTERRUPT:
            return replace(record, interrupts_done=record.interrupts_wanted)
        case Step.STOP if record.status is not Status.STOPPING:
            return replace(record, status=Status.STOPPING)
        case Step.STOP | Step.END | Step.FAIL:
            reason = record.reason or Reason.START_TIMEOUT
            return ended(record, status=final_status(reason), reason=reason, now=NOW)


def environment(name: str = "torch-cpu", memory_mb: int = 2048) -> Environment:
    return Environment(
        name=name, version="1", digest="d", framework="torch", accelerator="cpu", display={},
        memory_mb=memory_mb, shm_mb=64, cpus=1.0,
    )  # fmt: skip


def node(name: str, **changes: object) -> Node:
    base = Node(
        id=NodeId(name),
        kind="docker",
        isolates=True,
        capacity=2,
        environments=(environment(),),
        beat=NOW,
        epoch="e",
    )
    return replace(base, **changes)


def choose(nodes: list[Node], used: dict[str, int] | None = None, name: str = "torch-cpu") -> NodeId:
    taken = {NodeId(key): count for key, count in (used or {}).items()}
    return choose_node(nodes, environment=name, used=taken, now=NOW).id


def test_the_least_filled_host_takes_the_kernel() -> None:
    assert choose([node("a"), node("b")], {"a": 1}) == "b"
    assert choose([node("a", capacity=10), node("b")], {"a": 3, "b": 1}) == "a"


def test_the_nearest_true_reason_is_given() -> None:
    with pytest.raises(EnvironmentUnknownError) as unknown:
        choose([node("a")], name="nothing")
    assert unknown.value.params["known"] == ["torch-cpu"]
    with pytest.raises(HostFullError):
        choose([node("a")], {"a": 2})
    with pytest.raises(HostDownError) as down:
        choose([node("a", problem="docker.down")])
    assert down.value.params["problem"] == "docker.down"
    with pytest.raises(HostDownError) as silent:
        choose([node("a", beat=NOW - BEAT_LOST - timedelta(seconds=1))])
    assert silent.value.params["problem"] == "agent.silent"


@pytest.mark.parametrize(("memory", "count"), [(24_105, 11), (3_000, 1), (500, 1), (9_300, 4)])
def test_a_host_takes_as_many_kernels_as_its_memory_holds(memory: int, count: int) -> None:
    assert capacity_by_memory(memory, (environment(), environment("small", 100))) == count
