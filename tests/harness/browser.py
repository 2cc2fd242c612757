"""The system's Chromium, as every browser test and bench starts it."""

import shutil

from playwright.async_api import Browser, Playwright

ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-quic",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str:
    """Return the path of the system's Chromium. Raises FileNotFoundError."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        raise FileNotFoundError("chromium: apt-get install chromium")
    return path


async def launch(driver: Playwright) -> Browser:
    """Start a headless browser."""
    return await driver.chromium.launch(executable_path=chromium(), headless=True, args=ARGUMENTS)
