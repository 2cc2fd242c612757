"""Homes for the contract tests of files, through openat2 and through the walk."""

import subprocess
from pathlib import Path

import pytest

from jiqi.adapters.files import HomeFiles, open_by_kernel, open_by_walking


@pytest.fixture(params=[open_by_kernel, open_by_walking], ids=["openat2", "walk"])
def home(request, tmp_path) -> HomeFiles:
    root = tmp_path / "homes" / "u1"
    root.parent.mkdir()
    files = HomeFiles(root, opener=request.param)
    files.make_root()
    return files


@pytest.fixture
def outside(home) -> Path:
    other = home.root.parent / "u2"
    other.mkdir()
    (other / "secret").write_bytes(b"SECRET")
    (other / "folder").mkdir()
    (other / "folder" / "inner").write_bytes(b"SECRET")
    return other


@pytest.fixture
def small_disk(tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], check=True)
    yield place
    subprocess.run(["umount", str(place)], check=True)
