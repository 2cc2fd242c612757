"""The one running instance of a state folder: a lock that dies with its holder, and a file that says where it is.

The standard library only: the bootstrap holds the lock before the virtual environment exists and hands the open
file on through exec.
"""

import fcntl
import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path

_LOCK_FD = "JIQI_LOCK_FD"


@dataclass(frozen=True, kw_only=True)
class Running:
    """Where an instance is. `stage` is preparing, starting, ready or stopping; `step` is shown while preparing."""

    pid: int
    stage: str
    portal_url: str
    port: int
    step: str = ""


class Instance:
    """The held lock of a state folder; every method needs it."""

    def __init__(self, *, state: Path, lock: int) -> None:
        self._file = state / "up.json"
        self._lock = lock

    def tell(self, running: Running) -> None:
        """Publish where the instance is; readers see the old or the new text, never half."""
        draft = self._file.with_suffix(".new")
        draft.write_text(json.dumps(asdict(running)))
        draft.replace(self._file)

    def hand_on(self) -> dict[str, str]:
        """Return the environment with which an exec'd successor takes the lock over."""
        os.set_inheritable(self._lock, True)
        return {_LOCK_FD: str(self._lock)}

    def close(self) -> None:
        """Release: another instance may begin."""
        self._file.unlink(missing_ok=True)
        os.close(self._lock)


def take(state: Path) -> Instance | None:
    """Take the lock of `state` (made when missing), or return None when a living process holds it."""
    state.mkdir(parents=True, exist_ok=True, mode=0o711)
    inherited = os.environ.pop(_LOCK_FD, "")
    if inherited.isdigit():
        lock = int(inherited)
        os.set_inheritable(lock, False)
    else:
        lock = os.open(state / "up.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return Instance(state=state, lock=lock)


def running(state: Path) -> Running | None:
    """Return the instance that holds the lock of `state`, or None when nothing does."""
    try:
        lock = os.open(state / "up.lock", os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return _read(state / "up.json")
    else:
        return None
    finally:
        os.close(lock)


def _read(path: Path) -> Running:
    # The holder writes the file just after it took the lock; in between there is nothing to say yet.
    empty = Running(pid=0, stage="preparing", portal_url="", port=0)
    try:
        return replace(empty, **json.loads(path.read_text()))
    except (OSError, ValueError, TypeError):
        return empty
