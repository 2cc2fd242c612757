"""Sees to it that what was answered also ends: a lost `idle` would leave a cell running for ever on the page.

IOPub drops its connection over a message that is too large, and what follows within moments is lost with it; the reply
comes another way. A request that was answered and whose `idle` does not come is given one.
"""

import asyncio
import contextlib
import json
from collections.abc import Callable, Sequence

SECONDS = 1.0
_KEPT = 500


class Endings:
    """`missing(parent)` is called with the parent header of a request whose end was lost."""

    def __init__(self, *, missing: Callable[[bytes], None]) -> None:
        self._missing = missing
        self._idle: dict[str, None] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def iopub(self, parts: Sequence[bytes]) -> None:
        """Note the end of a request."""
        if b'"status"' not in parts[0] or b'"idle"' not in parts[3]:
            return
        request = _request(parts)
        timer = self._timers.pop(request, None) if request is not None else None
        if timer is not None:
            timer.cancel()
        elif request is not None:
            self._idle[request] = None
            while len(self._idle) > _KEPT:
                self._idle.pop(next(iter(self._idle)))

    def shell(self, parts: Sequence[bytes]) -> None:
        """Note a reply."""
        request = _request(parts) if b'_reply"' in parts[0] else None
        if request is None or request in self._timers:
            return
        if request in self._idle:
            del self._idle[request]
            return
        parent = bytes(parts[1])
        self._timers[request] = asyncio.get_running_loop().call_later(SECONDS, self._lost, request, parent)

    def _lost(self, request: str, parent: bytes) -> None:
        self._timers.pop(request, None)
        self._missing(parent)

    def close(self) -> None:
        """Wait for nothing any more."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()


def _request(parts: Sequence[bytes]) -> str | None:
    with contextlib.suppress(ValueError, KeyError, TypeError):
        return str(json.loads(parts[1])["msg_id"])
    return None
