"""From a new guest's GET of a lesson to the first output of a cell that uses torch; warm pool, then cold.

Everything is counted: GET, POST, copy, claim, ticket, page, websocket, run. Warm: median of 12, target 0.5 s.
"""

import argparse
import asyncio
import statistics
import time

from tests.bench.report import report, say, spread
from tests.harness.click import channels, first_output, open_lesson, xsrf
from tests.harness.stack import Stack, stack
from tests.harness.warm import wait_warm

CELL = "import torch\nprint(float((torch.ones(3, 3) @ torch.ones(3, 3)).sum()))"


async def click(running: Stack) -> dict[str, float]:
    """Return the laps of one click in seconds, `total` last; the kernel is stopped afterwards."""
    began = time.perf_counter()
    page = await open_lesson(running)
    socket = await channels(running, page)
    laps = dict(page.times)
    laps["socket"] = time.perf_counter() - began
    text = await first_output(socket, CELL)
    laps["total"] = time.perf_counter() - began
    assert text.startswith("27.0"), text
    socket.close()
    stopped = await page.portal.post(
        f"/api/v1/kernels/{page.kernel_id}/stop", json={}, headers=xsrf(page.portal)
    )
    stopped.raise_for_status()
    await page.close()
    return laps


def main() -> None:
    """Run both and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=12, help="clicks on a warm pool")
    parser.add_argument("--cold", type=int, default=3, help="clicks with an empty pool")
    options = parser.parse_args()
    warm: list[dict[str, float]] = []
    with stack(pool="torch-cpu/none=1") as running:
        for count in range(options.n + 1):
            wait_warm(running, 1)
            laps = asyncio.run(click(running))
            say(f"warm {count}: " + " ".join(f"{key}={value:.3f}" for key, value in laps.items()))
            if count:  # the first click fills the caches of a server that has just started
                warm.append(laps)
    cold: list[float] = []
    with stack(pool="torch-cpu/none=0") as running:
        for count in range(options.cold):
            laps = asyncio.run(click(running))
            say(f"cold {count}: {laps['total']:.3f}")
            cold.append(laps["total"])
    totals = [laps["total"] for laps in warm]
    value, cold_value = statistics.median(totals), statistics.median(cold)
    report(
        bench="click",
        value=value,
        unit="s",
        target=0.5,
        ok=value <= 0.5 and cold_value <= 5.0,
        n=len(totals),
        note=f"warm {spread(totals)}; cold (empty pool) {spread(cold)}, target 5",
    )


if __name__ == "__main__":
    main()
