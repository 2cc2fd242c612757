"""The lock-down of a kernel's container, looked at from inside and from the engine."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import docker
import pytest
from tests.contract.host_ground import Ground, connected, host_ground, run
from tests.integration.agent_world import tag_tiny, wait_until

from jiqi.domain.kernels import Network
from jiqi.services.hosting_base import new_name
from jiqi.services.ports_hosts import ImageMissingError, PoolKey

pytestmark = pytest.mark.docker
SECRET = "s3cret-of-the-agent"


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    tag_tiny()
    os.environ["JIQI_TEST_SECRET"] = SECRET
    try:
        with host_ground("docker") as made:
            yield made
    finally:
        del os.environ["JIQI_TEST_SECRET"]


@pytest.fixture(scope="module")
def claimed(ground: Ground):
    user_id = ground.person()
    return (user_id, *ground.claimed(user_id))


def inspect(ref: str) -> dict:
    client = docker.APIClient()
    try:
        return client.inspect_container(ref)
    finally:
        client.close()


def test_it_is_nobody_in_particular_and_may_do_nothing(claimed) -> None:
    """Non-root, no capability, no new privileges, a seccomp filter."""
    _, _, _, started = claimed
    text = run(started, "print(open('/proc/self/status').read())")
    status = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    assert status["Uid"].split() == ["1000"] * 4
    assert status["Gid"].split() == ["1000"] * 4
    assert {int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {0}
    assert status["NoNewPrivs"].strip() == "1"
    assert status["Seccomp"].strip() == "2"


def test_every_place_it_can_write_has_a_size(claimed) -> None:
    _, _, _, started = claimed
    code = """
import os, json
def writable(path):
    try:
        open(path + '/probe', 'w').close(); os.unlink(path + '/probe'); return True
    except OSError:
        return False
