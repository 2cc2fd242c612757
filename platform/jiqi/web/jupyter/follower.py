"""Keeps this process's view of kernels as new as SQL: woken by events, and by a poll when events are lost."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import structlog

from jiqi.domain.ids import KernelId
from jiqi.domain.kernels import Kernel
from jiqi.services.ports import Database, Transaction
from jiqi.web.pool import Pool

log = structlog.get_logger()

POLL = 1.0
POLL_WAITED_FOR = 0.2
_BATCH = 500

Receive = Callable[[KernelId, Kernel | None], None]


@dataclass(frozen=True, slots=True)
class _Followed:
    version: int
    receive: Receive


class Follower:
    """Calls `receive(id, record)` on the loop whenever a followed record's version changed; None when it is gone."""

    def __init__(self, *, database: Database, pool: Pool) -> None:
        self._database = database
        self._pool = pool
        self._followed: dict[KernelId, _Followed] = {}
        self._waited_for: Counter[KernelId] = Counter()
        self._woken: set[KernelId] = set()
        self._event = asyncio.Event()

    def follow(self, kernel: Kernel, receive: Receive) -> None:
        """Follow from this version on."""
        self._followed[kernel.id] = _Followed(kernel.version, receive)

    def forget(self, kernel_id: KernelId) -> None:
        """Follow no longer."""
        self._followed.pop(kernel_id, None)

    def wake(self, kernel_id: KernelId) -> None:
        """Look at a kernel now, when it is followed here."""
        if kernel_id in self._followed:
            self._woken.add(kernel_id)
            self._event.set()

    @contextlib.contextmanager
    def hurry(self, kernel_id: KernelId) -> Iterator[None]:
        """Poll more often while somebody waits for a kernel, so that a dead broker costs little."""
        self._waited_for[kernel_id] += 1
        self._event.set()
        try:
            yield
        finally:
            self._waited_for[kernel_id] -= 1
            if not self._waited_for[kernel_id]:
                del self._waited_for[kernel_id]

    async def run(self) -> None:
        """Follow for ever."""
        full = time.monotonic() + POLL
        while True:
            pause = POLL_WAITED_FOR if self._waited_for else max(full - time.monotonic(), 0)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._event.wait(), pause)
            self._event.clear()
            ids, self._woken = self._woken | set(self._waited_for), set()
            if time.monotonic() >= full:
                ids, full = set(self._followed), time.monotonic() + POLL
            try:
                await self._look(ids)
            except Exception:
                log.exception("kernels_unseen")
                await asyncio.sleep(POLL)

    async def _look(self, ids: set[KernelId]) -> None:
        known = {i: self._followed[i].version for i in ids if i in self._followed}
        if not known:
            return
        for kernel_id, kernel in (await self._pool.run(self._changed, known)).items():
            followed = self._followed.get(kernel_id)
            if followed is None:
                continue
            if kernel is not None:
                self._followed[kernel_id] = replace(followed, version=kernel.version)
            try:
                followed.receive(kernel_id, kernel)
            except Exception:
                log.exception("kernel_change_failed", kernel_id=kernel_id)

    def _changed(self, known: dict[KernelId, int]) -> dict[KernelId, Kernel | None]:
        ids = list(known)
        changed: dict[KernelId, Kernel | None] = {}
        for start in range(0, len(ids), _BATCH):
            batch = ids[start : start + _BATCH]

            def work(tx: Transaction, batch: list[KernelId] = batch) -> dict[KernelId, Kernel | None]:
                versions = tx.kernels.versions(batch)
                return {i: tx.kernels.get(i) for i in batch if versions.get(i) != known[i]}

            changed |= self._database.read(work)
        return changed
