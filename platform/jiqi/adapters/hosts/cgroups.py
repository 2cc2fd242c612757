"""What the kernel of the host counted for one container: processes killed for memory, and the peak."""

from dataclasses import dataclass
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")
_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFacts:
    """`kills` counts OOM kills inside the container; sizes in MiB."""

    kills: int = 0
    peak_mb: int | None = None
    limit_mb: int | None = None


def memory_facts(pid: int) -> MemoryFacts:
    """Return the counters of the cgroup that holds `pid`, or zeros when it cannot be read."""
    try:
        folder = _folder(Path(f"/proc/{pid}/cgroup").read_text())
    except OSError:
        return MemoryFacts()
    if folder is None:
        return MemoryFacts()
    events = _pairs(folder / "memory.events") or _pairs(folder / "memory.oom_control")
    return MemoryFacts(
        kills=events.get("oom_kill", 0),
        peak_mb=_mib(folder / "memory.peak") or _mib(folder / "memory.max_usage_in_bytes"),
        limit_mb=_mib(folder / "memory.max") or _mib(folder / "memory.limit_in_bytes"),
    )


def _folder(text: str) -> Path | None:
    for line in text.splitlines():
        number, controllers, path = line.split(":", 2)
        # Never the root: its counters are the machine's.
        if path == "/":
            continue
        if "memory" in controllers.split(","):
            return _ROOT / "memory" / path.lstrip("/")
        if number == "0" and (_ROOT / "cgroup.controllers").exists():
            return _ROOT / path.lstrip("/")
    return None


def _pairs(path: Path) -> dict[str, int]:
    try:
        words = [line.split() for line in path.read_text().splitlines()]
        return {word[0]: int(word[1]) for word in words if len(word) == 2}  # noqa: PLR2004  (name and value)
    except (OSError, ValueError):
        return {}


def _mib(path: Path) -> int | None:
    try:
        return int(path.read_text()) // _MIB
    except (OSError, ValueError):
        return None
