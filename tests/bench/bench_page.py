"""Navigation to an editable cell in headless Chromium with a cold cache: our page against JupyterLab, alternately.

Same server, user, notebook and running kernel; every run is a new browser context. Target: ≤ 1/3 of JupyterLab's.
"""

import argparse
import asyncio
import statistics

from playwright.async_api import Browser, async_playwright
from tests.bench.report import report, say, spread
from tests.harness.browser import launch
from tests.harness.click import Page, channels, first_output, open_lesson
from tests.harness.stack import Stack, stack
from tests.harness.warm import wait_warm

# Runs before the page's own scripts: notes when the first cell can be typed into.
WATCH = """
(() => {
  const editable = () => document.querySelector('.jp-Notebook .jp-CodeCell .cm-content[contenteditable="true"]');
  const look = () => {
    const found = editable();
    if (found && found.getBoundingClientRect().height > 0) { window.__editable = performance.now(); return; }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
"""


async def once(browser: Browser, running: Stack, page: Page, *, url: str) -> tuple[float, int, int]:
    """Return (milliseconds to an editable cell, requests, bytes over the wire) of one cold visit."""
    context = await browser.new_context(viewport={"width": 1440, "height": 900}, locale="zh-CN")
    await context.add_cookies(
        [
            {"name": name, "value": value, "url": running.notebook}
            for name, value in page.notebook.cookies.items()
        ]
    )
    await context.add_init_script(WATCH)
    tab = await context.new_page()
    await tab.goto(url, wait_until="commit")
    # The page's policy forbids wait_for_function's eval; the time is taken inside the page, so polling costs nothing.
    async with asyncio.timeout(120):
        while (taken := await tab.evaluate("window.__editable ?? null")) is None:
            await asyncio.sleep(0.1)
    entries = await tab.evaluate(
        "performance.getEntriesByType('resource').filter(e => e.startTime < window.__editable).map(e => e.transferSize)"
    )
    await context.close()
    return float(taken), len(entries), sum(entries)


async def compare(running: Stack, *, count: int) -> tuple[list[float], list[float], str]:
    """Return our times, JupyterLab's, and what each loads."""
    page = await open_lesson(running)
    socket = await channels(running, page)
    await first_output(socket, "print(1)")
    ours_url = f"{running.notebook}/p/{page.boot['project']['id']}/{page.boot['path']}"
    lab_url = f"{running.notebook}{page.boot['base_url']}lab/tree/{page.boot['path']}"
    ours, labs, weight = [], [], ""
    async with async_playwright() as driver:
        browser = await launch(driver)
        for number in range(count + 1):
            our, requests, size = await once(browser, running, page, url=ours_url)
            lab, lab_requests, lab_size = await once(browser, running, page, url=lab_url)
            say(f"{number}: ours {our:.0f} ms, JupyterLab {lab:.0f} ms")
            if number:
                ours.append(our)
                labs.append(lab)
            weight = f"before editable: ours {requests} requests {size / 1024:.0f} KB, JupyterLab {lab_requests} requests {lab_size / 1024:.0f} KB"
        await browser.close()
    socket.close()
    await page.close()
    return ours, labs, weight


def main() -> None:
    """Run and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=7)
    options = parser.parse_args()
    with stack(pool="torch-cpu/none=1") as running:
        wait_warm(running, 1)
        ours, labs, weight = asyncio.run(compare(running, count=options.n))
    mine, theirs = statistics.median(ours) / 1000, statistics.median(labs) / 1000
    report(
        bench="page",
        value=mine,
        unit="s",
        ratio=mine / theirs,
        target=0.333,
        ok=mine / theirs <= 1 / 3,
        n=len(ours),
        note=f"ours ms {spread(ours)}; JupyterLab ms {spread(labs)}; {weight}",
    )


if __name__ == "__main__":
    main()
