"""Waiting until the next person finds a warm kernel, as /metrics tells it."""

import time

import httpx
from tests.harness.stack import Stack


def gauges(running: Stack, name: str) -> float:
    """Return the sum of a metric over its labels."""
    text = httpx.get(running.metrics, timeout=10).text
    values = [
        line.rpartition(" ")[2] for line in text.splitlines() if line.split("{")[0].split(" ")[0] == name
    ]
    return sum(float(value) for value in values)


def wait_warm(running: Stack, count: int, *, seconds: float = 120) -> None:
    """Return when no kernel lives and `count` warm ones stand ready. Raises TimeoutError."""
    deadline = time.monotonic() + seconds
    while gauges(running, "jiqi_kernels") or gauges(running, "jiqi_warm_kernels") < count:
        if time.monotonic() > deadline:
            raise TimeoutError(f"no {count} warm kernels\n{running.logs()[-4000:]}")
        time.sleep(0.1)
