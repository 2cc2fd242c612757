"""Checks that every kernel image makes of itself at the end of its build, as a kernel runs: no user name, read-only."""

# ruff: noqa: INP001, S101, S108, T201, PLC0415, ICN001 - a script of asserts, run inside an image

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from importlib import metadata
from pathlib import Path
from typing import Any

LOCK = Path(__file__).with_name("requirements.lock")
START_SECONDS = 240.0


def locked_versions() -> None:
    """Every distribution of the lock file is there in its version."""
    for line in LOCK.read_text().splitlines():
        name, separator, version = line.partition("==")
        if separator and not line.startswith("#"):
            found = metadata.version(name).partition("+")[0]
            assert found == version.lstrip("=").partition("+")[0], f"{name}: {found}, locked {version}"
    print(f"python {sys.version.partition(' ')[0]}, {LOCK.name} kept", flush=True)


def compiled() -> None:
    """Modules come from .pyc files of the build; a read-only root could never write them."""
    import numpy

    assert numpy.__spec__ is not None
    cached = numpy.__spec__.cached
    assert cached is not None
    assert Path(cached).is_file(), cached


def chinese_plot() -> None:
    """A figure with a Chinese title and a minus sign draws without one missing glyph, in Noto's simplified face."""
    from jiqi_kernel.preload import settle_environment

    settle_environment()
    import matplotlib
    from matplotlib import font_manager

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    for family in (None, "SimHei", "Arial"):
        with (
            matplotlib.rc_context({} if family is None else {"font.sans-serif": [family]}),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("error")
            figure, axes = plt.subplots()
            axes.plot([-1, 0, 1], [-1, 0, 1], label="图例")
            axes.set_title("中文标题：负号 −1，龘")
            axes.legend()
            figure.canvas.draw()
            plt.close(figure)
    print("font", Path(font_manager.findfont(font_manager.FontProperties())).name, flush=True)


def kernel_starts() -> None:
    """The real forkserver preloads all it should, keeps a standby and starts a kernel from it."""
    run = Path(tempfile.mkdtemp(prefix="v"))
    command = [sys.executable, "-m", "jiqi_kernel", "serve", "--run", str(run)]
    with subprocess.Popen(command) as process:
        try:
            control = _connect(run / "ctl")
            hello = _ask(control, op="hello")
            missing = set(os.environ["JIQI_PRELOAD"].split(",")) - set(hello["preloaded"])
            assert not missing, f"not preloaded: {missing}"
            start = {
                "kernel_id": "v",
                "generation": 1,
                "key": "00",
                "prefix": str(run / "s"),
                "cwd": "/tmp",
                "env": {},
            }
            started = _ask(control, op="start", **start)
            assert started["ok"], started
            assert started["cold"] is False
            print(f"preload {hello['preload_seconds']} s, start {started['seconds']} s", flush=True)
        finally:
            process.terminate()


def _connect(path: Path) -> socket.socket:
    deadline = time.monotonic() + START_SECONDS
    while True:
        control = socket.socket(socket.AF_UNIX)
        try:
            control.connect(str(path))
        except OSError:
            assert time.monotonic() < deadline, "the forkserver does not answer"
            time.sleep(0.05)
        else:
            return control


def _ask(control: socket.socket, **request: Any) -> dict[str, Any]:
    control.sendall(json.dumps({"id": 1, **request}).encode() + b"\n")
    with control.makefile("rb") as lines:
        while True:
            message: dict[str, Any] = json.loads(lines.readline())
            if "event" not in message:
                return message
