"""A whole installation on free ports with its own state: web, scheduler, agent, Valkey, as `jiqi up` starts them."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Stack:
    """One running installation; `portal` and `notebook` are its two origins."""

    state: Path
    portal: str
    notebook: str
    metrics: str
    env: dict[str, str]
    process: subprocess.Popen[bytes]
    log: Path
    secrets: list[str] = field(default_factory=list)

    def jiqi(self, *arguments: str, timeout: float = 60) -> str:
        """Return what `jiqi …` prints for this installation."""
        done = subprocess.run(
            [sys.executable, "-m", "jiqi", *arguments],
            env=self.env,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=True,
            cwd=ROOT,
        )
        return done.stdout

    def logs(self) -> str:
        """Return every log of the installation, for assertions and for failures."""
        texts = [self.log.read_text(errors="replace")]
        texts += [path.read_text(errors="replace") for path in sorted((self.state / "logs").glob("*.log"))]
        return "\n".join(texts)


def environment(state: Path, *, host: str, pool: str, port: int, **extra: str) -> dict[str, str]:
    """Return the environment of one installation; nothing of the caller's `JIQI_…` leaks into it."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("JIQI_")}
    return {
        **inherited,
        "PYTHONPATH": f"{ROOT / 'platform'}{os.pathsep}{ROOT / 'kernels' / 'runtime'}",
        "JIQI_ROOT": str(ROOT),
        "JIQI_STATE": str(state),
        "JIQI_PORT": str(port),
        "JIQI_INTERNAL_PORT": str(free_port()),
        "JIQI_HOST": host,
        "JIQI_POOL": pool,
        "JIQI_NODE": "test",
        "JIQI_LOG_FORMAT": "json",
        **extra,
    }


@contextlib.contextmanager
def stack(
    *, host: str = "docker", pool: str = "torch-cpu/none=1", ready: float = 120, **extra: str
) -> Iterator[Stack]:
    """Start an installation, yield it when /readyz agrees, and take everything of it away afterwards."""
    state = Path(tempfile.mkdtemp(prefix="jq-", dir="/tmp"))
    port = free_port()
    env = environment(state, host=host, pool=pool, port=port, **extra)
    log = state / "up.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "jiqi", "up"],
            env=env,
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            start_new_session=True,
        )
    running = Stack(
        state=state,
        portal=f"http://localhost:{port}",
        notebook=f"http://127.0.0.1:{port}",
        metrics=f"http://127.0.0.1:{env['JIQI_INTERNAL_PORT']}/metrics",
        env=env,
        process=process,
        log=log,
    )
    try:
        wait_ready(running, timeout=ready)
        yield running
    finally:
        _end(running)


def wait_ready(running: Stack, *, timeout: float) -> None:
    """Return when /readyz answers 200. Raises TimeoutError with the logs' end."""
    deadline = time.monotonic() + timeout
    answer = "no answer"
    while time.monotonic() < deadline:
        if running.process.poll() is not None:
            raise RuntimeError(f"jiqi up ended with {running.process.returncode}\n{running.logs()[-6000:]}")
        with contextlib.suppress(httpx.HTTPError):
            response = httpx.get(f"{running.portal}/readyz", timeout=5)
            answer = response.text
            if response.status_code == 200:
                return
        time.sleep(0.1)
    raise TimeoutError(f"not ready: {answer}\n{running.logs()[-6000:]}")


def _end(running: Stack) -> None:
    with contextlib.suppress(subprocess.SubprocessError):
        running.jiqi("stop", timeout=90)
    if running.process.poll() is None:
        running.process.send_signal(signal.SIGTERM)
        try:
            running.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(running.process.pid, signal.SIGKILL)
            running.process.wait(timeout=10)
    # Only when nothing of it is mounted any more: a recursive removal must never reach a home through a mount.
    if str(running.state) not in Path("/proc/self/mountinfo").read_text():
        shutil.rmtree(running.state, ignore_errors=True)
