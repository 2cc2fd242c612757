"""IOPub messages numbered 1, 2, 3… in the order of the wire, so that a reader can tell that it missed one.

The number is set in the thread that sends, where the order is final; so the signature, which covers it, is
made there too. `iopub_welcome` goes out once per subscriber and carries no number.
"""

from __future__ import annotations

import json
import os
import threading
from typing import Any

import zmq
from ipykernel.iostream import MASTER, BackgroundSocket, IOPubThread
from jupyter_client.session import DELIM, Session

_SIGNATURE, _METADATA, _CONTENT = 1, 4, 5


class SealedSession(Session):
    """A session that leaves IOPub messages unsigned until `seal`."""

    def __init__(self, **options: Any) -> None:
        self._unsigned = threading.local()
        super().__init__(**options)

    def send(self, stream: Any, *args: Any, **options: Any) -> Any:
        """Send; a message for the IOPub thread is signed by that thread."""
        self._unsigned.now = isinstance(stream, BackgroundSocket | IOPubThread)
        try:
            return super().send(stream, *args, **options)
        finally:
            self._unsigned.now = False

    def sign(self, msg_list: list[Any]) -> bytes:
        """Sign, except where the IOPub thread will."""
        return b"" if getattr(self._unsigned, "now", False) else super().sign(msg_list)

    def seal(self, msg_list: list[Any]) -> bytes:
        """Sign whatever thread it is."""
        return super().sign(msg_list)


class NumberedIOPubThread(IOPubThread):
    """The IOPub thread, which numbers and signs; output of forked children comes over a private Unix socket."""

    def __init__(self, socket: zmq.Socket[Any], *, session: SealedSession, child_socket: str) -> None:
        self._child_socket = child_socket
        self._number = 0
        super().__init__(socket, pipe=True, session=session)

    def _setup_pipe_in(self) -> None:
        """Listen on a Unix socket where ipykernel would on a TCP port, which every local user can reach."""
        from zmq.eventloop.zmqstream import ZMQStream  # noqa: PLC0415

        self._pipe_uuid = os.urandom(16)
        pipe_in = self.socket.context.socket(zmq.PULL)
        pipe_in.linger = 0
        pipe_in.bind(f"ipc://{self._child_socket}")
        self._pipe_in = ZMQStream(pipe_in, self.io_loop)
        self._pipe_in.on_recv(self._handle_pipe_msg)

    def _setup_pipe_out(self) -> tuple[zmq.Context[Any], zmq.Socket[Any]]:
        context: zmq.Context[Any] = zmq.Context()  # a parent's context is of no use after a fork
        pipe_out = context.socket(zmq.PUSH)
        pipe_out.linger = 3000
        pipe_out.connect(f"ipc://{self._child_socket}")
        return context, pipe_out

    def _really_send(self, msg: list[Any], *args: Any, **options: Any) -> None:
        if self._check_mp_mode() == MASTER and not self.closed:
            msg = self._numbered(msg)
        super()._really_send(msg, *args, **options)

    def _numbered(self, msg: list[Any]) -> list[Any]:
        try:
            start = msg.index(DELIM)
            metadata = json.loads(bytes(msg[start + _METADATA]))
        except (ValueError, IndexError, TypeError):
            return msg
        self._number += 1
        jiqi = metadata.get("jiqi")
        metadata["jiqi"] = {**(jiqi if isinstance(jiqi, dict) else {}), "n": self._number}
        numbered = list(msg)
        numbered[start + _METADATA] = self.session.pack(metadata)
        numbered[start + _SIGNATURE] = self.session.seal(numbered[start + 2 : start + _CONTENT + 1])
        return numbered
