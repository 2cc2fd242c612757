"""The user's packages against the preloaded ones: what shadows starts cold, the rest is found, 安全模式 ignores all."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.kernels.processes import Forkserver
from tests.kernels.wheels import make_wheel

from jiqi_kernel.packages import site_dir
from jiqi_kernel.shadowing import Loaded, shadowed

FAKE_NUMPY = "__version__ = '9.9.9'\n"


@pytest.fixture
def home(shared: Forkserver) -> Iterator[Path]:
    """The shared user's home, without the packages that a test installed."""
    yield shared.home
    subprocess.run(["rm", "-rf", str(shared.home / ".packages")], check=True)


def install(home: Path, name: str, *, version: str, body: str) -> None:
    """Install a tiny wheel with the real pip, below the user's base."""
    wheel = home / f"{name}-{version}-py3-none-any.whl"
    wheel.write_bytes(make_wheel(name, version=version, body=body))
    base = str(home / ".packages")
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-index",
        "--no-deps",
        "--ignore-installed",
        "--prefix",
        base,
        str(wheel),
    ]
    subprocess.run(command, check=True)


def test_a_shadowed_distribution_makes_the_start_cold(shared: Forkserver, home: Path) -> None:
    install(home, "numpy", version="9.9.9", body=FAKE_NUMPY)
    shared.disconnect()
    reply = shared.start()
    assert (reply["cold"], reply["shadowed"]) == (True, ["numpy"])
    kernel = shared.connect()
    assert kernel.text("import numpy; print(numpy.__version__)") == "9.9.9\n"
    # All else is as in a warm start.
    _, messages = kernel.run("1")
    assert messages[-1]["metadata"]["jiqi"]["n"] > 0
    assert kernel.text("import os, sys; print(os.getcwd(), sys.argv)") == f"{home} ['jiqi']\n"
    kernel.client.execute("import time; time.sleep(600)")
    kernel.until("execute_input")
    shared.control.ask("interrupt")
    assert kernel.until("error")["content"]["ename"] == "KeyboardInterrupt"
    shared.control.ask("stop")
    assert shared.control.event("exited", generation=shared.generation)["code"] is None


def test_safe_mode_ignores_the_users_packages(shared: Forkserver, home: Path) -> None:
    install(home, "numpy", version="9.9.9", body="raise ImportError('broken')\n")
    shared.disconnect()
    reply = shared.start(safe=True)
    assert (reply["cold"], reply["shadowed"]) == (False, [])
    assert shared.connect().text("import numpy; print(numpy.__version__ != '9.9.9')") == "True\n"


def test_other_packages_keep_the_start_warm_and_are_found_first(shared: Forkserver, home: Path) -> None:
    install(home, "tiny_extra", version="1.0", body="where = __file__\n")
    shared.disconnect()
    reply = shared.start()
    assert (reply["cold"], reply["shadowed"]) == (False, [])
    kernel = shared.connect()
    assert kernel.text("import tiny_extra; print(tiny_extra.where)").startswith(str(home))
    order = kernel.text("import sys; print([p for p in sys.path if p.endswith('-packages')][0])")
    assert order == f"{site_dir(str(home / '.packages'))}\n"
    assert kernel.text("!{sys.executable} -c 'import tiny_extra; print(tiny_extra.where)'").startswith(
        str(home)
    )


def test_a_broken_package_of_the_runtime_fails_the_start_and_safe_mode_still_works(
    shared: Forkserver, home: Path
) -> None:
    install(home, "traitlets", version="9.9.9", body="raise ImportError('broken by a cell')\n")
    shared.disconnect()
    reply = shared.control.ask("start", **shared.spec())
    assert (reply["ok"], reply["code"]) == (False, "start_failed")
    assert shared.kernel(safe=True).text("print(1)") == "1\n"


def test_pip_in_a_cell_installs_for_the_user_and_is_importable_at_once(
    shared: Forkserver, home: Path
) -> None:
    (home / "tiny_late-1.0-py3-none-any.whl").write_bytes(
        make_wheel("tiny_late", version="1.0", body="x = 5\n")
    )
    kernel = shared.kernel()
    kernel.text("%pip install -q --no-index --no-deps ./tiny_late-1.0-py3-none-any.whl")
    assert kernel.text("import tiny_late; print(tiny_late.x, tiny_late.__file__)").startswith(f"5 {home}")


def test_pip_replaces_a_bundled_version_after_a_restart(shared: Forkserver, home: Path) -> None:
    (home / "numpy-9.9.9-py3-none-any.whl").write_bytes(make_wheel("numpy", version="9.9.9", body=FAKE_NUMPY))
    kernel = shared.kernel()
    text = kernel.text("import numpy\n%pip install -q --no-index --no-deps ./numpy-9.9.9-py3-none-any.whl")
    assert "已安装 numpy。正在使用的是另一个版本，重启后生效。" in text
    shared.disconnect()
    assert shared.start()["shadowed"] == ["numpy"]


def test_pip_says_what_is_installed_already(shared: Forkserver) -> None:
    kernel = shared.kernel()
    assert kernel.text("%pip install numpy").startswith("已预装：numpy ")
    assert (
        shared.kernel(env={"JIQI_LANG": "en"})
        .text("%pip install numpy")
        .startswith("Already installed: numpy ")
    )


def test_shadowing_compares_names_versions_and_bare_modules(tmp_path: Path) -> None:
    folder = site_dir(str(tmp_path))
    (folder / "scikit_learn-1.9.dist-info").mkdir(parents=True)
    (folder / "numpy-2.0.dist-info").mkdir()
    (folder / "numpy").mkdir()
    (folder / "numpy" / "__init__.py").touch()
    (folder / "json.py").touch()
    (folder / "pandas").mkdir()
    loaded = Loaded(
        versions={"scikit-learn": "1.8", "numpy": "2.0", "tornado": "6"},
        owners={"numpy": ("numpy",), "tornado": ("tornado",), "pandas": ("pandas",)},
    )
    assert shadowed(str(tmp_path), loaded=loaded) == ["scikit-learn"]
    (folder / "tornado.py").touch()
    (folder / "pandas" / "__init__.py").touch()
    assert shadowed(str(tmp_path), loaded=loaded) == ["pandas", "scikit-learn", "tornado"]
    assert shadowed(str(tmp_path / "nothing"), loaded=loaded) == []
