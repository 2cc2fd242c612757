"""The virtual environment `.venv` with the pinned packages; the package itself is found by a path file."""

from __future__ import annotations

import sys
from pathlib import Path

from places import PYTHON, REQUIREMENTS, ROOT, VENV, Places
from steps import SetupError, Step, call, lock_megabytes

# The same text as an installed console script, without building a wheel of the clone.
_SCRIPT = "#!{python}\nfrom jiqi.cli import main\n\nmain(prog_name='jiqi')\n"


def platform_step(places: Places) -> Step:
    """Return the step that makes `.venv` able to run the platform."""
    lock = REQUIREMENTS / "platform.lock"
    return Step(
        name="run.step.python",
        stamp="python",
        inputs=[lock, sys.version, sys.prefix, str(VENV)],
        made=[PYTHON, VENV / "bin" / "jiqi"],
        work=lambda: _make(places.logs / "python.log"),
        downloads={"run.part.python": lock_megabytes("platform")},
    )


def tools_step(places: Places, *names: str) -> Step:
    """Return the step that adds other lock files (test, lint) to `.venv`."""
    locks = [REQUIREMENTS / f"{name}.lock" for name in names]
    return Step(
        name="run.step.python",
        stamp="python-" + "-".join(names),
        inputs=[REQUIREMENTS / "platform.lock", *locks, sys.version, sys.prefix, str(VENV)],
        made=[PYTHON],
        work=lambda: install(PYTHON, locks, log=places.logs / "python.log"),
        downloads={"run.part.python": sum(map(lock_megabytes, names))},
    )


def make_environment(folder: Path, *, log: Path) -> None:
    """Make an empty virtual environment. Raises SetupError where the distribution split venv off."""
    try:
        import ensurepip  # noqa: F401, PLC0415
        import venv  # noqa: F401, PLC0415
    except ImportError as error:
        raise SetupError("python.venv_missing") from error
    call([sys.executable, "-m", "venv", "--clear", folder], log=log)


def install(python: Path, locks: list[Path], *, log: Path) -> None:
    """Install lock files with the machine's own pip settings (index, certificates, wheel folders)."""
    files = [part for lock in locks for part in ("-r", str(lock))]
    call([python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", *files], log=log)


def add_path(python: Path, source: Path) -> None:
    """Let the environment of `python` import what lies in `source`."""
    site = next((python.parent.parent / "lib").glob("python3*/site-packages"))
    (site / "jiqi-source.pth").write_text(f"{source}\n")


def _make(log: Path) -> None:
    make_environment(VENV, log=log)
    install(PYTHON, [REQUIREMENTS / "platform.lock"], log=log)
    add_path(PYTHON, ROOT / "platform")
    script = VENV / "bin" / "jiqi"
    script.write_text(_SCRIPT.format(python=PYTHON))
    script.chmod(0o755)
