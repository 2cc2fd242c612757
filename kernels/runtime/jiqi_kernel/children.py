"""Processes of the forkserver: forking a standby, starting a cold one, ending one with all that it started."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jiqi_kernel import launch, packages
from jiqi_kernel.protocol import StartSpec, line


@dataclass(slots=True)
class Child:
    """One kernel process: ready once it has said so, adopted once it has a user."""

    pid: int
    channel: socket.socket
    folder: Path
    cold: bool
    ready: dict[str, Any] | None = None
    received: bytearray = field(default_factory=bytearray)

    def adopt(self, spec: StartSpec) -> None:
        """Hand over the start request; the child answers on its channel."""
        with contextlib.suppress(OSError):  # a dead child is noticed by its exit
            self.channel.sendall(line(spec.wire()))

    def messages(self) -> list[dict[str, Any]] | None:
        """What the child said since the last call; None once it has closed its end."""
        try:
            data = self.channel.recv(65536)
        except BlockingIOError:
            return []
        except OSError:
            return None
        if not data:
            return None
        self.received += data
        *lines, rest = bytes(self.received).split(b"\n")
        self.received = bytearray(rest)
        try:
            return [json.loads(each) for each in lines]
        except ValueError:  # it was tampered with, by user code of an earlier generation
            self.kill(signal.SIGKILL)
            return None

    def kill(self, number: signal.Signals) -> None:
        """Signal the child alone."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill_group(self, number: signal.Signals) -> None:
        """Signal the child and what it started in its own session."""
        try:
            os.killpg(self.pid, number)
        except ProcessLookupError:
            self.kill(number)

    def forget(self) -> None:
        """Close the channel and remove the child's files, after its exit."""
        self.channel.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        for leftover in self.folder.parent.glob(f"{self.folder.name}-*"):
            leftover.unlink(missing_ok=True)


def fork(folder: Path, *, closing: Callable[[], Iterable[socket.socket]]) -> Child:
    """Fork a standby; `closing` names the descriptors that are the forkserver's alone."""
    ours, theirs = socket.socketpair()
    parent = os.getpid()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        signal.set_wakeup_fd(-1)
        ours.close()
        for descriptor in closing():
            descriptor.close()
        launch.run(theirs, parent=parent, folder=folder, prefix=str(folder))
    theirs.close()
    ours.setblocking(False)
    return Child(pid=pid, channel=ours, folder=folder, cold=False)


def spawn(folder: Path, *, spec: StartSpec) -> Child:
    """Start a fresh interpreter, which imports the user's packages instead of the preloaded ones."""
    ours, theirs = socket.socketpair()
    environment = {**os.environ, **spec.env}
    if spec.user_base is not None:
        environment = {**environment, **packages.environment(spec.user_base), **spec.env}
    arguments = [
        sys.executable,
        "-m",
        "jiqi_kernel",
        "cold",
        "--channel",
        str(theirs.fileno()),
        "--folder",
        str(folder),
    ]
    os.set_inheritable(theirs.fileno(), True)
    with theirs:
        pid = os.posix_spawn(sys.executable, arguments, environment)
    ours.setblocking(False)
    return Child(pid=pid, channel=ours, folder=folder, cold=True)


def orphans(known: set[int]) -> list[int]:
    """Children of this process beside the known ones: what user code left behind when its parent ended."""
    try:
        pids = Path("/proc/thread-self/children").read_text().split()
    except OSError:
        return []
    return [int(pid) for pid in pids if int(pid) not in known]
