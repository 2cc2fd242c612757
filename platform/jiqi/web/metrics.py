"""What /metrics tells: requests, the loop's lag, open websockets, active applications, pools, kernels by status."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from tornado import web

log = structlog.get_logger()
_LAG_STEP: Final = 0.1
_LAG_TOLD: Final = 0.25
_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The figures of one web process, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Histogram(
            "jiqi_request_seconds",
            "Requests by part of the site, method and status",
            ("part", "method", "status"),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._lag = Histogram(
            "jiqi_loop_lag_seconds",
            "How late the event loop was",
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._kernels = Gauge(
            "jiqi_kernels", "Live kernels of this installation", ("status",), registry=self.registry
        )
        self._warm = Gauge(
            "jiqi_warm_kernels", "Kernels that stand ready for the next person", registry=self.registry
        )
        self.problems = Counter(
            "jiqi_problems_total", "Answers that were problems, by code", ("code",), registry=self.registry
        )

    def warm(self, count: int) -> None:
        """Say how many warm kernels stand ready on all nodes."""
        self._warm.set(count)

    def watch(self, name: str, text: str, read: Callable[[], float]) -> None:
        """Add a gauge that is read at each scrape."""
        Gauge(name, text, registry=self.registry).set_function(read)

    def request(self, handler: web.RequestHandler) -> None:
        """Count a request that was answered."""
        path = handler.request.path
        part = (
            path.split("/", 2)[1]
            if path.startswith(("/api/", "/user/", "/static/", "/open/", "/p/"))
            else "page"
        )
        self._requests.labels(part, handler.request.method or "?", str(handler.get_status())).observe(
            handler.request.request_time()
        )

    def kernels(self, counts: dict[str, int]) -> None:
        """Say how many kernels there are."""
        self._kernels.clear()
        for status, count in counts.items():
            self._kernels.labels(status).set(count)

    def text(self) -> bytes:
        """Return the exposition that Prometheus reads."""
        return generate_latest(self.registry)

    async def measure_lag(self) -> None:
        """Look ten times a second how late the loop is, for ever."""
        while True:
            begun = time.monotonic()
            await asyncio.sleep(_LAG_STEP)
            late = max(0.0, time.monotonic() - begun - _LAG_STEP)
            self._lag.observe(late)
            if late > _LAG_TOLD:
                log.warning("loop_blocked", seconds=round(late, 3))