# Where a file can be made; the pseudo file systems and the home (whose size is the quota's) are left out.
found = sorted({d for d, _, _ in os.walk('/') if not d.startswith(('/proc', '/sys', '/home/jiqi')) and os.path.isdir(d) and writable(d)})
tops = sorted(p for p in found if not any(p != q and p.startswith(q + '/') for q in found))
print(json.dumps({p: os.statvfs(p).f_blocks * os.statvfs(p).f_frsize // 2**20 for p in tops}))
"""
    found = json.loads(run(started, code, seconds=120))
    assert set(found) == {"/dev/mqueue", "/dev/shm", "/run/jiqi/k", "/tmp"} or set(found) == {
        "/dev/shm",
        "/run/jiqi/k",
        "/tmp",
    }
    assert found["/dev/shm"] == 16
    assert found["/run/jiqi/k"] == 16
    assert found["/tmp"] == 512
    fill = "open('/run/jiqi/k/fill', 'wb').write(bytes(20 * 2**20))"
    assert "No space left" in run(started, fill)
    run(started, "import os; os.unlink('/run/jiqi/k/fill')")


def test_the_run_directory_executes_nothing_and_follows_no_link(ground: Ground, claimed) -> None:
    _, _place, _, started = claimed
    code = """
import os, subprocess
open('/run/jiqi/k/x', 'w').write('#!/bin/sh\\necho ran\\n'); os.chmod('/run/jiqi/k/x', 0o755)
try:
    print(subprocess.run(['/run/jiqi/k/x'], capture_output=True).stdout)
except OSError as error:
    print(error.errno)
os.symlink('/etc/hostname', '/run/jiqi/k/link')
try:
    print(open('/run/jiqi/k/link').read())
except OSError as error:
    print(error.errno)
try:
    open('/run/jiqi/mine', 'w')
except OSError as error:
    print(error.errno)
"""
    assert run(started, code).split() == ["13", "40", "13"]
    run(started, "import os; os.unlink('/run/jiqi/k/link'); os.unlink('/run/jiqi/k/x')")


def test_limits_are_set(claimed) -> None:
    _, place, _, started = claimed
    code = "import resource as r; print([r.getrlimit(k)[1] for k in (r.RLIMIT_CORE, r.RLIMIT_NOFILE, r.RLIMIT_FSIZE)])"
    assert run(started, code) == f"[0, 8192, {20 * 1024**3}]"
    host = inspect(place.ref)["HostConfig"]
    assert host["Memory"] == host["MemorySwap"] == 300 * 2**20
    assert host["PidsLimit"] == 512
    assert host["NanoCpus"] == 10**9
    assert host["Init"]
    assert host["ShmSize"] == 16 * 2**20
    assert host["ReadonlyRootfs"]
    assert not host["Privileged"]
    assert host["NetworkMode"] == "none"
    assert host["LogConfig"] == {
        "Type": "local",
        "Config": {"max-size": "1m", "max-file": "1", "compress": "false"},
    }
    assert host["RestartPolicy"]["Name"] in {"", "no"}
    assert host["CapDrop"] == ["ALL"]


def test_nothing_of_the_agents_environment_reaches_it(ground: Ground, claimed) -> None:
    _, place, _, started = claimed
    env = json.loads(run(started, "import os, json; print(json.dumps(dict(os.environ)))"))
    assert SECRET not in json.dumps(env)
    assert SECRET not in json.dumps(inspect(place.ref))
    assert {key: value for key, value in env.items() if key.startswith("JIQI_")} == {
        "JIQI_NETWORK": "none",
        "JIQI_IMAGE": "tiny",
        "JIQI_PRELOAD": env.get("JIQI_PRELOAD"),
    }
    assert env["HOME"] == "/home/jiqi"
    assert env["PIP_USER"] == "1"
    assert env["OMP_NUM_THREADS"] == "1"
    assert env["LANG"] == "C.UTF-8"
    assert ground.settings.state.name not in json.dumps(env)


def test_its_labels_say_whose_it_is(ground: Ground, claimed) -> None:
    _, place, _, _ = claimed
    labels = inspect(place.ref)["Config"]["Labels"]
    assert labels["jiqi.installation"] == ground.settings.installation
    assert labels["jiqi.node"] == "n1"
    assert labels["jiqi.image"] == place.digest
    assert labels["jiqi.pool"] == "tiny/none"


def test_it_sees_its_own_home_and_no_other(ground: Ground, claimed) -> None:
    _user_id, _, _, started = claimed
    other = ground.person()
    (ground.settings.homes / other / "private").write_text("x")
    code = """
import os
print(sorted(os.listdir('/home')), os.path.exists('/home/jiqi/../private'), os.stat('/home/jiqi').st_uid)
hits = [d for d, _, names in os.walk('/') if 'private' in names and not d.startswith('/proc')]
print(hits)
"""
    assert run(started, code, seconds=120).split("\n") == ["['jiqi'] False 1000", "[]"]


def test_a_flood_on_its_output_leaves_a_small_log(ground: Ground) -> None:
    """The engine's log of a container is bounded: 1 MB where 92 MB were seen."""
    place, _, started = ground.claimed()
    run(
        started,
        "import os\nwith open('/proc/1/fd/1', 'wb', 0) as log:\n    for _ in range(100): log.write((b'x' * 1000 + b'\\n') * 100)",
    )
    folder = Path("/var/lib/docker/containers") / place.ref
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert size < 3 * 2**20
    ground.remove(place)


def test_a_kernel_that_uses_too_much_memory_says_so(ground: Ground) -> None:
    place, order, started = ground.claimed()
    with connected(started) as client:
        client.execute("b = bytearray(900 * 2**20)")
        gone = wait_until(
            lambda: ground.host.outcome(place, kernel_id=order.kernel_id, generation=1), seconds=60
        )
    assert gone.oom
    assert gone.limit_mb == 300
    ground.remove(place)


def test_a_control_socket_that_is_a_link_is_not_followed(ground: Ground) -> None:
    """The socket lies where user code can write: it could point at the Docker engine's."""
    place, order, started = ground.claimed()
    run(
        started,
        "import os; os.unlink('/run/jiqi/k/ctl'); os.symlink('/var/run/docker.sock', '/run/jiqi/k/ctl')",
    )
    assert ground.host.outcome(place, kernel_id=order.kernel_id, generation=1) is None
    ground.remove(place)


def test_an_image_that_is_not_here_is_named(ground: Ground) -> None:
    environment = replace(ground.environment(), version="none-such")
    key = PoolKey(environment="tiny", network=Network.NONE)
    name = new_name()
    with pytest.raises(ImageMissingError):
        ground.host.create(name, key, environment=environment, home=None, urgent=True)
    ground.host.detach(name)
    ground.host.discard(name)
    assert name not in ground.host.leftovers()
