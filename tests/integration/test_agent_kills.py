"""kill -9 of the agent between every two steps of claim, restart and release: nothing of a home is lost."""

from collections.abc import Iterator

import pytest
from tests.integration.agent_world import World, wait_until, world

from jiqi.domain.accounts import Role, User
from jiqi.domain.ids import KernelId
from jiqi.domain.kernels import Status

CLAIM = ("claim.row", "claim.file", "claim.mounted", "claim.started", "claim.ready")
RESTART = ("restart.row", "restart.started")
RELEASE = ("release.stopped", "release.unmounted", "release.folders", "release.claim", "release.ended")


@pytest.fixture(params=[pytest.param("docker", marks=pytest.mark.docker), "process"])
def ground(request: pytest.FixtureRequest) -> Iterator[World]:
    if request.param == "docker":
        request.getfixturevalue("tiny_image")
    with world(request.param, pool="tiny/none=1" if request.param == "docker" else "tiny/egress=1") as made:
        yield made


def _check_settled(ground: World, user: User, kernel_id: KernelId, hashes: dict[str, str]) -> None:
    """The kernel is ready, has its home, and is the only one with a claim and a mounted home."""
    kernel = ground.ready(kernel_id)
    assert ground.run(kernel, "import os; print(sorted(os.listdir(os.environ['HOME'])))") == "['p']"
    claims = ground.claims()
    assert [(claim.kernel_id, claim.name) for claim in claims] == [(kernel_id, kernel.warm)]
    homes = [point for point in ground.mounted() if point.endswith("/jiqi")]
    assert len(homes) == (1 if ground.settings.host == "docker" else 0)
    assert ground.hashes(user) == hashes


def _check_gone(ground: World, user: User, kernel_id: KernelId, hashes: dict[str, str]) -> None:
    """Nothing of the kernel is left but the row that says why."""
    kernel = ground.stopped(kernel_id)
    assert kernel.status is Status.STOPPED
    assert kernel.reason == "user"
    assert kernel.ended is not None
    wait_until(lambda: not ground.claims(), what="no claim file")
    wait_until(lambda: not [p for p in ground.mounted() if p.endswith("/jiqi")], what="no mounted home")
    assert ground.hashes(user) == hashes


@pytest.mark.slow
def test_the_agent_may_be_killed_between_any_two_steps(ground: World) -> None:
    user = ground.person(Role.MEMBER)
    hashes = ground.hashes(user)
    agent = ground.start_agent()
    ground.await_agent(agent, warm=1)
    for number, step in enumerate(CLAIM + RESTART + RELEASE):
        ground.kill_at(step)
        kernel = ground.open(user, f"p/{number}.ipynb")
        if step not in CLAIM:
            ground.ready(kernel.id)
            if step in RESTART:
                ground.base.kernels.restart(user.id, kernel.id)
            else:
                ground.base.kernels.stop(user.id, kernel.id)
        ground.await_killed(agent, seconds=120)
        assert ground.hashes(user) == hashes, step
        agent = ground.start_agent()
        if step not in RELEASE:
            _check_settled(ground, user, kernel.id, hashes)
            if step in RESTART:
                wait_until(lambda: ground.kernel(kernel.id).generation == 2, what="the restart")  # noqa: B023
            ground.base.kernels.stop(user.id, kernel.id)
        _check_gone(ground, user, kernel.id, hashes)
        if step != "release.ended":
            # The step's own trace comes after the row: the next kill must not hit this kernel's.
            wait_until(lambda: ground.has_logged("kernel_ended", kernel.id), what=ground.log)  # noqa: B023
    # A kernel started cold has one more step: its container exists and nothing is claimed yet.
    ground.end_agent(agent)
    agent = ground.start_agent(JIQI_POOL="tiny/none=0")
    ground.kill_at("claim.created")
    _drain(ground)
    kernel = ground.open(user, "p/cold.ipynb")
    ground.await_killed(agent, seconds=120)
    ground.start_agent(JIQI_POOL="tiny/none=0")
    _check_settled(ground, user, kernel.id, hashes)
    ground.base.kernels.stop(user.id, kernel.id)
    _check_gone(ground, user, kernel.id, hashes)
    wait_until(lambda: not ground.mounted(), what="no run directory")


def _drain(ground: World) -> None:
    """Wait until the agent without a pool has removed what the last one kept warm."""
    wait_until(lambda: not ground.places(), what="no warm place")
