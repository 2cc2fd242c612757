"""Signals of the forkserver as something its selector can wait for: a child's exit and SIGTERM end the wait."""

from __future__ import annotations

import contextlib
import selectors
import signal
import socket
from collections.abc import Callable


class Wakeups:
    """Writes a byte to a socket pair for every signal; the handlers themselves do next to nothing."""

    def __init__(self, selector: selectors.BaseSelector, *, on_sigterm: Callable[[], None]) -> None:
        self._wake, self._woken = socket.socketpair()
        self._wake.setblocking(False)
        self._woken.setblocking(False)
        signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda *_: on_sigterm())
        selector.register(self._woken, selectors.EVENT_READ, lambda _mask: self._drain())

    def sockets(self) -> tuple[socket.socket, socket.socket]:
        """Descriptors that a forked child has to close."""
        return self._wake, self._woken

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while self._woken.recv(4096):
                pass
