"""A Debian base image without an image registry: debootstrap into a folder, then docker import."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from docker_cli import BuildError, run_logged

SUITE = "bookworm"
TAG = "jiqi/debian:bookworm"
_DROPPED = (
    "var/cache/apt",
    "var/lib/apt/lists",
    "var/log",
    "usr/share/doc",
    "usr/share/man",
    "usr/share/locale",
)


def make(folder: Path, *, log: Path) -> str:
    """Build the image jiqi/debian:bookworm (needs root; about a minute) and return its tag."""
    if os.geteuid() != 0:
        raise BuildError(
            "拉不到 Debian 基础镜像，自己做一个需要 root：sudo make images，或用 --base 指定本机已有的镜像"
            " / the Debian base image cannot be pulled; making one needs root: sudo make images, or --base REF"
        )
    if shutil.which("debootstrap") is None:
        run_logged(["apt-get", "update", "-q"], log=log)
        run_logged(["apt-get", "install", "-q", "-y", "--no-install-recommends", "debootstrap"], log=log)
    # Without a mirror of the site's own, debootstrap takes Debian's default.
    mirror = os.environ.get("JIQI_DEBIAN_MIRROR")
    root = folder / "root"
    run_logged(["debootstrap", "--variant=minbase", SUITE, str(root), *([mirror] if mirror else [])], log=log)
    _settle(root)
    _import(root)
    shutil.rmtree(root)
    return TAG


def _settle(root: Path) -> None:
    """Drop what an image does not need, and add updates and security to the mirror that debootstrap wrote down."""
    for name in _DROPPED:
        shutil.rmtree(root / name, ignore_errors=True)
        (root / name).mkdir(parents=True)
    sources = root / "etc/apt/sources.list"
    mirror = sources.read_text().split()[1].rstrip("/")
    sources.write_text(
        f"deb {mirror} {SUITE} main\ndeb {mirror} {SUITE}-updates main\n"
        f"deb {mirror}-security {SUITE}-security main\n"
    )
    # debootstrap copies the host's resolver and name; containers get their own.
    (root / "etc/resolv.conf").write_text("")
    (root / "etc/hostname").write_text("")


def _import(root: Path) -> None:
    tar = subprocess.Popen(["tar", "-C", str(root), "--numeric-owner", "-c", "."], stdout=subprocess.PIPE)
    done = subprocess.run(
        [
            "docker",
            "import",
            "-c",
            "ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "-",
            TAG,
        ],
        stdin=tar.stdout,
        capture_output=True,
        text=True,
        check=False,
    )
    if tar.wait() != 0 or done.returncode != 0:
        raise BuildError(f"docker import: {done.stderr.strip()}")
