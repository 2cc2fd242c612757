"""Build the kernel images: python infra/images/build.py [names…] [--base REF] [--check].

Three layers, each skipped while its inputs are unchanged: Debian with Python and fonts, the packages of a lock
file, our runtime. The host's pip downloads the wheels, so nothing of its settings can stay in an image.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import shutil
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docker_cli
import rootfs
import wheels
from docker_cli import BuildError

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "kernels" / "images"
RUNTIME = ROOT / "kernels" / "runtime" / "jiqi_kernel"
STATE = Path(os.environ.get("JIQI_STATE", ROOT / ".jiqi")) / "images"
DEFAULT = ("torch-cpu", "paddle-cpu")
PINNED = "debian:bookworm-20250520-slim"
PULL_SECONDS = 60.0


@dataclass(frozen=True)
class Image:
    """One folder of kernels/images, as its image.toml tells it."""

    folder: Path
    facts: dict[str, Any]

    @property
    def name(self) -> str:
        """The image's folder, kernelspec and environment."""
        return str(self.facts["name"])

    @property
    def tag(self) -> str:
        """What kernels are started from."""
        return f"jiqi/{self.name}:{self.facts['version']}"

    @property
    def packages_tag(self) -> str:
        """The layer below our runtime, kept so that a change of ours costs seconds."""
        return f"jiqi/{self.name}:{self.facts['version']}-packages"


def read(name: str) -> Image:
    """Load an image's folder, or raise BuildError naming those that exist."""
    folder = IMAGES / name
    if not (folder / "image.toml").is_file():
        known = "、".join(sorted(path.parent.name for path in IMAGES.glob("*/image.toml")))
        raise BuildError(f"没有这个镜像 / no such image: {name}（{known}）")
    return Image(folder=folder, facts=tomllib.loads((folder / "image.toml").read_text()))


def digest(*parts: Path | str) -> str:
    """One hash over files (names and bytes, folders too) and plain strings."""
    total = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            total.update(f"s{len(part)}:{part}".encode())
            continue
        for path in sorted(part.rglob("*")) if part.is_dir() else [part]:
            if path.is_file() and path.suffix != ".pyc":
                data = path.read_bytes()
                total.update(f"f{path.relative_to(part.parent)}:{len(data)}:".encode() + data)
    return total.hexdigest()[:32]


