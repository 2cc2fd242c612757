"""Wheels for an image, downloaded by the host's pip: its index, certificates and wheel folders stay on the host."""

from __future__ import annotations

import importlib.util
import platform
import sys
from pathlib import Path

from docker_cli import BuildError, run_logged

IMAGE_PYTHON = (3, 11)
_PLATFORMS = (
    "manylinux_2_28",
    "manylinux_2_27",
    "manylinux_2_24",
    "manylinux_2_17",
    "manylinux2014",
    "manylinux_2_5",
)


def download(lock: Path, *, to: Path, log: Path) -> None:
    """Fill the folder with every wheel that the lock file names, for the image's Python."""
    to.mkdir()
    if not _has_pip():
        raise BuildError(
            f"{sys.executable} 没有 pip / has no pip: apt-get install python3-venv, or use the venv's Python"
        )
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--only-binary",
        ":all:",
        "--dest",
        str(to),
        "-r",
        str(lock),
    ]
    run_logged([*command, "--disable-pip-version-check", *_target()], log=log)


def _target() -> list[str]:
    """Options for another Python than the image's; none when this one is the same."""
    if sys.version_info[:2] == IMAGE_PYTHON and platform.libc_ver()[0] == "glibc":
        return []
    machine = platform.machine()
    major, minor = IMAGE_PYTHON
    options = ["--implementation", "cp", "--python-version", f"{major}.{minor}"]
    for abi in (f"cp{major}{minor}", "abi3", "none"):
        options += ["--abi", abi]
    for name in _PLATFORMS:
        options += ["--platform", f"{name}_{machine}"]
    return options


def _has_pip() -> bool:
    return importlib.util.find_spec("pip") is not None
