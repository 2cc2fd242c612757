"""Kernels through SQL, outbox, Celery and the agent, on both hosts: start, use, restart, end, and why they ended."""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.integration.agent_world import World, wait_until, world

from jiqi import wiring
from jiqi.domain.accounts import Role
from jiqi.domain.ids import NodeId
from jiqi.domain.kernels import Reason, Status


@pytest.fixture(scope="module", params=[pytest.param("docker", marks=pytest.mark.docker), "process"])
def ground(request: pytest.FixtureRequest) -> Iterator[World]:
    if request.param == "docker":
        request.getfixturevalue("tiny_image")
    pool = "tiny/none=1,tiny/egress=1" if request.param == "docker" else "tiny/egress=1"
    with world(request.param, pool=pool) as made:
        made.await_agent(made.start_agent(), warm=1)
        yield made


def test_an_open_notebook_gets_a_kernel_that_runs_its_code(ground: World) -> None:
    user = ground.person(Role.GUEST)
    kernel = ground.open(user, "p/a.ipynb")
    assert kernel.status is Status.REQUESTED
    kernel = ground.ready(kernel.id)
    assert kernel.generation == 1
    assert kernel.deadline is None
    assert kernel.reason is None
    assert kernel.kernel_info is not None
    assert kernel.kernel_info["status"] == "ok"
    code = "import os; print(os.getcwd().endswith('/p'), os.environ['JIQI_LANG'], os.environ['JPY_SESSION_NAME'])"
    assert ground.run(kernel, code) == "True zh-CN p/a.ipynb"
    code = "import os; print(os.environ['JIQI_NETWORK'], sorted(os.listdir('.')))"
    network = "none" if ground.settings.host == "docker" else "egress"
    assert ground.run(kernel, code) == f"{network} ['a.ipynb', 'deep', '数据 1.csv']"
    assert kernel.network == network
    ground.base.kernels.stop(user.id, kernel.id)
    ended = ground.stopped(kernel.id)
    assert ended.status is Status.STOPPED
    assert ended.reason is Reason.USER


def test_a_restart_keeps_the_sockets_and_an_interrupt_the_variables(ground: World) -> None:
    user = ground.person()
    kernel = ground.ready(ground.open(user).id)
    assert ground.run(kernel, "x = 5") == ""
    ground.base.kernels.interrupt(user.id, kernel.id)
    wait_until(lambda: ground.kernel(kernel.id).interrupts_done == 1)
    assert ground.run(kernel, "print(x)") == "5"
    ground.base.kernels.restart(user.id, kernel.id)
    newer = wait_until(lambda: _ready_at(ground, kernel.id, 2), what=ground.log)
    assert (newer.prefix, newer.key) == (kernel.prefix, kernel.key)
    assert ground.run(newer, "print('x' in globals())") == "False"
    ground.base.kernels.stop(user.id, kernel.id)
    ground.stopped(kernel.id)


def _ready_at(ground: World, kernel_id, generation: int):
    kernel = ground.kernel(kernel_id)
    return kernel if kernel.status is Status.READY and kernel.generation == generation else None


@pytest.mark.parametrize(
    ("code", "params"),
    [("import os; os._exit(7)", {"code": 7}), ("import os; os.kill(os.getpid(), 11)", {"signal": 11})],
)
def test_a_dead_kernel_says_why_and_is_not_started_again(ground: World, code: str, params: dict) -> None:
    user = ground.person()
    kernel = ground.ready(ground.open(user).id)
    with ground.client(kernel) as client:
        client.execute(code)
        ended = ground.stopped(kernel.id, seconds=20)
    assert (ended.status, ended.reason, ended.reason_params) == (Status.FAILED, Reason.EXITED, params)
    again = ground.open(user)
    assert again.id != kernel.id
    assert ground.run(ground.ready(again.id), "print('fresh')") == "fresh"
    ground.base.kernels.stop(user.id, again.id)
    ground.stopped(again.id)


def test_a_kernel_that_is_stopped_while_it_starts_goes_at_once(ground: World) -> None:
    user = ground.person()
    kernel = ground.open(user, environment="tiny")
    ground.base.kernels.stop(user.id, kernel.id)
    assert ground.stopped(kernel.id, seconds=30).reason is Reason.USER


def test_a_start_that_hangs_can_be_stopped(ground: World) -> None:
    """The fork server of the warm place is frozen: the start waits, and a stop does not wait for it."""
    ground.await_pool()
    rows = {k.warm for k in ground.base.database.read(lambda tx: tx.kernels.live_of_node(NodeId("n1")))}
    frozen = [place for place in ground.places() if place.name not in rows]
    for place in frozen:
        for pid in ground.pids(place):
            os.kill(pid, signal.SIGSTOP)
    user = ground.person(Role.GUEST)
    kernel = ground.open(user)
    ground.until(kernel.id, Status.STARTING)
    wait_until(lambda: ground.has_logged("step=claim.mounted", "") and ground.claims(), what="the claim")
    began = time.monotonic()
    ground.base.kernels.stop(user.id, kernel.id)
    assert ground.stopped(kernel.id, seconds=30).reason is Reason.USER
    assert time.monotonic() - began < 15
    for place in frozen:
        for pid in ground.pids(place):
            os.kill(pid, signal.SIGCONT)


