"""Is the process alive, can it work, and its figures: /healthz, /readyz for everybody; /metrics on the loopback."""

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
import structlog
from tornado import web

from jiqi.services.ports import Database, Transaction
from jiqi.web.call import Services
from jiqi.web.handlers import Handler
from jiqi.web.metrics import Metrics
from jiqi.web.pool import Pool

log = structlog.get_logger()
_FREE_LEAST: Final = 256 * 1024 * 1024
_SECONDS: Final = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """What readiness looks at; every check runs in a pool of its own, so that a frozen part cannot take the others."""

    database: Database
    ping: Callable[[], bool]
    services: Services
    state: Path
    pool: Pool

    async def codes(self) -> dict[str, str]:
        """Return for each part "ok" or the code of what is wrong."""
        parts: dict[str, Callable[[], str]] = {
            "database": self._database,
            "broker": self._broker,
            "agent": self._agent,
            "disk": self._disk,
        }
        found = await asyncio.gather(*(self._ask(name, check) for name, check in parts.items()))
        return dict(zip(parts, found, strict=True))

    async def _ask(self, name: str, check: Callable[[], str]) -> str:
        silent = {"database": "database.down", "broker": "broker.down", "agent": "agent.silent"}
        try:
            return await asyncio.wait_for(self.pool.run(check), _SECONDS)
        except Exception as error:
            log.warning("check_failed", part=name, error=type(error).__name__)
            return silent.get(name, "unavailable")

    def _database(self) -> str:
        self.database.read(lambda tx: tx.outbox.oldest(limit=1))
        return "ok"

    def _broker(self) -> str:
        return "ok" if self.ping() else "broker.down"

    def _agent(self) -> str:
        return self.services.hosts.state().problem or "ok"

    def _disk(self) -> str:
        space = os.statvfs(self.state)
        return "ok" if space.f_bavail * space.f_frsize >= _FREE_LEAST else "disk.full"


class Alive(Handler):
    """`/healthz`: the loop turns."""

    any_host = True

    def get(self) -> None:
        """Say so."""
        self.set_header("Content-Type", "application/json")
        self.finish(b'{"status":"ok"}')

    head = get


class Ready(Handler):
    """`/readyz`: 200 when people can work, else 503 with codes."""

    any_host = True

    def initialize(self, *, checks: Checks) -> None:  # type: ignore[override]
        """Take the checks."""
        super().initialize()
        self._checks = checks

    async def get(self) -> None:
        """Look at every part."""
        codes = await self._checks.codes()
        # Without a broker a start costs two seconds more; everything still works.
        good = all(code == "ok" for part, code in codes.items() if part != "broker")
        self.set_status(200 if good else 503)
        self.set_header("Content-Type", "application/json")
        self.finish(msgspec.json.encode({"status": "ok" if good else "unavailable", "checks": codes}))

    head = get


class Exposition(web.RequestHandler):
    """`/metrics`, on the internal listener only."""

    def initialize(self, *, metrics: Metrics, database: Database, pool: Pool) -> None:
        """Take what is told."""
        self._metrics, self._database, self._pool = metrics, database, pool

    async def get(self) -> None:
        """Answer as Prometheus reads it; without a database the kernels are left out."""
        try:
            counts, warm = await self._pool.run(self._count)
            self._metrics.kernels(counts)
            self._metrics.warm(warm)
        except Exception as error:
            log.warning("kernels_uncounted", error=type(error).__name__)
        self.set_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        self.finish(self._metrics.text())

    def _count(self) -> tuple[dict[str, int], int]:
        def work(tx: Transaction) -> tuple[dict[str, int], int]:
            nodes = tx.nodes.all()
            live = [k for node in nodes for k in tx.kernels.live_of_node(node.id)]
            return dict(Counter(kernel.status.value for kernel in live)), sum(node.warm for node in nodes)

        return self._database.read(work)


def internal_application(*, metrics: Metrics, database: Database, pool: Pool) -> web.Application:
    """Return the application of the internal listener."""
    arguments: dict[str, Any] = {"metrics": metrics, "database": database, "pool": pool}
    return web.Application([("/metrics", Exposition, arguments)], log_function=lambda _handler: None)
