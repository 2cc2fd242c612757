"""The one thread of a process that publishes: it empties the outbox into Celery and survives a frozen broker.

Rows are removed after the broker took them, so that a crash between the two publishes twice; tasks are
wake-ups and bear it.
"""

import threading
from collections.abc import Callable

import structlog

from jiqi.services.ports import Database

log = structlog.get_logger()
_POLL = 2.0
_BATCH = 100


class OutboxRelay:
    """`nudge` returns at once; publishing happens in this object's own thread."""

    def __init__(
        self,
        *,
        database: Database,
        publish: Callable[[str, str, str], None],
        connect: Callable[[], object] = lambda: None,
    ) -> None:
        """Publish by `publish(queue, task, argument)`, which may block or raise, like `connect` before it."""
        self._database = database
        self._publish = publish
        self._connect = connect
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def nudge(self) -> None:
        """Say that there is something new; returns at once."""
        self._wake.set()

    def close(self) -> None:
        """End after the publish under way, waiting a moment for it."""
        self._stop.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout=3)

    def _run(self) -> None:
        # The first person's wake-up must not wait for the imports and the connection (0.3 s).
        try:
            self._connect()
        except Exception as error:
            log.warning("outbox_waits", error=type(error).__name__)
        while not self._stop.is_set():
            self._wake.wait(_POLL)
            self._wake.clear()
            try:
                while self._drain():
                    pass
            except Exception as error:
                log.warning("outbox_waits", error=type(error).__name__)
                self._stop.wait(0.5)

    def _drain(self) -> bool:
        rows = self._database.read(lambda tx: tx.outbox.oldest(limit=_BATCH))
        if not rows or self._stop.is_set():
            return False
        for _, queue, task, argument in rows:
            self._publish(queue, task, argument)
        done = [row[0] for row in rows]
        self._database.write(lambda tx: tx.outbox.remove(done))
        return len(rows) == _BATCH
