"""The two built pages of the frontend, with boot data and nonce put in; read again when they are built anew."""

import html
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jiqi.domain.errors import UnavailableError

BOOT = "<!--jiqi:boot-->"
NONCE = "__JIQI_NONCE__"


class FrontendMissingError(UnavailableError):
    """The frontend was not built yet."""

    code = "frontend.missing"


@dataclass(slots=True)
class _Page:
    changed: int
    text: str


class BuiltPages:
    """`portal.html` and `notebook.html` of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pages: dict[str, _Page] = {}

    def render(self, name: str, *, boot: str, nonce: str, language: str, title: str = "") -> str:
        """Return a page with `boot` (from `inline_json`). Raises FrontendMissingError. Reads what changed only."""
        text = self._read(name)
        script = f'<script type="application/json" id="jiqi-boot" nonce="{nonce}">{boot}</script>'
        if title:
            before, _, rest = text.partition("<title>")
            text = f"{before}<title>{html.escape(title)}</title>{rest.partition('</title>')[2]}"
        text = text.replace('<html lang="zh-CN">', f'<html lang="{language}">', 1)
        # The nonce first: boot data holds people's words, which must not be read as placeholders.
        return text.replace(NONCE, nonce).replace(BOOT, script, 1)

    def _read(self, name: str) -> str:
        path = self._folder / f"{name}.html"
        try:
            changed = path.stat().st_mtime_ns
            page = self._pages.get(name)
            if page is None or page.changed != changed:
                page = self._pages[name] = _Page(changed, path.read_text("utf-8"))
        except OSError as error:
            raise FrontendMissingError from error
        return page.text


def inline_json(value: Any) -> str:
    """Return JSON that is safe inside a script element: no `<`, and no line separators of JavaScript."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
