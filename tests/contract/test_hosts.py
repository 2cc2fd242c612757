"""What every kernel host promises, asked of Docker and of plain processes."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.contract.host_ground import Ground, connected, host_ground, run
from tests.integration.agent_world import tag_tiny, wait_until

from jiqi.domain.kernels import Network
from jiqi.services.hosting_base import new_name
from jiqi.services.ports_hosts import (
    CancelledError,
    PlaceLostError,
    PoolKey,
    StartRefusedError,
    StartTimeoutError,
)

HOSTS = [pytest.param("docker", marks=pytest.mark.docker), "process"]


@pytest.fixture(scope="module", params=HOSTS)
def ground(request: pytest.FixtureRequest) -> Iterator[Ground]:
    if request.param == "docker":
        tag_tiny()
    with host_ground(request.param) as made:
        yield made


def test_a_place_becomes_a_kernel_that_runs_in_the_home_of_its_person(ground: Ground) -> None:
    """Create, attach, start, run: the file lands in the home, with the shared group."""
    user_id = ground.person()
    place, order, started = ground.claimed(user_id)
    assert started.kernel_info["status"] == "ok"
    assert started.kernel_info["implementation"] == "ipython"
    assert not started.cold
    assert started.shadowed == ()
    assert (
        run(started, "import os; open('见.txt','w').write('1'); print(os.environ['HOME'] == os.getcwd())")
        == "True"
    )
    path = ground.settings.homes / user_id / "见.txt"
    assert path.read_text() == "1"
    if ground.host.isolates:
        assert path.stat().st_gid == ground.settings.kernel_gid
        assert path.stat().st_mode & 0o070 == 0o060
    assert ground.host.outcome(place, kernel_id=order.kernel_id, generation=1) is None
    ground.remove(place)


def test_it_begins_in_the_folder_of_its_document_or_in_the_home_when_that_is_gone(ground: Ground) -> None:
    user_id = ground.person()
    folder = ground.settings.homes / user_id / "我的 项目"
    folder.mkdir()
    os.chown(folder, ground.settings.kernel_uid, -1)
    place = ground.place()
    ground.host.attach(place, user_id)
    started = ground.host.start(place, ground.order(user_id, folder="我的 项目"), seconds=60)
    assert run(started, "import os; print(os.path.basename(os.getcwd()))") == "我的 项目"
    ground.remove(place)
    place = ground.place()
    ground.host.attach(place, user_id)
    started = ground.host.start(place, ground.order(user_id, folder="no/such"), seconds=60)
    assert run(started, "import os; print(os.environ['HOME'] == os.getcwd())") == "True"
    ground.remove(place)


def test_the_same_generation_again_is_the_running_kernel_and_a_higher_one_replaces_it(ground: Ground) -> None:
    place, order, started = ground.claimed()
    pid = run(started, "x = 1; import os; print(os.getpid())")
    again = ground.host.start(place, order, seconds=60)
    assert again.prefix == started.prefix
    assert run(again, "print(x, os.getpid())") == f"1 {pid}"
    newer = ground.host.start(place, replace(order, generation=2), seconds=60)
    assert newer.prefix == started.prefix
    assert run(newer, "print('x' in globals())") == "False"
    ground.remove(place)


def test_an_interrupt_ends_the_cell_and_not_the_kernel(ground: Ground) -> None:
    place, order, started = ground.claimed()
    with connected(started) as client:
        running = threading.Event()
        message_id = client.execute("import time\nprint('go')\ntime.sleep(600)")
        while not running.is_set():
            message = client.get_iopub_msg(timeout=20)
            if message["msg_type"] == "stream":
                running.set()
        ground.host.interrupt(place)
        reply = wait_until(lambda: client.get_shell_msg(timeout=20))
        assert reply["parent_header"]["msg_id"] == message_id
        assert reply["content"]["ename"] == "KeyboardInterrupt"
    assert ground.host.outcome(place, kernel_id=order.kernel_id, generation=1) is None
    ground.remove(place)


@pytest.mark.parametrize(
    ("code", "expected"),
    [("import os; os._exit(3)", (3, None)), ("import os, signal; os.kill(os.getpid(), 9)", (None, 9))],
)
def test_an_ended_kernel_says_how_and_the_watcher_tells_at_once(
    ground: Ground, code: str, expected: tuple[int | None, int | None]
) -> None:
    place, order, started = ground.claimed()
    told = threading.Event()
    ground.host.watch(place, changed=told.set)
    assert ground.host.watched() >= {place.name}
    with connected(started) as client:
        client.execute(code)
        assert told.wait(10)
    gone = wait_until(lambda: ground.host.outcome(place, kernel_id=order.kernel_id, generation=1), seconds=10)
    assert (gone.code, gone.signal) == expected
    assert not gone.lost
    assert not gone.oom
    ground.remove(place)


def test_a_place_that_ended_is_lost_and_told(ground: Ground) -> None:
    place, order, _ = ground.claimed()
    told = threading.Event()
    ground.host.watch(place, changed=told.set)
    _kill(ground, place.ref)
    assert told.wait(10)
    gone = wait_until(lambda: ground.host.outcome(place, kernel_id=order.kernel_id, generation=1), seconds=10)
    assert gone.lost
    with pytest.raises(PlaceLostError):
        ground.host.start(place, replace(order, generation=2), seconds=5)
    ground.remove(place)


def test_places_are_found_again_by_another_host_object(ground: Ground) -> None:
    """As after a restart of the agent: same reference, same key, still usable."""
    place, order, started = ground.claimed()
    run(started, "kept = 42")
    other = type(ground.host)(ground.settings)  # type: ignore[call-arg]
    try:
        found = other.find(place.name)
        assert found == place
        assert place in other.places()
        assert run(other.start(place, order, seconds=30), "print(kept)") == "42"
        other.stop(place, grace=1)
        assert other.find(place.name) is None
    finally:
        other.close()
    ground.remove(place)


def test_stopping_lets_the_kernel_say_goodbye_and_ends_what_it_started(ground: Ground) -> None:
    user_id = ground.person()
    place, _, started = ground.claimed(user_id)
    code = """
