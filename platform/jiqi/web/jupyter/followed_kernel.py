"""One kernel as a web process sees it: sockets to connect to, what it was last doing, and who wants to hear of its end."""

import asyncio
import contextlib
import json
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import zmq
from jupyter_server._tz import utcnow
from jupyter_server.services.kernels.kernelmanager import ServerKernelManager

from jiqi.domain.kernels import Kernel
from jiqi.web.jupyter.provisioner import FollowedProvisioner
from jiqi.web.jupyter.watched_channel import WatchedChannel

# Larger messages never reach the loop; outputs of that size come from elsewhere.
MAX_MESSAGE = 32 * 1024 * 1024
_RECONNECT_MS = 20
_IOPUB_QUEUE = 10_000
_SMALL = 65536
_PROBE_SECONDS = 1.0


class FollowedKernel(ServerKernelManager):
    """A kernel manager that connects and never owns; `record` is the newest row of SQL."""

    record: Kernel
    generation: int
    _activity: WatchedChannel | None = None

    # A web process that forgets a kernel must not remove sockets that others use.

    def cleanup_ipc_files(self) -> None:
        """Leave the sockets alone."""

    def cleanup_connection_file(self) -> None:
        """There is no connection file."""

    def write_connection_file(self, **kwargs: Any) -> None:
        """No connection file is written."""

    def adopt(self, kernel: Kernel) -> None:
        """Point at a ready kernel's sockets, as jupyter_client would have after starting it."""
        self._callbacks: dict[str, list[Callable[[], None]]] = {"restart": [], "dead": []}
        self.record, self.generation = kernel, kernel.generation
        self.kernel_id = kernel.id
        self.load_connection_info(
            {
                "transport": "ipc",
                "ip": kernel.prefix or "",
                "shell_port": 1,
                "iopub_port": 2,
                "stdin_port": 3,
                "control_port": 4,
                "hb_port": 5,
                "key": kernel.key.encode(),  # type: ignore[typeddict-item]
                "signature_scheme": "hmac-sha256",
            }
        )
        self.provisioner = FollowedProvisioner(parent=self, kernel_id=kernel.id)
        self._launch_args = {}
        self._attempted_start = True
        self.ready.set_result(None)
        self.remember_info(kernel)

    def remember_info(self, kernel: Kernel) -> None:
        """Keep the stored kernel_info: asking a busy kernel would wait for the end of its cell."""
        done: Future[dict[str, object]] = Future()
        done.set_result(kernel.kernel_info or {})
        self._kernel_info_future = done

    # The registry of callbacks is ours: there is no restarter.

    def add_restart_callback(self, callback: Callable[[], None], event: str = "restart") -> None:
        """Call `callback()` at each `restart`, or when the kernel is `dead`."""
        self._callbacks[event].append(callback)

    def remove_restart_callback(self, callback: Callable[[], None], event: str = "restart") -> None:
        """Forget a callback; one that is not there is no error."""
        with contextlib.suppress(ValueError):
            self._callbacks[event].remove(callback)

    def tell(self, event: str) -> None:
        """Call everybody who wants to know."""
        for callback in list(self._callbacks[event]):
            try:
                callback()
            except Exception:
                self.log.exception("restart callback")

    def _create_connected_socket(self, channel: str, identity: bytes | None = None) -> Any:
        kind = {"iopub": zmq.SUB, "hb": zmq.REQ}.get(channel, zmq.DEALER)
        socket = self.context.socket(kind)
        socket.linger = 0
        socket.maxmsgsize = MAX_MESSAGE
        socket.reconnect_ivl = _RECONNECT_MS
        if channel == "iopub":
            socket.rcvhwm = _IOPUB_QUEUE
        if identity:
            socket.identity = identity
        socket.connect(self._make_url(channel))
        return socket

    # What the kernel does, from its own messages.

    def watch(self, tracked: Callable[[str], bool], *, fresh: bool) -> None:
        """Follow the kernel's state from IOPub, reading no more than small headers: output may be megabytes.

        A `fresh` kernel is known to be idle; of another one it is found out.
        """
        self.unwatch()
        self.last_activity = utcnow()
        self.execution_state = "idle" if fresh else "unknown"

        def received(parts: list[bytes]) -> None:
            with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError):
                self._note(parts, tracked)

        self._activity = WatchedChannel(self.connect_iopub, receive=received)
        if not fresh:
            self.look_again()

    def unwatch(self) -> None:
        """Stop following the state."""
        if self._activity is not None:
            self._activity.close()
            self._activity = None
        task = getattr(self, "_probe_task", None)
        if task is not None:
            task.cancel()

    def look_again(self) -> None:
        """Find out whether the kernel is busy, because its own word may have been lost."""
        self.execution_state = "unknown"
        self._probe_task = asyncio.ensure_future(self._probe())

    def _note(self, parts: list[bytes], tracked: Callable[[str], bool]) -> None:
        if len(parts[0]) > _SMALL or len(parts[1]) > _SMALL:
            return
        kind = json.loads(parts[0])["msg_type"]
        parent = json.loads(parts[1]).get("msg_type")
        if tracked(kind) or (parent is not None and tracked(parent)) or self.execution_state == "busy":
            self.last_activity = utcnow()
        if kind != "status" or len(parts[3]) > _SMALL:
            return
        state = json.loads(parts[3])["execution_state"]
        if parent is not None and tracked(parent) and state in {"busy", "idle", "starting"}:
            self.execution_state = state

    async def _probe(self) -> None:
        # A kernel that another process started may be busy, and says nothing until its cell ends.
        shell = self.connect_shell()
        try:
            answered = asyncio.get_running_loop().create_future()
            shell.on_recv(lambda _: None if answered.done() else answered.set_result(None))
            self.session.send(shell, "kernel_info_request")
            done, _ = await asyncio.wait([answered], timeout=_PROBE_SECONDS)
            if self.execution_state == "unknown":
                self.execution_state = "idle" if done else "busy"
        finally:
            shell.close()
