"""What users cost the web process, and what one user's huge outputs cost the others.

Part 1: 100 new guests one after the other, each with a Jupyter application: resident memory and main-thread CPU per user.
Part 2: one user displays 150 MB and opens a 90 MB notebook while another asks for small things: their p99.
"""

import argparse
import asyncio
import json
import os
import statistics
import time
from pathlib import Path

import httpx
from tests.bench.report import percentile, report, say, spread
from tests.harness.click import Page, channels, execute_request, open_lesson, run, xsrf
from tests.harness.stack import Stack, stack
from tests.harness.warm import wait_warm

ROUNDS = 4


def web_pid(running: Stack) -> int:
    """Return the process id of `jiqi web` of this installation."""
    marker = f"JIQI_STATE={running.state}".encode()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            command = (entry / "cmdline").read_bytes().split(b"\0")
            if b"web" in command and marker in (entry / "environ").read_bytes().split(b"\0"):
                return int(entry.name)
        except OSError:
            continue
    raise LookupError("no web process")


def resident(pid: int) -> float:
    """Return resident memory in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def loop_seconds(pid: int) -> float:
    """Return the CPU seconds of the main thread, which runs the event loop."""
    fields = Path(f"/proc/{pid}/task/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def new_user(running: Stack) -> None:
    """Become a guest and ask the own Jupyter application for its root folder and sessions."""
    async with (
        httpx.AsyncClient(base_url=running.portal, timeout=60) as portal,
        httpx.AsyncClient(base_url=running.notebook, timeout=60) as notebook,
    ):
        await portal.get("/")
        (await portal.post("/api/v1/guest", json={}, headers=xsrf(portal))).raise_for_status()
        entered = await portal.post("/api/v1/enter", json={}, headers=xsrf(portal))
        entered.raise_for_status()
        enter = entered.json()["enter"]
        await notebook.post(enter["action"], data={"ticket": enter["ticket"], "next": enter["next"]})
        me = (await portal.get("/api/v1/me")).json()
        base = f"/user/{me['user']['id']}"
        (await notebook.get(f"{base}/api/contents?content=1")).raise_for_status()
        (await notebook.get(f"{base}/api/sessions")).raise_for_status()


async def many(running: Stack, *, count: int) -> tuple[float, float]:
    """Return (MB, loop milliseconds) per new user over `count` users."""
    pid = web_pid(running)
    for _ in range(5):
        await new_user(running)
    memory, loop = resident(pid), loop_seconds(pid)
    for number in range(count):
        await new_user(running)
        if number % 25 == 24:
            say(f"users {number + 1}: {(resident(pid) - memory) / (number + 1):.3f} MB each")
    return (resident(pid) - memory) / count, (loop_seconds(pid) - loop) / count * 1000


async def noisy(running: Stack, *, page: Page) -> None:
    """Display 150 MB in one output, then open a notebook of 90 MB."""
    socket = await channels(running, page)
    code = "from IPython.display import publish_display_data as d\nd({'text/plain': 'x' * 150_000_000})\nprint('end')"
    await socket.write_message(execute_request(code), binary=True)
    cells = [
        {"cell_type": "raw", "id": f"c{i}", "metadata": {}, "source": "y" * 1_000_000} for i in range(90)
    ]
    big = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    home = running.state / "homes" / page.boot["user"]["id"] / page.boot["project"]["folder"]
    path = home / "big.ipynb"
    await asyncio.to_thread(path.write_text, json.dumps(big))
    url = f"{page.boot['base_url']}api/contents/{page.boot['project']['folder']}/big.ipynb?content=1"
    async with page.notebook.stream("GET", url) as answer:
        assert answer.status_code == 200, answer.status_code
        async for _ in answer.aiter_raw():
            pass
    await run(socket, "print('after')", timeout=120)
    path.unlink()
    socket.close()


async def others(page: Page, *, end: asyncio.Event) -> list[float]:
    """Return the times of another user's small requests until `end`."""
    base = page.boot["base_url"]
    times = []
    while not end.is_set():
        for path in ("api/sessions", "api/contents?content=1"):
            began = time.perf_counter()
            (await page.notebook.get(base + path)).raise_for_status()
            times.append(time.perf_counter() - began)
        await asyncio.sleep(0.01)
    return times


async def quiet_while_noisy(running: Stack) -> list[float]:
    """Return the quiet user's request times while the noisy one works."""
    noisy_page = await open_lesson(running)
    quiet_page = await open_lesson(running)
    end = asyncio.Event()
    task = asyncio.create_task(others(quiet_page, end=end))
    try:
        for _ in range(ROUNDS):
            await noisy(running, page=noisy_page)
    finally:
        end.set()
    return await task


def main() -> None:
    """Run both parts and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=100)
    options = parser.parse_args()
    with stack(pool="torch-cpu/none=2") as running:
        wait_warm(running, 2)
        memory, loop = asyncio.run(many(running, count=options.n))
        times = asyncio.run(quiet_while_noisy(running))
    p99 = percentile(times, 0.99)
    ok = memory <= 1.0 and loop <= 30 and p99 <= 0.150
    note = f"per user {memory:.3f} MB (≤ 1) and {loop:.1f} ms of loop (≤ 30); others p99 {p99 * 1000:.0f} ms (≤ 150), {spread(times)}, {len(times)} requests, mean {statistics.fmean(times) * 1000:.1f} ms"
    report(bench="web", value=memory, unit="MB/user", target=1.0, ok=ok, n=options.n, note=note)


if __name__ == "__main__":
    main()
