"""A ZMQ channel that comes back: libzmq gives a socket up for ever after a message over the limit, without a word."""

import asyncio
import struct
from collections.abc import Callable
from typing import Any

import zmq
from jupyter_client.session import DELIM
from zmq.eventloop.zmqstream import ZMQStream

# Short, for what is said meanwhile on IOPub is lost; long enough not to spin on a peer that hangs up at once.
_AGAIN_SECONDS = 0.05
_EVENT = struct.Struct("=hi")


class WatchedChannel:
    """`connect()` makes the stream; `receive(parts)` gets header, parent, metadata, content and buffers."""

    def __init__(self, connect: Callable[[], ZMQStream], *, receive: Callable[[list[bytes]], None]) -> None:
        self._connect, self._receive = connect, receive
        self._closed = False
        self._timer: asyncio.TimerHandle | None = None
        self._open()

    def _open(self) -> None:
        self.stream = self._connect()
        self.stream.on_recv(self._received)
        socket = self.stream.socket
        address = f"inproc://monitor-{id(socket)}-{socket.FD}"
        socket.monitor(address, zmq.EVENT_DISCONNECTED)
        pair: zmq.Socket[Any] = zmq.Socket(socket.context, zmq.PAIR)
        pair.linger = 0
        pair.connect(address)
        self._monitor = ZMQStream(pair, self.stream.io_loop)
        self._monitor.on_recv(self._event)

    def _received(self, frames: list[bytes]) -> None:
        try:
            parts = frames[frames.index(DELIM) + 2 :]
        except ValueError:
            return
        if len(parts) >= 4:  # noqa: PLR2004  (header, parent header, metadata, content)
            self._receive(parts)

    def _event(self, frames: list[bytes]) -> None:
        kind, _ = _EVENT.unpack(frames[0][: _EVENT.size])
        if kind == zmq.EVENT_DISCONNECTED and not self._closed and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_AGAIN_SECONDS, self._again)

    def _again(self) -> None:
        self._timer = None
        if not self._closed:
            self._release()
            self._open()

    def close(self) -> None:
        """Close; again is harmless."""
        if not self._closed:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
            self._release()

    def _release(self) -> None:
        # The monitor first: its last event would come to a stream that is closed.
        for stream in (self._monitor, self.stream):
            if not stream.closed():
                stream.on_recv(None)
                stream.close()