def test_a_guests_time_ends_and_a_disabled_accounts_kernels_stop(ground: World) -> None:
    guest, member = ground.person(Role.GUEST), ground.person()
    first = ground.ready(ground.open(guest).id)
    second = ground.ready(ground.open(member).id)

    def age(tx) -> None:
        kernel = tx.kernels.get(first.id)
        tx.kernels.save(replace(kernel, created=kernel.created - timedelta(hours=2, minutes=1)))
        tx.users.save(replace(member, disabled=True))

    ground.base.database.write(age)
    assert ground.stopped(first.id, seconds=20).reason is Reason.GUEST_TIME
    assert ground.stopped(second.id, seconds=20).reason is Reason.ACCOUNT
    assert ground.hashes(guest)


def test_an_image_that_the_node_lost_is_the_reason(ground: World) -> None:
    def rename(tx) -> None:
        tx.kernels.save(replace(tx.kernels.get(kernel.id), environment="gone"))

    # Between the admission and the agent's look, as after `docker rmi`.
    agent = ground.agents[0]
    agent.send_signal(signal.SIGSTOP)
    kernel = ground.open(ground.person(), "p/b.ipynb")
    ground.base.database.write(rename)
    agent.send_signal(signal.SIGCONT)
    ended = ground.stopped(kernel.id, seconds=30)
    assert (ended.status, ended.reason) == (Status.FAILED, Reason.IMAGE_MISSING)


def test_a_second_agent_of_the_node_is_refused(ground: World) -> None:
    second = ground.start_agent()
    assert second.wait(timeout=60) == 3
    ground.agents.remove(second)
    assert ground.agents[0].poll() is None
    assert "agent.running" in ground.log()


def test_a_kernel_and_the_pool_outlive_the_agent(ground: World) -> None:
    """kill -9: the running cell goes on, variables stay, the warm place is adopted and not made again."""
    user = ground.person()
    kernel = ground.ready(ground.open(user).id)
    ground.await_pool()
    with ground.client(kernel) as client:
        client.execute("import time\nfor i in range(60):\n    time.sleep(0.1)\nkept = i")
        before = {place.ref for place in ground.places()}
        ground.end_agent(ground.agents[0], number=signal.SIGKILL)
        ground.await_agent(ground.start_agent())
        after = {place.ref for place in ground.places()}
        assert before <= after
        assert client.get_shell_msg(timeout=60)["content"]["status"] == "ok"
    assert ground.run(kernel, "print(kept)") == "59"
    # The new agent notices its end like its own kernels'.
    with ground.client(kernel) as client:
        client.execute("import os; os._exit(4)")
        assert ground.stopped(kernel.id, seconds=20).reason_params == {"code": 4}


def test_a_person_who_is_gone_leaves_no_kernel(ground: World) -> None:
    user = ground.person()
    kernel = ground.ready(ground.open(user).id)
    ground.base.database.write(lambda tx: tx.users.delete(user.id))
    wait_until(lambda: kernel.warm not in {place.name for place in ground.places()}, what="the orphan's end")
    wait_until(lambda: kernel.warm not in {claim.name for claim in ground.claims()})
    assert ground.hashes(user)


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL])
def test_a_frozen_or_dead_broker_costs_one_poll(ground: World, number: int) -> None:
    user = ground.person()
    ground.await_pool()
    ground.broker.signal(number)
    try:
        began = time.monotonic()
        kernel = ground.open(user)
        assert time.monotonic() - began < 2
        kernel = ground.ready(kernel.id, seconds=15)
        seconds = time.monotonic() - began
        assert seconds < 8
        ground.base.kernels.stop(user.id, kernel.id)
        ground.stopped(kernel.id, seconds=15)
    finally:
        ground.broker.signal(signal.SIGCONT)
        if number == signal.SIGKILL:
            ground.broker.stop(until=time.monotonic() + 5)
            ground.broker.start()


def test_wake_ups_work_again_after_the_broker_is_back(ground: World) -> None:
    user = ground.person()
    ground.await_pool()
    kernel = ground.ready(ground.open(user).id)
    wait_until(lambda: ground.has_logged("kernel_ready", kernel.id))
    ground.base.kernels.stop(user.id, kernel.id)
    ground.stopped(kernel.id)


def test_the_node_says_what_it_has(ground: World) -> None:
    node = wait_until(ground.fresh_node)
    assert node.kind == ground.settings.host
    assert node.isolates is (node.kind == "docker")
    assert [environment.name for environment in node.environments] == ["tiny"]
    assert node.problem is None
    assert node.capacity == 8
    assert wiring.utc_now() - node.beat < timedelta(seconds=10)
