"""Docker stopped, stuck and back: the node says so, what lives goes on, and nobody waits for ever."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from tests.integration.agent_world import World, wait_until, world
from tests.integration.docker_door import DockerDoor

from jiqi import wiring
from jiqi.domain.kernels import HostDownError, Reason, Status

pytestmark = pytest.mark.docker


@pytest.fixture(scope="module")
def ground(tiny_image: None) -> Iterator[World]:
    with world("docker") as made:
        yield made


@pytest.fixture(scope="module")
def door(ground: World) -> Iterator[DockerDoor]:
    made = DockerDoor(ground.settings.state / "docker.sock")
    try:
        ground.await_agent(ground.start_agent(DOCKER_HOST=made.url), warm=1)
        yield made
    finally:
        made.shut()


def problem(ground: World) -> str | None:
    node = ground.fresh_node()
    return node.problem if node is not None else "no beat"


@pytest.mark.parametrize("way", ["shut", "stick"])
def test_a_node_without_docker_says_so_and_comes_back(ground: World, door: DockerDoor, way: str) -> None:
    user = ground.person()
    kernel = ground.ready(ground.open(user, f"p/{way}.ipynb").id)
    assert ground.run(kernel, "x = 1") == ""
    getattr(door, way)()
    try:
        wait_until(lambda: problem(ground) == "docker.down", seconds=30, what=ground.log)
        node = next(iter(ground.base.database.read(lambda tx: tx.nodes.all())))
        assert wiring.utc_now() - node.beat < timedelta(seconds=12), "the beat goes on"
        with pytest.raises(HostDownError) as down:
            ground.open(ground.person())
        assert down.value.params["problem"] == "docker.down"
        # The kernel itself needs no Docker to go on.
        assert ground.run(kernel, "print(x)") == "1"
        assert ground.kernel(kernel.id).status is Status.READY
        ground.base.kernels.stop(user.id, kernel.id)
        wait_until(lambda: ground.kernel(kernel.id).status is Status.STOPPING)
    finally:
        door.open()
    assert ground.stopped(kernel.id, seconds=40).reason is Reason.USER
    wait_until(lambda: problem(ground) is None, seconds=30)
    wait_until(lambda: not ground.claims())


def test_a_start_that_docker_never_answers_ends_with_the_reason(ground: World, door: DockerDoor) -> None:
    """Admitted in the moment before Docker went away."""
    from dataclasses import replace

    user = ground.person()
    door.shut()
    try:
        kernel = ground.open(user, "p/late.ipynb")

        def hurry(tx) -> None:
            tx.kernels.save(
                replace(tx.kernels.get(kernel.id), deadline=wiring.utc_now() + timedelta(seconds=4))
            )

        ground.base.database.write(hurry)
        wait_until(lambda: ground.kernel(kernel.id).reason is Reason.HOST_DOWN, seconds=30, what=ground.log)
    finally:
        door.open()
    assert ground.stopped(kernel.id, seconds=60).status is Status.FAILED


def test_an_image_that_was_replaced_refreshes_the_pool(ground: World, door: DockerDoor) -> None:
    import docker
    from tests.integration.agent_world import TINY_TAG, tag_tiny, torch_image

    ground.await_pool()
    client = docker.from_env()
    made = client.containers.create(torch_image(), "true")
    image = made.commit(changes="LABEL jiqi.test=1")
    name, _, tag = TINY_TAG.partition(":")
    try:
        old = {place.ref for place in ground.places()}
        image.tag(name, tag)
        wait_until(lambda: ground.has_logged("place_removed", "image_replaced"), seconds=60, what=ground.log)
        ground.await_pool()
        fresh = ground.places()
        assert fresh
        assert not old & {place.ref for place in fresh}
        assert {place.digest for place in fresh} == {image.id}
    finally:
        made.remove()
        tag_tiny()
        wait_until(lambda: not [p for p in ground.places() if p.digest == image.id], seconds=60)
        client.images.remove(image.id, force=True)
        client.close()
