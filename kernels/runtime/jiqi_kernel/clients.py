"""The control socket's clients: lines in, lines out, and limits that no client can push past.

The socket lies where user code can write, so a client may be anybody: it may send without end, never read,
or open connections until none are left. Each of these costs that client its connection and nobody else anything.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import socket
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from jiqi_kernel.protocol import MAX_LINE, RequestError, failed

MAX_CLIENTS = 32
MAX_UNREAD = 1024 * 1024
_CHUNK = 64 * 1024


class Client:
    """One connection: what it sent short of a line, and what it has not read yet."""

    def __init__(self, connection: socket.socket, *, number: int) -> None:
        self.connection = connection
        self.number = number
        self.received = bytearray()
        self.unread = bytearray()
        self.closed = False


class Clients:
    """Listens on a Unix socket and hands each line to `on_line(client, line)`."""

    def __init__(
        self, path: Path, *, selector: selectors.BaseSelector, on_line: Callable[[Client, bytes], None]
    ) -> None:
        self._path = path
        self._selector = selector
        self._on_line = on_line
        self._numbers = count()
        self._open: dict[int, Client] = {}
        self._listener: socket.socket | None = None
        self._identity = (0, 0)
        self.listen()

    def listen(self) -> None:
        """Bind the socket anew; user code may have removed or replaced the file."""
        if self._listener is not None:
            self._selector.unregister(self._listener)
            self._listener.close()
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()
        listener = socket.socket(socket.AF_UNIX)
        listener.setblocking(False)
        listener.bind(str(self._path))
        listener.listen(MAX_CLIENTS)
        self._selector.register(listener, selectors.EVENT_READ, self._accept)
        self._listener = listener
        self._identity = self._file_identity()

    def mend(self) -> None:
        """Listen again when the socket's file is no longer ours."""
        if self._file_identity() != self._identity:
            with contextlib.suppress(OSError):
                self.listen()

    def send(self, client: Client, line: bytes) -> None:
        """Queue a line; a client that leaves too much unread is dropped."""
        if client.closed:
            return
        client.unread += line
        self._flush(client)
        if len(client.unread) > MAX_UNREAD:
            self.drop(client)

    def broadcast(self, line: bytes) -> None:
        """Queue a line for every client."""
        for client in list(self._open.values()):
            self.send(client, line)

    def drop(self, client: Client) -> None:
        """Close a connection."""
        if not client.closed:
            client.closed = True
            self._open.pop(client.number, None)
            self._selector.unregister(client.connection)
            client.connection.close()

    def sockets(self) -> Iterator[socket.socket]:
        """Every descriptor that a forked child has to close."""
        if self._listener is not None:
            yield self._listener
        for client in self._open.values():
            yield client.connection

    def _accept(self, _mask: int) -> None:
        if self._listener is None:
            return
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return
        connection.setblocking(False)
        if len(self._open) >= MAX_CLIENTS:
            self.drop(self._open[min(self._open)])
        client = Client(connection, number=next(self._numbers))
        self._open[client.number] = client
        self._selector.register(connection, selectors.EVENT_READ, lambda mask: self._ready(client, mask))

    def _ready(self, client: Client, mask: int) -> None:
        if mask & selectors.EVENT_WRITE:
            self._flush(client)
        if mask & selectors.EVENT_READ and not client.closed:
            self._receive(client)

    def _receive(self, client: Client) -> None:
        try:
            data = client.connection.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.drop(client)
            return
        client.received += data
        while not client.closed and (end := client.received.find(b"\n")) >= 0:
            line = bytes(client.received[:end])
            del client.received[: end + 1]
            if line.strip() and len(line) <= MAX_LINE:
                self._on_line(client, line)
            elif line.strip():
                self._refuse_long_line(client)
        if len(client.received) > MAX_LINE:
            self._refuse_long_line(client)

    def _refuse_long_line(self, client: Client) -> None:
        self.send(client, failed(None, error=RequestError("line_too_long", f"lines end at {MAX_LINE} bytes")))
        self.drop(client)

    def _flush(self, client: Client) -> None:
        if client.closed:
            return
        try:
            while client.unread:
                del client.unread[: client.connection.send(client.unread[:_CHUNK])]
        except BlockingIOError:
            pass
        except OSError:
            self.drop(client)
            return
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if client.unread else 0)
        self._selector.modify(client.connection, wanted, lambda mask: self._ready(client, mask))

    def _file_identity(self) -> tuple[int, int]:
        try:
            found = os.lstat(self._path)
        except OSError:
            return (0, 0)
        return (found.st_dev, found.st_ino)
