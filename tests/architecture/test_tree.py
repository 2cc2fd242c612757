"""The tree: file sizes, exact pins, no path of a machine and no registry in a committed file."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_LINES = {"product": 400, "test": 600}
LOCKS = [
    "requirements/platform.lock",
    "requirements/test.lock",
    "requirements/lint.lock",
    "requirements/node.lock",
]


def tracked(*patterns):
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def test_no_source_file_is_too_long_to_read_at_once():
    long = {}
    for path in tracked("*.py", "*.ts", "*.tsx", "*.mjs"):
        kind = "test" if "tests" in path.parts else "product"
        lines = len(path.read_text().splitlines())
        if lines > MOST_LINES[kind] and not path.name.endswith("schema.d.ts"):
            long[str(path.relative_to(ROOT))] = lines
    assert long == {}


def test_every_module_opens_by_saying_what_it_is_for():
    for path in tracked("platform/*.py", "kernels/runtime/*.py", "infra/*.py"):
        if "versions" not in path.parts and path.read_text().strip():
            assert path.read_text().lstrip().startswith('"""'), path


@pytest.mark.parametrize("name", ["utils", "helpers", "common", "manager", "misc"])
def test_no_module_has_a_name_that_says_nothing(name):
    assert [p for p in tracked("*.py", "*.ts", "*.tsx") if p.stem == name] == []


def test_locks_are_exact_and_without_hosts_or_hashes():
    for lock in [*LOCKS, *(str(p.relative_to(ROOT)) for p in tracked("kernels/images/*/requirements.lock"))]:
        for line in (ROOT / lock).read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                assert re.match(r"[A-Za-z0-9._-]+===?[A-Za-z0-9.+!_-]+( ?;.+)?$", line), (lock, line)


def test_the_platform_lock_has_every_dependency_and_no_framework():
    def plain(name):
        return re.split(r"[\[=<>~!;, ]", name)[0].lower().replace("_", "-").replace(".", "-")

    pins = {plain(line) for line in (ROOT / LOCKS[0]).read_text().splitlines() if not line.startswith("#")}
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert {plain(name) for name in declared} <= pins
    assert not pins & {"torch", "paddlepaddle", "tensorflow", "jax"}


def test_no_committed_file_names_a_path_of_a_machine_or_a_registry():
    # Written in parts, so that this file does not name them itself.
    forbidden = re.compile(
        "|".join(
            (
                r"/work" + r"/(main|shared)",
                r"\.\./" + r"shared",
                r"/root" + r"/\.(pyenv|npmrc)",
                r"/opt" + r"/(wheels|pypi)",
                r"pypi\." + r"org/simple",
                r"files\." + r"pythonhosted",
                r"registry\." + r"npmjs",
            )
        )
    )
    binary = {".png", ".svg", ".woff2", ".ico", ".gz", ".br"}
    named = []
    for path in tracked():
        if path.suffix in binary:
            continue
        found = forbidden.search(path.read_text(errors="replace"))
        if found:
            named.append((str(path.relative_to(ROOT)), found.group()))
    assert named == []


def test_the_frontend_lock_has_no_host():
    assert '"resolved"' not in (ROOT / "frontend" / "package-lock.json").read_text()


def test_every_make_target_is_explained():
    for line in (ROOT / "Makefile").read_text().splitlines():
        target = re.match(r"([a-z][a-z0-9-]*):(?!=)", line)
        if target:
            assert "## " in line, target.group(1)
            assert "(" in line, target.group(1)
