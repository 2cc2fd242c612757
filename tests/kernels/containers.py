"""A kernel image run as the agent runs it: unknown user, no capability, read-only root, no network."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.kernels.processes import KEY, Control, Kernel, wait_until

IMAGES = Path(__file__).resolve().parents[2] / "kernels" / "images"
USER = 54321
LOCKED = [
    "--init", "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--tmpfs", "/tmp:size=256m",
    "--memory", "2g", "--pids-limit", "256", "--user", f"{USER}:{USER}",
]  # fmt: skip


def tag_of(name: str) -> str:
    facts = tomllib.loads((IMAGES / name / "image.toml").read_text())
    return f"jiqi/{name}:{facts['version']}"


class Container:
    """One running kernel container, its control socket and its kernels."""

    def __init__(self, name: str, *, folder: Path, network: str, threads: int) -> None:
        self.folder = folder
        self.home = folder / "home" / "jiqi"
        self.run = folder / "run"
        for path in (self.home, self.run / "k"):
            path.mkdir(parents=True)
        if os.geteuid() == 0:
            os.chown(self.run / "k", USER, USER)
            os.chown(self.home, USER, USER)
        mounts = ["-v", f"{self.run}:/run/jiqi", "-v", f"{folder / 'home'}:/home"]
        command = [
            "docker",
            "run",
            "-d",
            *LOCKED,
            "--network",
            network,
            "-e",
            f"OMP_NUM_THREADS={threads}",
            *mounts,
            tag_of(name),
        ]
        self.id = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
        self.generation = 0
        self.image = name
        self.control = self._control()

    def _control(self) -> Control:
        path = self.run / "k" / "ctl"

        def connect() -> Control | None:
            try:
                return Control(path)
            except OSError:
                return None

        control: Control = wait_until(connect, what="the control socket")
        return control

    def start(self, *, language: str = "zh-CN", network: str = "none", **changes: Any) -> dict[str, Any]:
        self.generation += 1
        env = {"HOME": "/home/jiqi", "JIQI_NETWORK": network, "JIQI_LANG": language}
        spec = {
            "kernel_id": "k1",
            "generation": self.generation,
            "key": KEY,
            "prefix": "/run/jiqi/k/s",
            "env": env,
        }
        place = {"cwd": "/home/jiqi", "user_base": f"/home/jiqi/.packages/{self.image}"}
        reply = self.control.ask("start", **{**spec, **place, **changes})
        assert reply["ok"], reply
        return reply

    def wait_for_standby(self) -> None:
        wait_until(lambda: self.control.ask("status")["standby"], what="a standby")

    @contextmanager
    def kernel(self, **options: Any) -> Iterator[Kernel]:
        self.start(**options)
        kernel = Kernel(str(self.run / "k" / "s"))
        try:
            yield kernel
        finally:
            kernel.close()

    def close(self) -> None:
        self.control.close()
        subprocess.run(["docker", "rm", "-f", self.id], check=True, capture_output=True)


@contextmanager
def container(name: str, *, network: str = "none", threads: int = 1) -> Iterator[Container]:
    folder = Path(tempfile.mkdtemp(prefix="jk", dir="/tmp"))
    running = Container(name, folder=folder, network=network, threads=threads)
    try:
        yield running
    finally:
        running.close()
        shutil.rmtree(folder)
