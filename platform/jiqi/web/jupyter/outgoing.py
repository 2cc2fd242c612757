"""What waits to be sent to one browser: bounded in bytes, with a mark where something was left out.

Outputs are left out rather than held without end; replies, states and questions always go through.
"""

import asyncio
import json
from collections.abc import Callable, Sequence

from jiqi.web.jupyter import wire

LIMIT = 16 * 1024 * 1024
# Never dropped: without them a cell would look as if it ran for ever, or a widget as if it did not exist.
_KEPT = frozenset(
    {"status", "execute_input", "error", "comm_open", "comm_close", "clear_output", "debug_event"}
)

Write = Callable[[bytes | str], "asyncio.Future[None]"]
Mark = Callable[[int, int, bytes], Sequence[bytes]]


class Outgoing:
    """`write(data)` returns a future that is done when the data left; `mark(messages, bytes, parent)` makes the mark."""

    def __init__(self, *, write: Write, mark: Mark, v1: bool, limit: int = LIMIT) -> None:
        self._write, self._mark, self._v1, self._limit = write, mark, v1, limit
        self.waiting = 0
        self._left_out = 0
        self._left_out_bytes = 0
        self._parent = b"{}"

    def send(self, channel: str, parts: Sequence[bytes]) -> None:
        """Send a message, or leave it out when too much waits."""
        size = sum(len(part) for part in parts)
        if self.waiting and self.waiting + size > self._limit and channel == "iopub" and not _kept(parts):
            self._left_out += 1
            self._left_out_bytes += size
            self._parent = bytes(parts[1])
            return
        if self._left_out and self.waiting <= self._limit // 2:
            self._tell()
        self._put(channel, parts, size)

    def _tell(self) -> None:
        parts = self._mark(self._left_out, self._left_out_bytes, self._parent)
        self._left_out = self._left_out_bytes = 0
        self._put("iopub", parts, sum(len(part) for part in parts))

    def _put(self, channel: str, parts: Sequence[bytes], size: int) -> None:
        try:
            data = wire.write(channel, parts, v1=self._v1)
        except wire.MalformedError:
            return
        self.waiting += size
        future = self._write(data)
        future.add_done_callback(lambda done: self._gone(done, size))

    def _gone(self, future: "asyncio.Future[None]", size: int) -> None:
        self.waiting -= size
        if future.cancelled() or future.exception() is not None:
            self._left_out = 0
            return
        if self._left_out and self.waiting <= self._limit // 2:
            self._tell()


def _kept(parts: Sequence[bytes]) -> bool:
    try:
        return json.loads(parts[0])["msg_type"] in _KEPT
    except (ValueError, KeyError, TypeError):
        return False
