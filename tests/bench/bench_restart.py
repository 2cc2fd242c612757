"""From the request to restart to the first output of a cell that uses torch again; target 0.5 s."""

import argparse
import asyncio
import statistics
import time

from tests.bench.report import report, say, spread
from tests.harness.click import channels, first_output, open_lesson, xsrf
from tests.harness.stack import Stack, stack
from tests.harness.warm import wait_warm

# Nobody restarts again within this time; in it the runtime forks its next standby process.
PAUSE = 1.5
CELL = "import torch\nprint(int(torch.arange(4).sum()))"


async def restarts(running: Stack, *, count: int) -> list[float]:
    """Return `count` restart times in seconds on one kernel and one open websocket."""
    page = await open_lesson(running)
    socket = await channels(running, page)
    await first_output(socket, CELL)
    path = f"{page.boot['base_url']}api/kernels/{page.kernel_id}/restart"
    headers = {"X-XSRFToken": page.boot["xsrf"]["jupyter"]}
    times = []
    for number in range(count):
        began = time.perf_counter()
        (await page.notebook.post(path, headers=headers)).raise_for_status()
        assert (await first_output(socket, CELL)).strip() == "6"
        times.append(time.perf_counter() - began)
        say(f"restart {number}: {times[-1]:.3f}")
        await asyncio.sleep(PAUSE)
    await page.portal.post(f"/api/v1/kernels/{page.kernel_id}/stop", json={}, headers=xsrf(page.portal))
    await page.close()
    return times


def main() -> None:
    """Run and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=10)
    options = parser.parse_args()
    with stack(pool="torch-cpu/none=1") as running:
        wait_warm(running, 1)
        times = asyncio.run(restarts(running, count=options.n))
    value = statistics.median(times)
    report(
        bench="restart", value=value, unit="s", target=0.5, ok=value <= 0.5, n=len(times), note=spread(times)
    )


if __name__ == "__main__":
    main()