import atexit, subprocess, os, pathlib
atexit.register(lambda: pathlib.Path('bye').write_text('x'))
child = subprocess.Popen(['sleep', '1000'], start_new_session=True)
print(open(f'/proc/{child.pid}/stat').read().split()[21])
"""
    start = run(started, code)
    assert _sleepers(start)
    ground.host.stop(place, grace=5)
    assert (ground.settings.homes / user_id / "bye").read_text() == "x"
    wait_until(lambda: not _sleepers(start), seconds=5, what="no process left")
    ground.remove(place)


def test_removing_is_harmless_in_any_state_and_leaves_nothing(ground: Ground) -> None:
    user_id = ground.person()
    home = ground.settings.homes / user_id
    (home / "kept").write_text("k")
    place, _, _ = ground.claimed(user_id)
    ground.host.attach(place, user_id)
    assert place.name in ground.host.leftovers()
    assert ground.host.is_free(place.name) is not ground.host.isolates
    ground.remove(place)
    ground.remove(place)
    assert place.name not in ground.host.leftovers()
    assert ground.host.is_free(place.name)
    assert ground.host.find(place.name) is None
    assert (home / "kept").read_text() == "k"
    ground.host.discard(new_name())
    ground.host.detach(new_name())


def test_waiting_for_a_place_can_be_cancelled_and_has_an_end(ground: Ground) -> None:
    key = PoolKey(environment="tiny", network=ground.host.network(Network.NONE))
    place = ground.host.create(new_name(), key, environment=ground.environment(), home=None, urgent=True)
    began = time.monotonic()
    with pytest.raises(CancelledError):
        ground.host.await_ready(place, seconds=60, cancelled=lambda: True)
    with pytest.raises(StartTimeoutError):
        ground.host.await_ready(place, seconds=0.01, cancelled=lambda: False)
    assert time.monotonic() - began < 20
    _kill(ground, place.ref)
    with pytest.raises(PlaceLostError):
        ground.host.await_ready(place, seconds=60, cancelled=lambda: False)
    ground.remove(place)


def test_an_order_for_another_kernel_is_refused(ground: Ground) -> None:
    place, order, started = ground.claimed()
    other = replace(order, kernel_id="7c9e6679-7425-40de-944b-e07fc1f90ae7", generation=5)
    with pytest.raises(StartRefusedError):
        ground.host.start(place, other, seconds=30)
    assert run(started, "print(1)") == "1"
    ground.remove(place)


def test_each_kernel_has_its_own_random_numbers(ground: Ground) -> None:
    seen = set()
    for _ in range(2):
        place, _, started = ground.claimed()
        seen.add(run(started, "import random, numpy; print(random.random(), numpy.random.rand())"))
        ground.remove(place)
    assert len(seen) == 2


def _kill(ground: Ground, ref: str) -> None:
    if ground.host.isolates:
        import docker

        client = docker.from_env()
        client.containers.get(ref).kill()
        client.close()
    else:
        os.kill(int(ref[1:].partition("-")[0]), signal.SIGKILL)


def _sleepers(start: str) -> list[str]:
    """Return the processes that began at this tick and sleep a thousand seconds."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_text().split("\0")
            stat = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if line[:2] == ["sleep", "1000"] and stat[19] == start:
            found.append(entry.name)
    return found
