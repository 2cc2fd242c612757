"""The studio page as a person uses it: by its words, its keys and what is seen."""

import contextlib
import re

from playwright.sync_api import Error, Locator, Page, expect
from tests.harness.stack import Stack

SLOW = 60_000
_SCROLLS = 40


class Studio:
    """One tab with the studio page."""

    def __init__(self, running: Stack, page: Page) -> None:
        self.running = running
        self.page = page

    def click_lesson(self, lesson: str = "first-minute") -> None:
        """Follow a lesson's link as from a chat or a course page, and wait until the kernel is ready."""
        self.page.goto(f"{self.running.portal}/open/{lesson}")
        self.page.wait_for_url(re.compile(re.escape(self.running.notebook) + r"/p/"), timeout=SLOW)
        self.wait_state("ready")

    def wait_state(self, state: str) -> None:
        """Wait until the state chip says so."""
        expect(self.page.locator(f'.jq-chip[data-state="{state}"]')).to_be_visible(timeout=SLOW)

    def cell(self, text: str) -> Locator:
        """Return the code cell whose source contains `text` now; it stays that cell when its text changes.

        Only cells near the screen are in the page, so this scrolls as a person would.
        """
        found = self._find(text)
        step = 0
        while found is None and step < _SCROLLS:
            self._scroll(step * 300)
            self.page.wait_for_timeout(60)  # a frame in which the list draws what came into view
            found = self._find(text)
            step += 1
        assert found is not None, f"no cell with {text!r}"
        return found

    def _find(self, text: str) -> Locator | None:
        index = self.page.evaluate(
            """text => [...document.querySelectorAll('.jp-CodeCell')]
              .filter(cell => cell.querySelector('.cm-content')?.innerText.includes(text))
              .map(cell => cell.dataset.windowedListIndex)[0] ?? null""",
            text,
        )
        return None if index is None else self._at(index)

    def _at(self, index: str) -> Locator:
        return self.page.locator(f'.jp-Cell[data-windowed-list-index="{index}"]')

    def _scroll(self, top: int) -> None:
        self.page.evaluate(
            "top => { document.querySelector('.jp-WindowedPanel-outer')?.scrollTo(0, top); }", top
        )

    def run(self, cell: Locator) -> Locator:
        """Run a cell by Ctrl+Enter, wait until it has a number, and return its outputs."""
        cell.locator(".cm-content").click()
        before = cell.locator(".jp-InputArea-prompt").inner_text()
        self.page.keyboard.press("Control+Enter")
        expect(cell.locator(".jp-InputArea-prompt")).to_have_text(re.compile(r"\[\d+\]"), timeout=SLOW)
        expect(cell.locator(".jp-InputArea-prompt")).not_to_have_text(before or " ", timeout=SLOW)
        return cell.locator(".jp-OutputArea")

    def type(self, cell: Locator, source: str) -> None:
        """Replace a cell's source by typing."""
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.press("Delete")
        self.page.keyboard.insert_text(source)

    def new_cell(self, source: str) -> Locator:
        """Add a code cell below the last one and put `source` into it."""
        self._scroll(10**7)
        last = self.page.locator(".jp-CodeCell").last
        last.scroll_into_view_if_needed()
        last.locator(".cm-content").click()
        index = int(last.get_attribute("data-windowed-list-index") or -1)
        self.page.get_by_role("toolbar").get_by_role("button", name="代码", exact=True).click()
        made = self._at(str(index + 1))
        expect(made.locator(".cm-content")).to_have_text("")
        self.type(made, source)
        return made

    def restart(self) -> None:
        """Restart by the toolbar and its question, and wait for the ready kernel."""
        self.page.get_by_role("toolbar").get_by_role("button", name="重启", exact=True).click()
        self.page.get_by_role("dialog").get_by_role("button", name="重启", exact=True).click()
        expect(self.page.get_by_role("dialog")).to_have_count(0)
        self.wait_state("ready")

    def wait_saved(self) -> None:
        """Wait until everything is in the file."""
        expect(self.page.locator('[data-save="saved"]')).to_be_visible(timeout=SLOW)

    def stop(self) -> None:
        """Stop the page's kernel so that the next test has the host for itself."""
        script = """async () => {
          const element = document.getElementById('jiqi-boot');
          if (!element) return;
          const boot = JSON.parse(element.textContent);
          const headers = { 'X-XSRFToken': boot.xsrf.jupyter };
          const listed = await (await fetch(`${boot.base_url}api/kernels`)).json();
          for (const kernel of listed) await fetch(`${boot.base_url}api/kernels/${kernel.id}`, { method: 'DELETE', headers });
        }"""
        with contextlib.suppress(Error):
            self.page.evaluate(script)
