"""What a kernel process gives up before user code runs in it: core files, survival of its parent, OOM standing."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_FIRST_TO_GO = "500"


def for_forkserver() -> None:
    """Adopt orphans of user code, so that stopping a kernel ends all that it started; files are group-writable."""
    os.umask(0o007)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    _quiet_core()


def for_kernel(*, parent: int) -> None:
    """Lead an own session, die with the forkserver, and be the OOM killer's choice before it."""
    os.setsid()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_FIRST_TO_GO)
    _quiet_core()


def _quiet_core() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)
