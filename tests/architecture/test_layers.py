"""The layers hold: imports point down only, and the processes import only what they may."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENV = {**os.environ, "PYTHONPATH": str(ROOT / "platform")}


def test_import_linter_keeps_every_contract():
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", code, "--no-cache"],
        cwd=ROOT,
        env=ENV,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_platform_never_shadows_the_standard_library():
    assert not (ROOT / "platform" / "__init__.py").exists()


@pytest.mark.parametrize(
    ("module", "forbidden"),
    [
        ("jiqi.web.server", ["docker", "torch", "paddle", "numpy"]),
        ("jiqi.worker.scheduler", ["docker", "torch", "paddle", "jupyter_server"]),
        ("jiqi.worker.agent", ["torch", "paddle", "jupyter_server", "jupyterlab"]),
        ("jiqi.cli", ["docker", "torch", "tornado", "sqlalchemy", "celery", "jupyter_server"]),
        ("jiqi.cli_up", ["docker", "torch", "tornado", "sqlalchemy", "celery", "jupyter_server"]),
        ("jiqi.domain", ["msgspec", "structlog"]),
    ],
)
def test_a_process_does_not_import_what_it_must_not(module, forbidden):
    code = f"import {module}, sys; print(*(name for name in {forbidden!r} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], env=ENV, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


def test_the_bootstrap_and_what_it_borrows_need_the_standard_library_only():
    code = (
        "import sys; sys.path[:0] = ['infra/dev', 'platform']; import commands\n"
        "outside = {name.split('.')[0] for name in sys.modules} - set(sys.stdlib_module_names) - {'jiqi', '__main__'}\n"
        "local = {'clean', 'commands', 'frontend', 'kernels', 'launch', 'machine', 'places', 'progress', 'python_env',"
        " 'steps', 'suite'}\n"
        "print(*sorted(outside - local))"
    )
    # -S: without site-packages an import of anything else fails at once.
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


def test_the_kernel_runtime_knows_nothing_of_the_platform():
    for path in (ROOT / "kernels" / "runtime").rglob("*.py"):
        text = path.read_text()
        assert "import jiqi\n" not in text, path
        assert "from jiqi." not in text, path
