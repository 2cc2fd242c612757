"""make run says early and plainly what hinders it: an old Python, a port in use, no isolation, another instance."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from jiqi.supervisor import instance, listening

ROOT = Path(__file__).resolve().parents[2]
BOOTSTRAP = ROOT / "infra" / "dev" / "bootstrap.py"


@pytest.fixture
def listener():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        yield held.getsockname()[1]


def bootstrap(state, *, port, **extra):
    env = {key: value for key, value in os.environ.items() if not key.startswith("JIQI_")}
    env |= {"JIQI_STATE": str(state), "JIQI_PORT": str(port), "JIQI_HOST": "process", **extra}
    return subprocess.run(
        [sys.executable, BOOTSTRAP, "run"], env=env, capture_output=True, text=True, check=False, timeout=60
    )


def test_a_port_in_use_is_said_with_its_holder_and_a_free_one(tmp_path, listener):
    done = bootstrap(tmp_path / "state", port=listener)
    assert done.returncode == 1
    assert "[listen.port_in_use]" in done.stderr
    assert f"pid {os.getpid()}" in done.stderr
    assert "make run PORT=" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_isolation_only_the_loopback_is_listened_on(tmp_path, listener):
    done = bootstrap(tmp_path / "state", port=listener, JIQI_LISTEN="0.0.0.0", JIQI_LANG="en")
    assert done.returncode == 1
    assert "[listen.not_isolated]" in done.stderr
    assert "not isolated" in done.stderr


def test_a_second_run_answers_with_the_address(tmp_path):
    state = tmp_path / "state"
    held = instance.take(state)
    url = "http://localhost:1234"
    held.tell(instance.Running(pid=os.getpid(), stage="ready", portal_url=url, port=1234))
    done = bootstrap(state, port=1234)
    held.tell(instance.Running(pid=1, stage="preparing", portal_url=url, port=1234, step=" 2/5"))
    early = bootstrap(state, port=1234)
    held.close()
    assert (done.returncode, early.returncode) == (0, 0)
    assert "已经在运行" in done.stdout
    assert url in done.stdout
    assert "2/5" in early.stdout


def test_an_old_python_without_a_newer_one_is_told_what_to_install(tmp_path):
    script = (
        "import sys; sys.version_info = (3, 8, 10); sys.argv = ['bootstrap.py', 'run']\n"
        + BOOTSTRAP.read_text()
    )
    done = subprocess.run(
        [sys.executable, "-"],
        input=script,
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "python3.11" in done.stderr
    assert "[python.too_old]" in done.stderr


def test_the_bootstrap_can_be_read_by_an_old_python():
    """Every construct of the first file is one that Python 3.7 knows."""
    compile(BOOTSTRAP.read_text(), "bootstrap.py", "exec")
    text = BOOTSTRAP.read_text()
    assert "match " not in text
    assert ":=" not in text
    import ast

    ast.parse(text, feature_version=(3, 7))


def test_next_free_leaves_the_port_after_it_free_too(listener):
    found = listening.next_free("127.0.0.1", listener)
    assert listening.is_free("127.0.0.1", found)
    assert listening.is_free("127.0.0.1", found + 1)


def test_an_address_of_another_machine_is_named():
    code, facts = listening.problem("192.0.2.1", 8123, internal_port=8124, isolated=True)
    assert code == "listen.address"
    assert facts["address"] == "192.0.2.1"


def test_the_ssh_line_names_the_server_and_both_ports():
    env = {"SSH_CONNECTION": "10.0.0.2 50022 10.0.0.9 2222", "USER": "lin"}
    assert listening.ssh_command(8000, env) == "ssh -p 2222 -L 8000:127.0.0.1:8000 lin@10.0.0.9"
    assert listening.ssh_command(8000, {}) is None


def test_the_lock_is_handed_on_through_exec_and_dies_with_its_holder(tmp_path):
    code = (
        "import os, sys; from pathlib import Path; from jiqi.supervisor import instance\n"
        "held = instance.take(Path(sys.argv[1]))\n"
        "after = 'import sys; from pathlib import Path; from jiqi.supervisor import instance;'"
        "' print(instance.take(Path(sys.argv[1])) is not None, flush=True); sys.stdin.read()'\n"
        "os.execve(sys.executable, [sys.executable, '-c', after, sys.argv[1]], {**os.environ, **held.hand_on()})\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT / "platform")}
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout.readline().strip() == "True"
        assert instance.take(tmp_path) is None
        child.kill()
        child.wait()
    held = instance.take(tmp_path)
    assert held is not None
    held.close()
