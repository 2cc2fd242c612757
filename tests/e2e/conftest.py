"""One real installation with Docker kernels and one Chromium for all browser tests."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.e2e.studio import Studio
from tests.harness.browser import ARGUMENTS, chromium
from tests.harness.stack import ROOT, Stack, stack

# A page, a server and a kernel share two cores with whatever else runs there.
expect.set_options(timeout=30_000)

ARTEFACTS = Path(os.environ.get("JIQI_ARTEFACTS", ROOT / "artefacts"))


@pytest.fixture(scope="package")
def running() -> Iterator[Stack]:
    """Web, scheduler, agent, Valkey, and real containers."""
    with stack(pool="torch-cpu/none=1", ready=180, JIQI_CAPACITY="6") as installation:
        yield installation


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=chromium(), headless=True, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A new person's browser, Chinese, without cookies; errors of the page fail the test."""
    context = browser.new_context(
        locale="zh-CN",
        viewport={"width": 1440, "height": 900},
        accept_downloads=True,
        reduced_motion="reduce",
    )
    tab = context.new_page()
    problems: list[str] = []
    tab.on("pageerror", lambda error: problems.append(str(error)))
    yield tab
    context.close()
    assert not problems, problems


@pytest.fixture
def studio(running: Stack, page: Page, request: pytest.FixtureRequest) -> Iterator[Studio]:
    """The studio page behind `page`, with a screenshot kept of where the test ended; its kernels are stopped."""
    opened = Studio(running, page)
    yield opened
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=ARTEFACTS / f"{request.node.name}.png")
    opened.stop()
