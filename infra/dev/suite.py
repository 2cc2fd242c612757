"""make test and make check: all of their set-up, every suite, and a last line for each runner."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

import frontend
import machine
import places
from places import FRONTEND, PYTHON, ROOT, VENV, Places
from python_env import platform_step, tools_step
from steps import Step, StepError

import kernels
from jiqi import console

RESULTS = ROOT / ".cache" / "results"
CODE = ("platform", "kernels/runtime", "infra", "tests")


def test(arguments: list[str]) -> int:
    """Prepare the machine, check, and run every suite; arguments go to pytest (and then nothing else is run)."""
    if "--fast" in arguments:
        return _fast([word for word in arguments if word != "--fast"])
    if "--env" in arguments:
        return _environment()
    started = time.monotonic()
    machine.prepare()
    here = places.read()
    _do(platform_step(here), tools_step(here, "test", "lint"), frontend.node_step(here))
    bad: list[str] = _check()
    _do(frontend.build_step(here))
    vitest = _vitest(bad)
    _images(here, bad)
    _do(kernels.environment_step(here))
    _pytest(arguments, bad)
    print(vitest, flush=True)
    if bad:
        print(f"✗ {', '.join(bad)}", file=sys.stderr)
    minutes = (time.monotonic() - started) / 60
    print(f"{'✗' if bad else '✓'} make test {minutes:.1f} min", file=sys.stderr)
    return 1 if bad else 0


def check(arguments: list[str]) -> int:
    """Lint, types, layers and generated files: what is quick and needs no Docker."""
    del arguments
    here = places.read()
    _do(platform_step(here), tools_step(here, "test", "lint"), frontend.node_step(here))
    bad = _check()
    if bad:
        print(f"✗ {', '.join(bad)}", file=sys.stderr)
    return 1 if bad else 0


def _fast(arguments: list[str]) -> int:
    """Run what needs neither Docker nor a browser nor more than ten seconds a test."""
    here = places.read()
    _do(platform_step(here), tools_step(here, "test", "lint"))
    quick = ["-m", "not docker and not browser and not slow", "-q"]
    return _run([PYTHON, "-m", "pytest", *quick, *arguments])


def _environment() -> int:
    """Prepare for tests and benches and run nothing."""
    machine.prepare()
    here = places.read()
    _do(
        platform_step(here),
        tools_step(here, "test", "lint"),
        frontend.node_step(here),
        frontend.build_step(here),
    )
    return 0


def _check() -> list[str]:
    tools = VENV / "bin"
    node = frontend.environment()
    commands: list[tuple[str, Sequence[str | Path], Path, dict[str, str]]] = [
        ("ruff", [tools / "ruff", "check", *CODE], ROOT, {}),
        ("ruff format", [tools / "ruff", "format", "--check", "-q", *CODE], ROOT, {}),
        ("mypy", [tools / "mypy", "--no-error-summary"], ROOT, {}),
        ("import-linter", [tools / "lint-imports"], ROOT, {"PYTHONPATH": str(ROOT / "platform")}),
        ("openapi", [PYTHON, "-m", "jiqi", "openapi", "--check", "docs/openapi.json"], ROOT, {}),
        ("frontend check", [*frontend.npm_command(), "run", "check"], FRONTEND, node),
    ]
    return [name for name, command, cwd, env in commands if _run(command, cwd=cwd, env=env, title=name) != 0]


def _vitest(bad: list[str]) -> str:
    """Run vitest; return the plain closing line."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    report = RESULTS / "vitest.json"
    report.unlink(missing_ok=True)
    reporters = ["--reporter=default", "--reporter=json", f"--outputFile.json={report}"]
    command = [*frontend.npm_command(), "test", "--", *reporters]
    code = _run(command, cwd=FRONTEND, env=frontend.environment(), title="vitest")
    try:
        found = json.loads(report.read_text())
        passed, failed = int(found["numPassedTests"]), int(found["numFailedTests"])
    except (OSError, ValueError, KeyError):
        passed, failed = 0, 1
    if code != 0 or failed or not passed:
        bad.append("vitest")
    return f"vitest: {passed} passed, {failed} failed"


def _images(here: Places, bad: list[str]) -> None:
    for name in (kernels.FIRST, *kernels.LATER):
        try:
            _do(kernels.image_step(here, name))
        except StepError as error:
            console.refuse("run.step_failed", what=name, tail=error.tail, log=error.log)
            bad.append(f"image {name}")


def _pytest(arguments: list[str], bad: list[str]) -> None:
    report = RESULTS / "pytest.xml"
    report.unlink(missing_ok=True)
    python = places.read().kernel_environment / "bin" / "python"
    env = {"JIQI_KERNEL_PYTHON": str(python), "JIQI_REQUIRE_DOCKER": "1"}
    command = [PYTHON, "-m", "pytest", "-ra", "--durations=15", f"--junitxml={report}", *arguments]
    if _run(command, env=env, title="pytest") != 0:
        bad.append("pytest")
    # A suite that skips hides what it does not test: here nothing may be skipped.
    if report.exists() and any(int(one.get("skipped", 0)) for one in ET.parse(report).iter("testsuite")):
        bad.append("pytest (skipped tests)")


def _run(
    command: Sequence[str | Path], *, cwd: Path = ROOT, env: dict[str, str] | None = None, title: str = ""
) -> int:
    started = time.monotonic()
    if title:
        print(f"── {title}", flush=True)
    merged = {**os.environ, **(env or {})}
    code = subprocess.run(
        list(map(str, command)), cwd=cwd, env=merged, stdin=subprocess.DEVNULL, check=False
    ).returncode
    if title:
        print(
            f"── {title}: {'ok' if code == 0 else f'exit {code}'}, {time.monotonic() - started:.0f} s",
            flush=True,
        )
    return code


def _do(*steps: Step) -> None:
    for step in steps:
        if step.stale():
            console.write(f"· {console.words(step.name)}")
            started = time.monotonic()
            step.run()
            console.write(f"  {time.monotonic() - started:.0f} s")
