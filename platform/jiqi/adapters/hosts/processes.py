"""Processes found by what the kernel of the host says of them; nothing has to be remembered across a restart."""

import contextlib
import os
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_STATE, _PARENT, _START = 0, 1, 19


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """One process; `start` (clock ticks after boot) tells it from a later one with the same number."""

    pid: int
    parent: int
    start: int
    dead: bool


def process(pid: int) -> Process | None:
    """Return the process, a zombie marked dead, or None."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    # The name in parentheses may hold anything, also parentheses.
    fields = text.rpartition(")")[2].split()
    return Process(
        pid=pid, parent=int(fields[_PARENT]), start=int(fields[_START]), dead=fields[_STATE] in {"Z", "X"}
    )


def processes() -> list[Process]:
    """Return every process."""
    return [
        found
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and (found := process(int(entry.name)))
    ]


def environ(pid: int) -> dict[str, str]:
    """Return the variables that a process was started with, when we may see them."""
    try:
        raw = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return {}
    pairs = [os.fsdecode(part).partition("=") for part in raw.split(b"\0") if part]
    return {name: value for name, _, value in pairs}


def descendants(pid: int) -> set[int]:
    """Return the processes that `pid` started, and theirs."""
    everyone = processes()
    found = {pid}
    while True:
        more = {one.pid for one in everyone if one.parent in found} - found
        if not more:
            return found - {pid}
        found |= more


def kill_all(pids: Iterable[int]) -> None:
    """End processes at once."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def await_gone(pid: int, *, start: int, seconds: float) -> bool:
    """Say whether the process ended within `seconds`, reaping it when it is our child."""
    end = time.monotonic() + seconds
    while True:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
        found = process(pid)
        if found is None or found.dead or found.start != start:
            return True
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
