"""One thread that holds a control connection to every kernel and tells when one says `exited` or falls silent."""

import contextlib
import os
import selectors
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from jiqi.adapters.hosts.control import MAX_LINE, SilentError, connect
from jiqi.domain.ids import WarmName

log = structlog.get_logger()
_MOST = 1024 * 1024


@dataclass(slots=True)
class _Watched:
    name: WarmName
    changed: Callable[[], None]
    connection: socket.socket
    line: bytearray = field(default_factory=bytearray)
    total: int = 0


class Watcher:
    """Callbacks run in the watcher's thread and must only leave a note."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._watched: dict[WarmName, _Watched] = {}
        self._lock = threading.Lock()
        self._bell, self._rope = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._selector.register(self._bell, selectors.EVENT_READ, None)
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self._thread.start()

    def watch(self, name: WarmName, folder: Path, *, changed: Callable[[], None]) -> None:
        """Hold a connection to the control socket in `folder`; one that is held already is kept."""
        with self._lock:
            known = self._watched.get(name)
            if known is not None:
                known.changed = changed
                return
        with contextlib.suppress(SilentError):
            connection = connect(folder, seconds=1.0)
            connection.setblocking(False)
            with self._lock:
                self._watched[name] = _Watched(name, changed, connection)
                self._selector.register(connection, selectors.EVENT_READ, self._watched[name])
            os.write(self._rope, b".")

    def names(self) -> set[WarmName]:
        """Return the places to which a connection is held."""
        with self._lock:
            return set(self._watched)

    def unwatch(self, name: WarmName) -> None:
        """Close the connection."""
        with self._lock:
            watched = self._watched.pop(name, None)
            if watched is not None:
                self._selector.unregister(watched.connection)
                watched.connection.close()

    def close(self) -> None:
        """End the thread and close every connection."""
        self._closing = True
        os.write(self._rope, b".")
        self._thread.join(timeout=2)
        for name in list(self._watched):
            self.unwatch(name)
        self._selector.close()
        os.close(self._bell)
        os.close(self._rope)

    def _run(self) -> None:
        while not self._closing:
            for key, _ in self._selector.select():
                if key.data is None:
                    with contextlib.suppress(BlockingIOError):
                        os.read(self._bell, 4096)
                    continue
                try:
                    self._receive(key.data)
                except Exception:
                    log.exception("watcher_error")

    def _receive(self, watched: _Watched) -> None:
        with self._lock:
            if self._watched.get(watched.name) is not watched:
                return
            try:
                data = watched.connection.recv(65536)
            except BlockingIOError:
                return
            except OSError:
                data = b""
        watched.total += len(data)
        watched.line += data
        told = False
        while (cut := watched.line.find(b"\n")) >= 0:
            told = told or b'"exited"' in watched.line[:cut]
            del watched.line[: cut + 1]
        # An honest server says little. One that floods loses the connection; the agent's poll finds its end.
        silent = not data or len(watched.line) > MAX_LINE or watched.total > _MOST
        if silent:
            self.unwatch(watched.name)
        if silent or told:
            watched.changed()
