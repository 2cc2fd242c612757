"""The few things that a build asks of the docker command line: does an image exist, build it, run its check."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

INPUTS_LABEL = "jiqi.inputs"


class BuildError(Exception):
    """A step could not be done; the message says what to do about it."""


def require_engine() -> None:
    """Raise BuildError with the remedy when no Docker engine answers."""
    if shutil.which("docker") is None:
        raise BuildError(
            "没有 docker 命令：请安装 docker.io 或 Docker Engine / no docker command: install docker.io"
        )
    answer = subprocess.run(
        ["docker", "version", "-f", "{{.Server.Version}}"], capture_output=True, text=True, check=False
    )
    if answer.returncode != 0:
        raise BuildError(f"Docker 没有应答 / the Docker engine does not answer: {answer.stderr.strip()}")


def inputs_of(tag: str) -> str | None:
    """The inputs' hash an image was built from, or None when there is no such image."""
    return _inspect(tag, '{{index .Config.Labels "' + INPUTS_LABEL + '"}}')


def image_id(tag: str) -> str | None:
    """The image's own id, or None when there is no such image."""
    return _inspect(tag, "{{.Id}}")


def size_mb(tag: str) -> int:
    """The image's size in MB, all layers together."""
    return int(_inspect(tag, "{{.Size}}") or 0) // 1_000_000


def pull(reference: str, *, seconds: float) -> bool:
    """Try to pull; False when the registry cannot be reached in time or does not have it."""
    try:
        done = subprocess.run(
            ["docker", "pull", "-q", reference], capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def build(context: Path, *, tag: str, inputs: str, args: dict[str, str], log: Path) -> None:
    """Build with the classic builder on the host's network; its output goes to the log file."""
    command = ["docker", "build", "--network", "host", "--tag", tag, "--label", f"{INPUTS_LABEL}={inputs}"]
    for name, value in args.items():
        command += ["--build-arg", f"{name}={value}"]
    run_logged([*command, str(context)], log=log, env={"DOCKER_BUILDKIT": "0"})


def verify(tag: str, *, log: Path) -> None:
    """Run the image's own check as a kernel runs: unknown user, no network, read-only root."""
    locked = [
        "--network",
        "none",
        "--read-only",
        "--tmpfs",
        "/tmp",
        "--cap-drop",
        "ALL",
        "--user",
        "54321:54321",
    ]
    command = [
        "docker",
        "run",
        "--rm",
        "--init",
        *locked,
        "-e",
        "HOME=/tmp",
        tag,
        "python",
        "/opt/jiqi/verify",
    ]
    run_logged(command, log=log)


def run_logged(command: list[str], *, log: Path, env: dict[str, str] | None = None) -> None:
    """Run a step whose output is long; on failure raise BuildError with its last lines."""
    with log.open("ab") as out:
        out.write(f"$ {' '.join(command)}\n".encode())
        out.flush()
        merged = None if env is None else {**os.environ, **env}
        code = subprocess.run(
            command, stdout=out, stderr=subprocess.STDOUT, env=merged, check=False
        ).returncode
    if code != 0:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
        raise BuildError(f"{command[0]} {command[1]}: {code}\n{tail}\n（{log}）")


def _inspect(tag: str, template: str) -> str | None:
    done = subprocess.run(
        ["docker", "image", "inspect", "-f", template, tag], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else None
