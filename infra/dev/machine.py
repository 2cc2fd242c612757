"""What the tests need of the machine: Debian packages where this is root's Debian, and a Docker engine that answers."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

from places import ROOT
from steps import SetupError, call

from jiqi import console
from jiqi.supervisor.engine import Engine

LOGS = ROOT / ".cache" / "logs"
# What shows that a package is there, and the package.
NEEDED = {
    "dockerd": "docker.io",
    "docker": "docker.io",
    "debootstrap": "debootstrap",
    "chromium": "chromium",
    "iptables": "iptables",
    "ip": "iproute2",
    "fc-list": "fontconfig",
}
FONTS = "fonts-noto-cjk"
# Debian keeps the server's programs off the path.
POSTGRES = ("postgresql", "/usr/lib/postgresql", "*/bin/initdb")
ENGINE_SECONDS = 60.0


def prepare() -> None:
    """Install what is missing and start Docker. Raises SetupError, StepError."""
    wanted = missing()
    if wanted:
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            raise SetupError("test.packages", packages=" ".join(wanted))
        console.write(f"· apt-get install {' '.join(wanted)}")
        quiet = {"DEBIAN_FRONTEND": "noninteractive"}
        log = LOGS / "apt.log"
        call(["apt-get", "update", "-q"], log=log, env=quiet)
        call(["apt-get", "install", "-q", "-y", "--no-install-recommends", *wanted], log=log, env=quiet)
    start_engine()


def missing() -> list[str]:
    """Return the Debian packages whose programs or fonts this machine lacks."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
    found = {package for program, package in NEEDED.items() if shutil.which(program, path=path) is None}
    if Engine().version() is not None and shutil.which("docker") is not None:
        found.discard("docker.io")
    package, folder, program = POSTGRES
    if not any(Path(folder).glob(program)):
        found.add(package)
    if not _has_chinese_font():
        found.add(FONTS)
    return sorted(found)


def start_engine() -> None:
    """Start dockerd in the background when none answers; it outlives the tests, like a service."""
    if Engine().version() is not None:
        return
    if os.geteuid() != 0:
        raise SetupError("docker.down")
    console.write("· dockerd")
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / "dockerd.log"
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
    with log.open("ab") as out:
        process = subprocess.Popen(
            ["dockerd", "--live-restore"],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
            env={**os.environ, "PATH": path},
        )
    (ROOT / ".cache" / "dockerd.pid").write_text(f"{process.pid}\n")
    end = time.monotonic() + ENGINE_SECONDS
    while time.monotonic() < end:
        if Engine().version() is not None:
            return
        if process.poll() is not None:
            break
        time.sleep(0.2)
    raise SetupError("test.engine", log=log, tail=_tail(log))


def _has_chinese_font() -> bool:
    if shutil.which("fc-list") is None:
        return any(Path("/usr/share/fonts").rglob("NotoSansCJK*"))
    answer = subprocess.run(["fc-list", ":lang=zh"], capture_output=True, text=True, check=False)
    return bool(answer.stdout.strip())


def _tail(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-8:])
