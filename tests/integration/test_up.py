"""jiqi up and jiqi stop as one meets them, with real processes and kernels of the process host on free ports."""

import asyncio
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import pytest
from tests.harness.click import open_lesson
from tests.harness.stack import ROOT, Stack, environment, free_port, wait_ready

from jiqi import config
from jiqi.supervisor import instance

pytestmark = pytest.mark.slow
KERNEL_PYTHON = os.environ.get("JIQI_KERNEL_PYTHON", sys.executable)


class Installation:
    """One state folder whose `jiqi up` is started and ended by the test."""

    def __init__(self, state):
        self.state = state
        self.port = free_port()
        self.env = environment(
            state, host="process", pool="torch-cpu/egress=1", port=self.port, JIQI_KERNEL_PYTHON=KERNEL_PYTHON
        )
        self.starts = 0
        self.marks = (str(state).encode(), f"jiqi-{config.load(self.env).installation}".encode())

    def up(self):
        self.starts += 1
        log = self.state / f"up-{self.starts}.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "jiqi", "up"],
                env=self.env, cwd=ROOT, stdout=out, stderr=out, start_new_session=True,
            )  # fmt: skip
        return Stack(
            state=self.state,
            portal=f"http://localhost:{self.port}",
            notebook=f"http://127.0.0.1:{self.port}",
            metrics="",
            env=self.env,
            process=process,
            log=log,
        )

    def jiqi(self, *arguments):
        return subprocess.run(
            [sys.executable, "-m", "jiqi", *arguments],
            env=self.env, cwd=ROOT, capture_output=True, text=True, timeout=90, check=False,
        )  # fmt: skip

    def processes(self):
        """The processes that work for this installation: children by their environment, kernels by their place."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                variables = (folder / "environ").read_bytes()
                if any(mark in variables for mark in self.marks) and int(folder.name) != os.getpid():
                    found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        return found


@pytest.fixture
def installation():
    state = Path(tempfile.mkdtemp(prefix="ju-", dir="/tmp"))
    made = Installation(state)
    yield made
    made.jiqi("stop")
    assert until(lambda: not made.processes()), made.processes()
    assert str(state) not in Path("/proc/self/mountinfo").read_text()
    shutil.rmtree(state)


def until(condition, *, seconds=30.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    return condition()


def healthy(running):
    with contextlib.suppress(httpx.HTTPError):
        return httpx.get(f"{running.portal}/healthz", timeout=5).status_code == 200
    return False


def child(installation, name):
    return next((pid for pid, line in installation.processes().items() if f"-m jiqi {name}" in line), None)


def test_up_says_the_address_and_a_link_that_only_the_first_administrator_gets(installation):
    running = installation.up()
    wait_ready(running, timeout=120)
    assert until(lambda: "Ctrl-C" in running.log.read_text())
    text = running.log.read_text()
    assert running.portal in text
    assert re.search(rf"{running.portal}/link#[\w-]{{43}}", text)
    assert "不隔离" in text
    again = installation.jiqi("up")
    assert again.returncode == 0
    assert "已经在运行" in again.stdout
    assert running.portal in again.stdout
    assert (installation.state / "jiqi.db").stat().st_mode & 0o077 == 0
    other = installation.jiqi("admin", "link")
    assert "/link#" in other.stdout


def test_a_web_process_that_is_killed_comes_back_and_the_console_says_so(installation):
    running = installation.up()
    wait_ready(running, timeout=120)
    for name in ("web", "agent"):
        before = child(installation, name)
        os.kill(before, signal.SIGKILL)
        assert until(lambda name=name, before=before: child(installation, name) not in {None, before})
    wait_ready(running, timeout=60)
    text = running.log.read_text()
    assert "web 意外退出（-9）" in text
    assert "agent 意外退出（-9）" in text


def test_ctrl_c_leaves_kernels_running_and_the_next_start_finds_them(installation):
    running = installation.up()
    wait_ready(running, timeout=120)

    async def click():
        page = await open_lesson(running)
        for _ in range(600):
            kernel = (await page.notebook.get(f"/api/v1/kernels/{page.kernel_id}")).json()
            if kernel["status"] == "ready":
                return page.kernel_id, page.notebook.cookies
            await asyncio.sleep(0.05)
        raise AssertionError(kernel)

    kernel_id, cookies = asyncio.run(click())
    running.process.send_signal(signal.SIGINT)
    assert running.process.wait(timeout=30) == 0
    assert "1 个内核仍在运行 · make stop" in running.log.read_text()
    assert child(installation, "web") is None
    assert any("jiqi_kernel" in line for line in installation.processes().values())

    started = time.monotonic()
    again = installation.up()
    assert until(lambda: healthy(again), seconds=60)
    print(f"second start: {time.monotonic() - started:.2f} s")
    wait_ready(again, timeout=60)
    with httpx.Client(base_url=again.notebook, cookies=cookies) as client:
        kernel = client.get(f"/api/v1/kernels/{kernel_id}").json()
    assert (kernel["status"], kernel["generation"]) == ("ready", 1)

    done = installation.jiqi("stop")
    assert done.returncode == 0
    assert "停止了 1 个内核" in done.stdout
    assert again.process.wait(timeout=10) == 0
    assert installation.processes() == {}
    assert installation.jiqi("stop").stdout.strip() == "没有在运行"


def test_kill_9_of_up_leaves_no_process_of_its_own_and_the_next_start_works(installation):
    running = installation.up()
    wait_ready(running, timeout=120)
    os.kill(running.process.pid, signal.SIGKILL)
    running.process.wait()
    assert until(lambda: not any(child(installation, name) for name in ("web", "agent", "scheduler")))
    assert instance.running(installation.state) is None
    wait_ready(installation.up(), timeout=120)


def test_a_database_that_cannot_be_opened_is_said_with_a_code(installation):
    (installation.state / "jiqi.db").write_text("this is not a database, it is a letter\n" * 100)
    running = installation.up()
    assert running.process.wait(timeout=60) == 1
    text = running.log.read_text()
    assert "[database.not_migrated]" in text
    assert "Traceback" not in text
    (installation.state / "jiqi.db").unlink()
