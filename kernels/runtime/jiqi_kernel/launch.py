"""In the kernel's own process: wait as a standby, become the kernel that was asked for, run it, end."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any

from jiqi_kernel import application, limits, network, packages
from jiqi_kernel.application import KernelApp
from jiqi_kernel.protocol import StartSpec, line
from jiqi_kernel.randomness import reseed

# Not SIGTERM: Python loses a signal with a handler that arrives during a fork, and multiprocessing ends its
# workers with SIGTERM, often right after their fork.
END = signal.SIGUSR2


def run(channel: socket.socket, *, parent: int, folder: Path, prefix: str) -> None:
    """Serve one kernel; does not return. `channel` is the forkserver's end of a socket pair."""
    code = 70
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _end_cleanly_when_told()
        limits.for_kernel(parent=parent)
        sys.argv = ["jiqi"]
        app = application.make(folder=folder, prefix=prefix)
        channel.sendall(line({"ready": {"status": "ok", **app.kernel.kernel_info}}))
        spec = _receive(channel)
        if spec is None:
            os._exit(0)
        adopt(app, spec=spec)
        channel.sendall(line({"adopted": spec.generation}))
        channel.close()
        app.start()
        code = 0
    except BaseException:
        import traceback  # noqa: PLC0415

        traceback.print_exc(file=sys.__stderr__)
    finally:
        # Returning would unwind into the forkserver's loop, which this process is a copy of.
        _leave(code)


def adopt(app: KernelApp, *, spec: StartSpec) -> None:
    """Turn the anonymous standby into this user's kernel (a few milliseconds)."""
    environment = dict(spec.env)
    if spec.user_base is not None:
        environment = {**packages.environment(spec.user_base), **environment}
    if spec.safe:
        environment["JIQI_SAFE"] = "1"
    os.environ.update(environment)
    network.settle_environment()
    time.tzset()
    os.chdir(spec.cwd)
    if spec.user_base is not None and not spec.safe:
        packages.use(spec.user_base)
    reseed()
    app.session.key = spec.key.encode()
    app.shell.user_ns["_dh"] = [Path(spec.cwd)]
    app.shell.settle(watch_packages=not spec.safe)
    app.move_sockets(spec.prefix)


def _receive(channel: socket.socket) -> StartSpec | None:
    received = b""
    while not received.endswith(b"\n"):
        data = channel.recv(65536)
        if not data:
            return None
        received += data
    body: dict[str, Any] = json.loads(received)
    return StartSpec(**body)


def _end_cleanly_when_told() -> None:
    """Let END flush output and run exit functions, in this process only."""
    me = os.getpid()

    def end(_number: int, _frame: FrameType | None) -> None:
        if os.getpid() == me:
            _leave(0)

    signal.signal(END, end)


def _leave(code: int) -> None:
    for act in (sys.stdout.flush, sys.stderr.flush, atexit._run_exitfuncs):  # noqa: SLF001
        with contextlib.suppress(BaseException):
            act()
    os._exit(code)