class Build:
    """One run: plans the steps first, so that the download is said before it starts."""

    def __init__(self, names: list[str], *, base: str | None, work: Path, log: Path) -> None:
        self.base, self.work, self.log = base, work, log
        self.base_image = read("base")
        self.images = [read(name) for name in names]
        self.base_inputs = digest(self.base_image.folder, base or "")
        self.step, self.steps = 0, 0

    def plan(self) -> tuple[int, int]:
        """Return (steps to do, MB to download)."""
        megabytes = 0
        base_stale = docker_cli.inputs_of(self.base_image.tag) != self.base_inputs
        if base_stale:
            self.steps += 1
            megabytes += int(self.base_image.facts["download_mb"])
        for image in self.images:
            stale = base_stale or docker_cli.inputs_of(image.packages_tag) != self.packages_inputs(image)
            if stale:
                self.steps += 1
                megabytes += int(image.facts["download_mb"])
            self.steps += int(stale or docker_cli.inputs_of(image.tag) != self.final_inputs(image))
        return self.steps, megabytes

    def packages_inputs(self, image: Image) -> str:
        """All that the packages' layer is made from."""
        return digest(image.folder / "Dockerfile", image.folder / "requirements.lock", self.base_inputs)

    def final_inputs(self, image: Image) -> str:
        """All that the last layer is made from."""
        own = (image.folder / "image.toml", image.folder / "verify")
        return digest(IMAGES / "runtime", RUNTIME, *own, docker_cli.image_id(image.packages_tag) or "")

    def run(self) -> None:
        """Do what is stale, in order; every layer is checked again just before it is built."""
        if docker_cli.inputs_of(self.base_image.tag) != self.base_inputs:
            self.say(f"{self.base_image.tag} Debian · Python 3.11 · 中文字体")
            self.make_base()
        for image in self.images:
            if docker_cli.inputs_of(image.packages_tag) != self.packages_inputs(image):
                self.say(f"{image.packages_tag} 下载约 {image.facts['download_mb']} MB")
                self.make_packages(image)
            if docker_cli.inputs_of(image.tag) != self.final_inputs(image):
                self.say(f"{image.tag} 运行时与自检")
                self.make_final(image)
            print(f"就绪 {image.tag} {docker_cli.size_mb(image.tag)} MB", flush=True)

    def say(self, what: str) -> None:
        """One line for one step."""
        self.step += 1
        print(f"准备中 {self.step}/{self.steps} {what}", flush=True)

    def make_base(self) -> None:
        """Debian, pulled or bootstrapped, with Python and fonts."""
        reference = self.base
        if reference is None:
            pulled = docker_cli.pull(PINNED, seconds=PULL_SECONDS)
            reference = PINNED if pulled else rootfs.make(self.work, log=self.log)
        args = {"BASE": reference}
        docker_cli.build(
            self.base_image.folder, tag=self.base_image.tag, inputs=self.base_inputs, args=args, log=self.log
        )

    def make_packages(self, image: Image) -> None:
        """Download wheels here, install them there."""
        context = self.work / image.name
        context.mkdir()
        for name in ("Dockerfile", "requirements.lock"):
            shutil.copy2(image.folder / name, context / name)
        wheels.download(context / "requirements.lock", to=context / "wheels", log=self.log)
        inputs = self.packages_inputs(image)
        args = {"BASE": self.base_image.tag}
        docker_cli.build(context, tag=image.packages_tag, inputs=inputs, args=args, log=self.log)
        # The first stage holds the wheels; it is no part of the image and as large.
        docker_cli.run_logged(
            ["docker", "image", "prune", "-f", "--filter", "label=jiqi.stage=wheels"], log=self.log
        )
        shutil.rmtree(context)

    def make_final(self, image: Image) -> None:
        """Our runtime, checked by the image itself before it gets its name."""
        context = self.work / f"{image.name}-runtime"
        context.mkdir()
        for name in ("Dockerfile", "checks.py"):
            shutil.copy2(IMAGES / "runtime" / name, context / name)
        for name in ("verify", "requirements.lock"):
            shutil.copy2(image.folder / name, context / name)
        shutil.copytree(RUNTIME, context / "jiqi_kernel", ignore=shutil.ignore_patterns("__pycache__"))
        args = {"BASE": image.packages_tag, "PRELOAD": ",".join(image.facts["preload"]), "IMAGE": image.name}
        candidate = f"{image.tag}-candidate-{os.getpid()}"
        docker_cli.build(context, tag=candidate, inputs=self.final_inputs(image), args=args, log=self.log)
        docker_cli.verify(candidate, log=self.log)
        # Only an image that passed its own check gets the name that kernels are started from.
        docker_cli.run_logged(["docker", "tag", candidate, image.tag], log=self.log)
        docker_cli.run_logged(["docker", "rmi", "--no-prune", candidate], log=self.log)


def main(arguments: list[str]) -> int:
    """Parse the command line, build, and turn a BuildError into one message and exit status 1."""
    parser = argparse.ArgumentParser(description="Build Jiqi's kernel images.")
    parser.add_argument("names", nargs="*", help=f"folders of kernels/images (default: {' '.join(DEFAULT)})")
    parser.add_argument("--base", help="a local or pullable Debian bookworm image to build on")
    parser.add_argument("--check", action="store_true", help="exit 1 when something would be built")
    options = parser.parse_args(arguments)
    STATE.mkdir(parents=True, exist_ok=True)
    log = STATE / "build.log"
    try:
        docker_cli.require_engine()
        with (STATE / "lock").open("w") as lock, tempfile.TemporaryDirectory(dir=STATE) as work:
            fcntl.flock(lock, fcntl.LOCK_EX)
            build = Build(options.names or list(DEFAULT), base=options.base, work=Path(work), log=log)
            steps, megabytes = build.plan()
            if options.check:
                return int(steps > 0)
            print(
                f"镜像：{steps} 步，下载约 {megabytes} MB / images: {steps} steps, about {megabytes} MB",
                flush=True,
            )
            log.write_bytes(b"")
            build.run()
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
