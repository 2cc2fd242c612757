"""Write requirements/*.lock: python infra/dev/lock.py [--upgrade]; each is what pip installed in an empty environment.

platform.lock comes from pyproject.toml's dependencies, the others from the .in file beside them. Kept pins are given
to pip as constraints, so that a run without --upgrade changes only what a .in file asks for.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "requirements"
# pip evaluates markers for the Python it runs on; Debian 12's 3.11.2 needs one more distribution than 3.11.3.
MARKED = {"platform": ['async-timeout==5.0.1; python_full_version < "3.11.3"']}
NAMES = ("platform", "test", "lint", "node")


def wanted(name: str) -> list[str]:
    """Return what to ask pip for, besides constraints."""
    if name == "platform":
        return list(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"])
    lines = (FOLDER / f"{name}.in").read_text().splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith(("#", "-c"))]


def constraints(name: str, *, upgrade: bool) -> list[Path]:
    """Return the lock files whose pins must be kept."""
    given = []
    if name != "platform":
        lines = (FOLDER / f"{name}.in").read_text().splitlines()
        given = [FOLDER / line.split()[1] for line in lines if line.startswith("-c")]
    own = FOLDER / f"{name}.lock"
    return given if upgrade or not own.exists() else [*given, own]


def lock(name: str, *, upgrade: bool, others: set[str]) -> None:
    """Resolve in an empty environment and write the file, with the size of its downloads in the first lines."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        subprocess.run([sys.executable, "-m", "venv", work / "venv"], check=True)
        pip = [str(work / "venv" / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "-q", "--upgrade", "pip"], check=True)
        limits = [part for path in constraints(name, upgrade=upgrade) for part in ("-c", str(path))]
        # The oldest Python that must do: newer releases of some packages refuse Debian 12's 3.11.2.
        oldest = ["--python-version", "3.11.0", "--only-binary", ":all:"]
        subprocess.run(
            [*pip, "download", "-q", "-d", work / "files", *oldest, *limits, *wanted(name)], check=True
        )
        found = ["--no-index", "--find-links", str(work / "files")]
        subprocess.run([*pip, "install", "-q", *found, *wanted(name)], check=True)
        command = [*pip, "freeze", "--exclude", "pip", "--exclude", "setuptools"]
        frozen = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        pins = sorted({*frozen, *MARKED.get(name, [])} - others, key=str.lower)
        size = sum(path.stat().st_size for path in (work / "files").iterdir() if _is_pinned(path, pins))
    head = f"# Written by `make lock`; do not edit. Downloads: {-(-size // 10**6)} MB.\n"
    (FOLDER / f"{name}.lock").write_text(head + "\n".join(pins) + "\n")


def _is_pinned(path: Path, pins: list[str]) -> bool:
    names = {pin.partition("==")[0].lower().replace("-", "_").replace(".", "_") for pin in pins}
    return path.name.partition("-")[0].lower().replace(".", "_") in names


def main() -> int:
    """Write every lock file, the platform's first, since the others keep its pins."""
    if sys.version_info[:2] != (3, 11):
        sys.exit("lock.py: Python 3.11")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(NAMES))
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions")
    options = parser.parse_args()
    for name in options.names:
        others: set[str] = set()
        for earlier in NAMES[: NAMES.index(name)]:
            if name != "node":
                others |= set((FOLDER / f"{earlier}.lock").read_text().splitlines())
        lock(name, upgrade=options.upgrade, others=others)
        print(name, "→", f"requirements/{name}.lock", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
