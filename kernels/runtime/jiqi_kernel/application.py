"""The kernel application, made ready before anybody asks for it: sockets bound, threads running, no user yet."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path
from typing import Any

import zmq
from ipykernel.kernelapp import IPKernelApp
from traitlets.config import Config

from jiqi_kernel.iopub import NumberedIOPubThread, SealedSession
from jiqi_kernel.kernel import JiqiKernel

SHELL, IOPUB, STDIN, CONTROL, HEARTBEAT = range(1, 6)
_CHILD_OUTPUT = 6
_BIND_SECONDS = 10.0
# A subscriber that reads slowly keeps this many messages waiting before PUB drops any.
_SEND_QUEUE = 20_000


class KernelApp(IPKernelApp):
    """IPKernelApp on Unix sockets, without files of its own and without a parent to watch."""

    shell: Any

    def __init__(self, *, folder: Path, prefix: str, **options: Any) -> None:
        config = Config()
        config.ProfileDir.location = str(folder)
        config.HistoryManager.hist_file = ":memory:"
        super().__init__(
            config=config,
            kernel_class=JiqiKernel,
            transport="ipc",
            ip=prefix,
            shell_port=SHELL,
            iopub_port=IOPUB,
            stdin_port=STDIN,
            control_port=CONTROL,
            hb_port=HEARTBEAT,
            # The parent is the forkserver; the operating system ends us with it (limits.for_kernel).
            parent_handle=0,
            auto_create=True,
            connection_file=f"{folder}/connection.json",
            **options,
        )

    def _session_default(self) -> SealedSession:
        # Until adoption nobody has the key, so what reaches the sockets earlier is refused as unsigned.
        return SealedSession(parent=self, key=os.urandom(32).hex().encode())

    def init_connection_file(self) -> None:
        """Keep no connection file: the agent has its own, and the key never lies on a disk here."""

    def write_connection_file(self, **_options: Any) -> None:
        """See init_connection_file."""

    def log_connection_info(self) -> None:
        """Record the ports without the advice that the original prints."""
        self._ports = {
            "shell": self.shell_port,
            "iopub": self.iopub_port,
            "stdin": self.stdin_port,
            "hb": self.hb_port,
            "control": self.control_port,
        }

    def init_iopub(self, context: zmq.Context[Any]) -> None:
        """As the original, with our numbered thread."""
        socket = context.socket(zmq.XPUB)
        socket.linger = 1000
        socket.sndhwm = _SEND_QUEUE
        self.iopub_port = self._bind_socket(socket, self.iopub_port)
        self.configure_tornado_logger()
        self.iopub_thread = NumberedIOPubThread(
            socket, session=self.session, child_socket=f"{self.ip}-{_CHILD_OUTPUT}"
        )
        self.iopub_thread.start()
        self.iopub_socket = self.iopub_thread.background_socket

    def init_heartbeat(self) -> None:
        """As the original, then wait for its thread to have bound, so that the socket can be renamed."""
        super().init_heartbeat()
        path = Path(f"{self.ip}-{HEARTBEAT}")
        deadline = time.monotonic() + _BIND_SECONDS
        while not path.exists() and time.monotonic() < deadline:
            time.sleep(0.002)

    def move_sockets(self, prefix: str) -> None:
        """Give the sockets their names for clients; a listening Unix socket stays connectable when renamed."""
        for channel in range(SHELL, HEARTBEAT + 1):
            os.rename(f"{self.ip}-{channel}", f"{prefix}-{channel}")  # noqa: PTH104
        self.ip = prefix


def make(*, folder: Path, prefix: str) -> KernelApp:
    """Build and initialise the application in this process (0.1 to 0.3 s)."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # As a trait, this path is compared with a default that does not exist yet; so it goes by the environment.
    os.environ["IPYTHONDIR"] = str(folder)
    app = KernelApp.instance(folder=folder, prefix=prefix)
    app.initialize([])
    os.environ.pop("IPYTHONDIR", None)
    _plot_inline(app)
    return app


def _plot_inline(app: KernelApp) -> None:
    """Activate the inline backend now when matplotlib is preloaded; its first figure would take 0.1 s more."""
    if "matplotlib.pyplot" in sys.modules:
        with contextlib.suppress(Exception):
            app.shell.enable_matplotlib("inline")
