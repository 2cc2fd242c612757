"""The agent's note box: which kernels somebody asked to look after, left by threads that must not wait."""

import queue
from dataclasses import dataclass

from jiqi.domain.ids import KernelId


@dataclass(frozen=True, slots=True)
class Signal:
    """`look`: the kernel may have ended."""

    kernel_id: KernelId
    look: bool


class Signals:
    """Filled by the Celery task, the watcher and the poll; emptied by the supervisor."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Signal | None] = queue.SimpleQueue()

    def wake(self, kernel_id: KernelId) -> None:
        """Say that a record changed."""
        self._queue.put(Signal(kernel_id, look=False))

    def look(self, kernel_id: KernelId) -> None:
        """Say that a kernel may have ended."""
        self._queue.put(Signal(kernel_id, look=True))

    def stop(self) -> None:
        """Let whoever waits go on."""
        self._queue.put(None)

    def get(self, *, seconds: float) -> Signal | None:
        """Return the next note, or None after `seconds` or `stop`."""
        try:
            return self._queue.get(timeout=max(0.0, seconds))
        except queue.Empty:
            return None
