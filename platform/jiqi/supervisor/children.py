"""Child processes that are started again when they end by themselves, each time a little later."""

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
_STEADY = 60.0
_LOG_MOST = 20 * 1024 * 1024


def pause_before(failures: int) -> float:
    """Return the seconds to wait before the start that follows `failures` ends in a row."""
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** max(failures - 1, 0)) if failures else 0.0


@dataclass(frozen=True, kw_only=True)
class Ended:
    """A child that ended by itself: its exit status (negative: the signal), and the pause until it is started."""

    name: str
    code: int
    pause: float
    last_line: str


class Child:
    """One command whose output goes to its own log file, in a process group that Ctrl-C does not reach."""

    def __init__(
        self, *, name: str, command: Sequence[str], log: Path, environ: Mapping[str, str] | None = None
    ) -> None:
        self.name = name
        self._command = list(command)
        self._log = log
        self._environ = dict(environ) if environ is not None else None
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._failures = 0
        self._due: float | None = None

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Start the process."""
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self._environ,
                start_new_session=True,
            )
        self._started = time.monotonic()
        self._due = None

    def look(self) -> Ended | None:
        """Notice an end, once; start again when the pause is over."""
        if self._process is None:
            if self._due is not None and time.monotonic() >= self._due:
                self.start()
            return None
        code = self._process.poll()
        if code is None:
            self._shorten_log()
            return None
        steady = time.monotonic() - self._started >= _STEADY
        self._failures = 1 if steady else self._failures + 1
        pause = pause_before(self._failures)
        self._due = time.monotonic() + pause
        self._process = None
        return Ended(name=self.name, code=code, pause=pause, last_line=self._last_line())

    def signal(self, number: signal.Signals) -> None:
        """Send a signal when the process runs."""
        if self._process is not None and self._process.poll() is None:
            os.kill(self._process.pid, number)

    def stop(self, *, until: float) -> bool:
        """Wait for the end until the monotonic time `until`, then kill; say whether it ended by itself."""
        self._due = None
        if self._process is None:
            return True
        try:
            self._process.wait(timeout=max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return False
        finally:
            self._process = None
        return True

    def _shorten_log(self) -> None:
        # The child writes in append mode, so that cutting the file under it is safe; one older file is kept.
        try:
            if self._log.stat().st_size <= _LOG_MOST:
                return
            self._log.with_suffix(".log.1").write_bytes(self._log.read_bytes())
            os.truncate(self._log, 0)
        except OSError:
            return

    def _last_line(self) -> str:
        try:
            with self._log.open("rb") as log:
                log.seek(max(0, os.fstat(log.fileno()).st_size - 4096))
                lines = log.read().decode(errors="replace").strip().splitlines()
        except OSError:
            return ""
        return lines[-1][:300] if lines else ""
