"""A real forkserver and real kernels for tests: start them, talk to them, collect what they say."""

from __future__ import annotations

import json
import os
import queue
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jupyter_client import BlockingKernelClient

KEY = "5a" * 32
PATIENCE = 30.0


def wait_until(condition: Callable[[], Any], *, what: str, seconds: float = PATIENCE) -> Any:
    """Poll a condition until it is truthy, and return its value."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        time.sleep(0.01)
    return value


class Control:
    """One client of a control socket, with the events it has been sent."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rb")
        self.events: list[dict[str, Any]] = []
        self.number = 0

    def send(self, op: str, **fields: Any) -> int:
        self.number += 1
        self.socket.sendall(json.dumps({"id": self.number, "op": op, **fields}).encode() + b"\n")
        return self.number

    def read(self) -> dict[str, Any]:
        line = self.lines.readline()
        assert line, "the forkserver closed the connection"
        message: dict[str, Any] = json.loads(line)
        return message

    def reply(self, number: int) -> dict[str, Any]:
        while True:
            message = self.read()
            if "event" not in message:
                assert message["id"] == number
                return message
            self.events.append(message)

    def ask(self, op: str, **fields: Any) -> dict[str, Any]:
        return self.reply(self.send(op, **fields))

    def event(self, name: str, **fields: Any) -> dict[str, Any]:
        """The next event of that name and fields, which may have come already."""
        wanted = {"event": name, **fields}
        while True:
            for message in self.events:
                if wanted.items() <= message.items():
                    self.events.remove(message)
                    return message
            self.events.append(self.read())

    def close(self) -> None:
        self.lines.close()
        self.socket.close()


class Kernel:
    """A jupyter_client on a started kernel."""

    def __init__(self, prefix: str, *, key: str = KEY, ready: bool = True) -> None:
        ports = {"shell_port": 1, "iopub_port": 2, "stdin_port": 3, "control_port": 4, "hb_port": 5}
        self.client = BlockingKernelClient(transport="ipc", ip=prefix, **ports)
        self.client.session.key = key.encode()
        self.client.start_channels()
        if ready:
            self.client.wait_for_ready(timeout=PATIENCE)

    def run(self, code: str, **options: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Execute; return the reply's content and every IOPub message of it."""
        messages: list[dict[str, Any]] = []
        reply = self.client.execute_interactive(
            code, timeout=PATIENCE, output_hook=messages.append, **options
        )
        return reply["content"], messages

    def text(self, code: str, **options: Any) -> str:
        """What a cell prints, or its last value; errors raise."""
        reply, messages = self.run(code, **options)
        assert reply["status"] == "ok", reply
        return printed(messages)

    def until(self, msg_type: str) -> dict[str, Any]:
        """The next IOPub message of that type."""
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            if message["msg_type"] == msg_type:
                return message

    def close(self) -> None:
        self.client.stop_channels()
        self.client.context.destroy(linger=0)


def printed(messages: list[dict[str, Any]]) -> str:
    """All text of streams and results, in order."""
    parts = []
    for message in messages:
        content = message["content"]
        if message["msg_type"] == "stream":
            parts.append(content["text"])
        elif message["msg_type"] == "execute_result":
            parts.append(content["data"]["text/plain"])
    return "".join(parts)


class Forkserver:
    """A forkserver process of this test run."""

    def __init__(
        self,
        run: Path,
        *,
        preload: str = "numpy",
        options: tuple[str, ...] = (),
        env: dict[str, str] | None = None,
    ) -> None:
        self.run = run
        self.home = run / "home"
        self.home.mkdir()
        self.generation = 0
        self.kernels: list[Kernel] = []
        command = [
            sys.executable,
            "-m",
            "jiqi_kernel",
            "serve",
            "--run",
            str(run / "k"),
            "--preload",
            preload,
        ]
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        environment = {**inherited, "PYTHONPATH": runtime_path(), "HOME": str(run / "nobody"), **(env or {})}
        self.process = subprocess.Popen([*command, *options], env=environment, stdin=subprocess.DEVNULL)
        wait_until(self._answers, what="the control socket")
        self.control = Control(run / "k" / "ctl")

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(str(self.run / "k" / "ctl")) == 0

    @property
    def prefix(self) -> str:
        return str(self.run / "k" / "s")

    def spec(self, **changes: Any) -> dict[str, Any]:
        self.generation += 1
        plain = {
            "kernel_id": "k1",
            "generation": self.generation,
            "key": KEY,
            "prefix": self.prefix,
            "safe": False,
        }
        place = {
            "cwd": str(self.home),
            "env": {"HOME": str(self.home)},
            "user_base": str(self.home / ".packages"),
        }
        return {**plain, **place, **changes}

    def start(self, **changes: Any) -> dict[str, Any]:
        reply = self.control.ask("start", **self.spec(**changes))
        assert reply["ok"], reply
        return reply

    def connect(self) -> Kernel:
        kernel = Kernel(self.prefix)
        self.kernels.append(kernel)
        return kernel

    def kernel(self, **changes: Any) -> Kernel:
        """Start the next generation and connect to it."""
        self.disconnect()
        self.start(**changes)
        return self.connect()

    def wait_for_standby(self) -> None:
        wait_until(lambda: self.control.ask("status")["standby"], what="a standby")

    def disconnect(self) -> None:
        while self.kernels:
            self.kernels.pop().close()

    def close(self) -> None:
        self.disconnect()
        self.control.close()
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0


def runtime_path() -> str:
    return str(Path(__file__).resolve().parents[2] / "kernels" / "runtime")


@contextmanager
def forkserver(**options: Any) -> Iterator[Forkserver]:
    """A forkserver in a folder with a short name, since socket paths end at 107 bytes."""
    run = Path(tempfile.mkdtemp(prefix="jk", dir="/tmp"))
    server = Forkserver(run, **options)
    try:
        yield server
    finally:
        server.close()
        shutil.rmtree(run)


def drain(client: BlockingKernelClient) -> list[dict[str, Any]]:
    """IOPub messages that have arrived."""
    found = []
    while True:
        try:
            found.append(client.get_iopub_msg(timeout=0.2))
        except queue.Empty:
            return found


def alive(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
