"""The supervisor's parts with real processes: restart with back-off, the embedded broker, ends that leave nothing."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import redis

from jiqi.supervisor import valkey
from jiqi.supervisor.children import Child, pause_before

ROOT = Path(__file__).resolve().parents[2]


def until(condition, *, seconds=10.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("did not happen in time")


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture
def broker(tmp_path):
    url = f"unix://{tmp_path}/valkey/v.sock"
    child = valkey.server(url, logs=tmp_path / "logs")
    child.start()
    assert valkey.wait(url, seconds=10)
    yield url, child
    child.signal(signal.SIGTERM)
    assert child.stop(until=time.monotonic() + 5)


def test_the_broker_serves_on_its_socket_only_and_never_forgets_a_wake_up_to_make_room(broker):
    url, child = broker
    with redis.Redis.from_url(url, decode_responses=True) as client:
        assert client.ping()
        assert client.config_get("port")["port"] == "0"
        assert client.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"
        assert client.config_get("save")["save"] == ""
    path = valkey.socket_of(url)
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0
    fds = [str(fd.readlink()) for fd in Path(f"/proc/{child.pid}/fd").iterdir()]
    inodes = {line.split()[9] for line in Path("/proc/net/tcp").read_text().splitlines()[1:]}
    assert not any(fd.removeprefix("socket:[").removesuffix("]") in inodes for fd in fds)


def test_a_stale_socket_of_a_killed_broker_is_no_hindrance(tmp_path):
    url = f"unix://{tmp_path}/v/v.sock"
    for _ in range(2):
        child = valkey.server(url, logs=tmp_path)
        child.start()
        assert valkey.wait(url, seconds=10)
        os.kill(child.pid, signal.SIGKILL)
        child.stop(until=time.monotonic() + 5)
    assert not valkey.answers(url)


def test_a_folder_of_somebody_else_is_not_used_for_the_broker(tmp_path):
    (tmp_path / "theirs").mkdir()
    (tmp_path / "v").symlink_to(tmp_path / "theirs")
    with pytest.raises(PermissionError):
        valkey.server(f"unix://{tmp_path}/v/v.sock", logs=tmp_path)


def test_a_child_that_ends_is_noticed_once_with_its_last_line_and_started_again(tmp_path):
    code = "import sys, time; print('no such table: kernels', file=sys.stderr); sys.exit(3)"
    child = Child(name="web", command=[sys.executable, "-c", code], log=tmp_path / "web.log")
    child.start()
    first = until(child.look)
    assert (first.name, first.code, first.last_line) == ("web", 3, "no such table: kernels")
    assert child.pid is None
    second = until(child.look)
    assert second.pause > first.pause
    child.stop(until=time.monotonic())


def test_the_pause_grows_and_has_an_end():
    pauses = [pause_before(n) for n in range(12)]
    assert pauses[0] == 0
    assert pauses[1] == 0.5
    assert pauses == sorted(pauses)
    assert pauses[-1] == 30


def test_a_child_that_ignores_the_request_is_killed(tmp_path):
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)"
    child = Child(name="web", command=[sys.executable, "-c", code], log=tmp_path / "log")
    child.start()
    until(lambda: "deaf" in (tmp_path / "log").read_text())
    pid = child.pid
    child.signal(signal.SIGTERM)
    assert not child.stop(until=time.monotonic() + 0.2)
    assert not alive(pid)


def test_a_log_that_grew_is_cut_and_one_older_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("jiqi.supervisor.children._LOG_MOST", 1000)
    code = "import sys, time\nfor n in range(100): print('x' * 50, flush=True)\ntime.sleep(60)"
    child = Child(name="web", command=[sys.executable, "-c", code], log=tmp_path / "web.log")
    child.start()
    until(lambda: (tmp_path / "web.log").stat().st_size > 5000)
    assert child.look() is None
    assert (tmp_path / "web.log").stat().st_size < 1000
    assert (tmp_path / "web.log.1").stat().st_size > 5000
    child.signal(signal.SIGKILL)
    child.stop(until=time.monotonic() + 5)


def test_kill_9_of_the_supervisor_takes_its_children_along(tmp_path):
    code = (
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from jiqi.supervisor import valkey\n"
        "child = valkey.server(sys.argv[1], logs=Path(sys.argv[2])); child.start()\n"
        "valkey.wait(sys.argv[1], seconds=10); print(child.pid, flush=True); time.sleep(60)\n"
    )
    url = f"unix://{tmp_path}/v/v.sock"
    env = {**os.environ, "PYTHONPATH": str(ROOT / "platform")}
    with subprocess.Popen(
        [sys.executable, "-c", code, url, str(tmp_path)], env=env, stdout=subprocess.PIPE, text=True
    ) as supervisor:
        pid = int(supervisor.stdout.readline())
        assert alive(pid)
        supervisor.kill()
        supervisor.wait()
    until(lambda: not alive(pid))


def test_a_deep_state_folder_still_gets_a_broker(tmp_path):
    from jiqi import config

    deep = tmp_path / ("深" * 40)
    deep.mkdir()
    settings = config.load({"JIQI_STATE": str(deep), "XDG_RUNTIME_DIR": str(tmp_path)})
    path = valkey.socket_of(settings.redis_url)
    assert len(os.fsencode(path)) <= 107
    child = valkey.server(settings.redis_url, logs=tmp_path)
    child.start()
    assert valkey.wait(settings.redis_url, seconds=10)
    child.signal(signal.SIGTERM)
    child.stop(until=time.monotonic() + 5)
    path.with_suffix(".conf").unlink()
    path.parent.rmdir()
