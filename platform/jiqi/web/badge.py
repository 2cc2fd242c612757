"""The badge that other sites show beside a lesson: an SVG of our own, with nothing fetched from elsewhere."""

import html
import unicodedata

_HEIGHT = 28
_PAD = 12


def badge_svg(title: str, *, language: str) -> str:
    """Return the badge「在即启中打开 · 课程名」; its width is estimated, for an SVG cannot measure text."""
    left = "Open in Jiqi" if language == "en" else "在即启中打开"
    right = title if len(title) <= 24 else title[:23] + "…"  # noqa: PLR2004
    left_width, right_width = _width(left), _width(right)
    total = left_width + right_width
    label = html.escape(f"{left} · {title}", quote=True)
    font = 'font-family="system-ui,PingFang SC,Microsoft YaHei,Noto Sans CJK SC,sans-serif" font-size="13"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{_HEIGHT}" role="img" aria-label="{label}">'
        f"<title>{label}</title>"
        f'<clipPath id="r"><rect width="{total}" height="{_HEIGHT}" rx="6"/></clipPath><g clip-path="url(#r)">'
        f'<rect width="{left_width}" height="{_HEIGHT}" fill="#2a62d8"/>'
        f'<rect x="{left_width}" width="{right_width}" height="{_HEIGHT}" fill="#eef2fb"/></g>'
        f'<text x="{left_width / 2}" y="19" fill="#fff" text-anchor="middle" {font}>{html.escape(left)}</text>'
        f'<text x="{left_width + right_width / 2}" y="19" fill="#1c2330" text-anchor="middle" {font}>'
        f"{html.escape(right)}</text></svg>"
    )


def _width(text: str) -> int:
    wide = sum(1 for letter in text if unicodedata.east_asian_width(letter) in "WF")
    return round(13 * wide + 7.3 * (len(text) - wide)) + 2 * _PAD
