"""A kernel's channels on one websocket: straight through, bounded, and connected anew when the kernel restarts."""

import asyncio
import contextlib
import json
import secrets
from collections.abc import Sequence
from functools import partial
from typing import cast

from jupyter_server.services.kernels.connection.base import BaseKernelWebsocketConnection

from jiqi.services.authentication import Principal
from jiqi.web.jupyter import wire
from jiqi.web.jupyter.endings import Endings
from jiqi.web.jupyter.followed_kernel import FollowedKernel
from jiqi.web.jupyter.kernels import FollowedKernels
from jiqi.web.jupyter.marks import gap_mark, lost_mark, status_parts
from jiqi.web.jupyter.outgoing import Outgoing
from jiqi.web.jupyter.watched_channel import WatchedChannel

_SUBSCRIBE_SECONDS = 10.0
_NUDGE_SECONDS = 1.0
_SMALL = 16384
_HELD_MOST = 1000


class KernelConnection(BaseKernelWebsocketConnection):
    """`principal` proved who it is; `session` is the client's, whose id is also the ZMQ identity."""

    principal: Principal

    def begin(self, principal: Principal) -> None:
        """Take the place of an older connection of the same session, here and in other processes."""
        self.principal = principal
        self.channels: dict[str, WatchedChannel] = {}
        self.session.key = self.kernel.session.key
        self._v1 = self.websocket_handler.selected_subprotocol == wire.V1
        self._held: list[tuple[str, list[bytes]]] | None = []
        self._number: int | None = None
        self._renewing: asyncio.Task[None] | None = None
        self._closed = False
        self._endings = Endings(missing=self._end_lost)
        self.outgoing = Outgoing(write=self._write, mark=self._gap, v1=self._v1)

    @property
    def kernel(self) -> FollowedKernel:
        """The kernel."""
        return cast("FollowedKernel", self.parent)

    @property
    def kernels(self) -> FollowedKernels:
        """All kernels of the user."""
        return cast("FollowedKernels", self.kernel.parent)

    @property
    def key(self) -> str:
        """What must be unique among open connections."""
        return f"{self.kernel_id}:{self.session.session}"

    async def connect(self) -> None:
        """Connect, and return when the subscription stands: an execute before that could lose its outputs."""
        shared = self.kernels.shared
        shared.sockets.add(self, session=self.key)
        self.kernels.notify_connect(self.kernel_id)
        self.kernel.add_restart_callback(self._on_restart)
        self.kernel.add_restart_callback(self._on_dead, "dead")
        await self._open()

    async def _open(self) -> None:
        identity = self.session.bsession
        connects = {
            "iopub": self.kernel.connect_iopub,
            "shell": self.kernel.connect_shell,
            "control": self.kernel.connect_control,
            "stdin": self.kernel.connect_stdin,
        }
        heard = asyncio.Event()
        self._number = None
        for channel, connect in connects.items():

            def received(parts: list[bytes], channel: str = channel) -> None:
                if channel == "iopub":
                    heard.set()
                self._outgoing(channel, parts)

            self.channels[channel] = WatchedChannel(partial(connect, identity=identity), receive=received)
        # A topic that nobody has subscribed to before: the kernel greets it, though it knows our general one already.
        self.channels["iopub"].stream.socket.subscribe(f"jiqi-{secrets.token_hex(8)}")
        await self._subscribed(heard)
        held, self._held = self._held or [], None
        for channel, parts in held:
            self._forward(channel, parts)

    async def _subscribed(self, heard: asyncio.Event) -> None:
        # Any message on IOPub proves the subscription. A kernel that greets nobody is asked something on the control
        # channel, which answers while a cell runs.
        nudge = None
        deadline = asyncio.get_running_loop().time() + _SUBSCRIBE_SECONDS
        try:
            while not heard.is_set() and not self._closed and asyncio.get_running_loop().time() < deadline:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(heard.wait(), _NUDGE_SECONDS)
                    return
                nudge = nudge or self.kernel.connect_control()
                self.kernel.session.send(nudge, "kernel_info_request")
        finally:
            if nudge is not None:
                nudge.close()

    # From the client.

    def handle_incoming_message(self, incoming_msg: bytes | str) -> None:
        """Carry a message to the kernel; while the kernel restarts, keep it."""
        channel, parts = wire.read(incoming_msg, v1=self._v1)
        if self._held is not None:
            if len(self._held) < _HELD_MOST:
                self._held.append((channel, parts))
            return
        self._forward(channel, parts)

    def _forward(self, channel: str, parts: list[bytes]) -> None:
        carrier = self.channels.get(channel)
        if carrier is None or channel == "iopub":
            return
        if channel == "shell":
            parts[2] = self._with_document(parts[0], parts[2])
        self.session.send_raw(carrier.stream, parts)  # type: ignore[arg-type]  # it takes streams too

    def _with_document(self, header: bytes, metadata: bytes) -> bytes:
        """Return an execute request's metadata with the document, which the kernel puts on IOPub."""
        if b"execute_request" not in header:
            return metadata
        try:
            values = json.loads(metadata)
        except ValueError:
            return metadata
        if not isinstance(values, dict):
            return metadata
        given = values.get("jiqi")
        values["jiqi"] = {**(given if isinstance(given, dict) else {}), "doc": self.kernel.record.document}
        return json.dumps(values).encode()

    # From the kernel.

    def _outgoing(self, channel: str, parts: list[bytes]) -> None:
        if self._closed:
            return
        if channel == "iopub":
            if b'"iopub_welcome"' in parts[0]:
                return
            self._count(parts)
            self._endings.iopub(parts)
        elif channel == "shell":
            self._endings.shell(parts)
        self.outgoing.send(channel, parts)

    def _end_lost(self, parent: bytes) -> None:
        if self._closed:
            return
        self._number = None
        self.outgoing.send("iopub", self._lost(0, parent))
        self.outgoing.send("iopub", status_parts(self.session, "idle", {}, parent=parent))
        self.kernel.look_again()

    def _count(self, parts: list[bytes]) -> None:
        # The kernel numbers what it sends, so that what was lost on the way (too large, too fast) can be told.
        if len(parts[2]) > _SMALL:
            self._number = None
            return
        with contextlib.suppress(ValueError, KeyError, TypeError):
            number = json.loads(parts[2])["jiqi"]["n"]
            if self._number is not None and number > self._number + 1:
                self.outgoing.send("iopub", self._lost(number - self._number - 1, bytes(parts[1])))
            self._number = number

    def _gap(self, messages: int, size: int, parent: bytes) -> Sequence[bytes]:
        return gap_mark(self.session, messages, size, parent, language=self.principal.user.language)

    def _lost(self, messages: int, parent: bytes) -> Sequence[bytes]:
        return lost_mark(self.session, messages, parent, language=self.principal.user.language)

    def _write(self, data: bytes | str) -> "asyncio.Future[None]":
        return self.websocket_handler.write_message(data, binary=isinstance(data, bytes))

    # The kernel's life.

    def _on_restart(self) -> None:
        """Connect anew: what was still on its way belongs to the process that is gone."""
        self._status("restarting")
        self._drop_channels()
        self._held = []
        if self._renewing is not None:
            self._renewing.cancel()
        self._renewing = asyncio.ensure_future(self._renew())

    async def _renew(self) -> None:
        await self._open()
        self._status("idle")

    def _on_dead(self) -> None:
        self._drop_channels()
        self._held = None
        kernel = self.kernel.record
        reason = {"reason": kernel.reason.value if kernel.reason else None, "params": kernel.reason_params}
        self._status("dead", jiqi=reason)

    def _status(self, state: str, **metadata: object) -> None:
        if not self._closed:
            self.outgoing.send("iopub", status_parts(self.session, state, metadata))

    # The end.

    def end(self, code: int, reason: str) -> None:
        """Stop carrying messages at once and close the websocket with `code`."""
        self.disconnect()
        self.websocket_handler.close(code, reason)

    def disconnect(self) -> None:  # type: ignore[override]  # the handler does not await it
        """Let go of everything; again is harmless."""
        if self._closed:
            return
        self._closed = True
        self.kernels.notify_disconnect(self.kernel_id)
        self.kernels.shared.sockets.remove(self, session=self.key)
        self.kernel.remove_restart_callback(self._on_restart)
        self.kernel.remove_restart_callback(self._on_dead, "dead")
        if self._renewing is not None:
            self._renewing.cancel()
        self._held = None
        self._endings.close()
        self._drop_channels()

    def _drop_channels(self) -> None:
        channels, self.channels = self.channels, {}
        for channel in channels.values():
            channel.close()
