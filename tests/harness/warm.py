"""Waiting for warm kernels: the agent says in its node's state how many stand ready."""

import time

import httpx

from tests.harness.stack import Stack


def warm(running: Stack) -> int:
    """Return how many warm kernels the installation's agents report."""
    text = httpx.get(running.metrics, timeout=10).text
    return sum(int(float(line.rpartition(" ")[2])) for line in text.splitlines() if line.startswith("jiqi_warm_kernels"))


def wait_warm(running: Stack, count: int, *, timeout: float = 120) -> None:
    """Return when `count` warm kernels stand ready. Raises TimeoutError."""
    deadline = time.monotonic() + timeout
    while warm(running) < count:
        if time.monotonic() > deadline:
            raise TimeoutError(f"no {count} warm kernels\n{running.logs()[-4000:]}")
        time.sleep(0.1)
