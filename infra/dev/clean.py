"""make clean: build products always, a person's data only with CONFIRM=delete-data, and never through a mount point."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import places
from places import FRONTEND, ROOT, VENV
from steps import SetupError

from jiqi import console
from jiqi.supervisor import instance

WORD = "delete-data"


def run(arguments: list[str]) -> int:
    """Remove what can be made again; with the word as argument also the state folder. Refuses while running."""
    here = places.read()
    if instance.running(here.state) is not None:
        raise SetupError("clean.running")
    products = [
        VENV,
        ROOT / ".cache",
        FRONTEND / "node_modules",
        FRONTEND / "dist",
        here.state / "envs",
        here.state / "images",
        here.state / "valkey",
    ]
    gone = [path for path in products if remove(path)]
    console.say("clean.done", names="、".join(_short(path) for path in gone) or "-")
    if not here.state.exists():
        return 0
    if WORD in arguments or _asked():
        remove(here.state)
        console.say("clean.data", state=here.state)
    else:
        console.say("clean.kept", state=here.state)
    return 0


def remove(path: Path) -> bool:
    """Remove a tree; say whether there was one. Raises SetupError, with nothing removed, when it holds a mount point.

    A bind mount on the same file system looks like any folder (`os.path.ismount` says no), and removing through it
    empties what is mounted: only the kernel's own list tells.
    """
    if path.is_symlink() or path.is_file():
        path.unlink()
        return True
    if not path.exists():
        return False
    mounted = mounts_beneath(path)
    if mounted:
        raise SetupError("clean.mounted", path=mounted[0])
    shutil.rmtree(path)
    return True


def mounts_beneath(path: Path, *, table: str | None = None) -> list[str]:
    """Return the mount points at or beneath `path`, read from `table` (/proc/self/mountinfo by default)."""
    top = os.path.realpath(path)
    text = Path("/proc/self/mountinfo").read_text() if table is None else table
    points = [_unescape(line.split()[4]) for line in text.splitlines() if line]
    return [point for point in points if point == top or point.startswith(top.rstrip("/") + "/")]


def _unescape(text: str) -> str:
    # mountinfo writes space, tab, newline and backslash as octal; other bytes stand as they are.
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, character)
    return text


def _short(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def _asked() -> bool:
    return os.environ.get("CONFIRM") == WORD
