"""Chinese in plots without 豆腐块: fonts that copied code asks for, and a CJK face behind every other one."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

RC_FILE = Path(__file__).with_name("matplotlibrc")
_PREFERRED = ("Noto Sans CJK SC", "Noto Sans CJK JP", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei")
# Names from Windows and macOS that notebooks found on the net put into rcParams.
_ALIASES = (
    "SimHei", "SimSun", "NSimSun", "FangSong", "KaiTi", "Microsoft YaHei", "Microsoft JhengHei", "DengXian",
    "PingFang SC", "PingFang HK", "Heiti SC", "Heiti TC", "Hiragino Sans GB", "STHeiti", "STSong", "STKaiti",
    "STFangsong", "Songti SC", "Arial Unicode MS", "Source Han Sans SC", "Source Han Sans CN", "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei", "Noto Sans CJK SC", "Noto Sans SC", "AR PL UMing CN",
)  # fmt: skip


def prepare_environment() -> None:
    """Point matplotlib at our settings and at a font cache that it can write, before it is imported."""
    os.environ.setdefault("MATPLOTLIBRC", str(RC_FILE))
    given = os.environ.get("MPLCONFIGDIR")
    if given and os.access(given, os.W_OK):
        return
    # The image's cache is read-only; matplotlib would warn and search all fonts again.
    own = Path(tempfile.gettempdir()) / f"jiqi-matplotlib-{os.getuid()}"
    own.mkdir(mode=0o700, exist_ok=True)
    for cache in Path(given).glob("fontlist-*.json") if given else ():
        shutil.copyfile(cache, own / cache.name)
    os.environ["MPLCONFIGDIR"] = str(own)


def settle(font_manager: ModuleType) -> None:
    """Teach a loaded matplotlib.font_manager the aliases and the face behind every text."""
    manager: Any = font_manager.fontManager  # type: ignore[attr-defined]
    known = {entry.name for entry in manager.ttflist}
    chosen = next((name for name in _PREFERRED if name in known), None)
    if chosen is None:
        return
    faces = [entry for entry in manager.ttflist if entry.name == chosen]
    for alias in _ALIASES:
        if alias not in known:
            manager.ttflist.extend(replace(face, name=alias) for face in faces)
    manager.defaultFamily["ttf"] = chosen
    _put_behind_every_text(manager, chosen)
    # With a face behind every text, a missing family is no reason for a line per label under the plot.
    logging.getLogger("matplotlib.font_manager").addFilter(_is_not_about_a_missing_family)


def _put_behind_every_text(manager: Any, family: str) -> None:
    """A style such as seaborn's names Latin fonts only; glyphs that they lack come from our face."""
    original = getattr(manager, "_find_fonts_by_props", None)
    if original is None:
        return

    def find(prop: Any, fontext: str = "ttf", *args: Any, **options: Any) -> list[Any]:
        found: list[Any] = original(prop, fontext, *args, **options)
        if fontext == "ttf":
            behind = manager.findfont(_same_but(prop, family), fallback_to_default=False)
            if behind not in found:
                found.append(behind)
        return found

    manager._find_fonts_by_props = find  # noqa: SLF001


def _same_but(prop: Any, family: str) -> Any:
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415

    copy = FontProperties(prop) if isinstance(prop, str) else prop.copy()
    copy.set_family(family)
    copy.set_file(None)
    return copy


def _is_not_about_a_missing_family(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith("findfont:") or "not found" not in str(record.msg)
