"""What lies in a built image: nothing of the host's pip settings, and a build that has nothing left to do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.kernels.containers import tag_of

pytestmark = [pytest.mark.docker, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("torch-cpu", "paddle-cpu")


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def in_image(name: str, script: str) -> str:
    return output(
        "docker", "run", "--rm", "--network", "none", "--user", "54321", tag_of(name), "sh", "-c", script
    )


def host_settings() -> list[str]:
    """Values of the host's pip settings that would show in a history: addresses and paths."""
    lines = output(sys.executable, "-m", "pip", "config", "list").splitlines()
    values = [word for line in lines for word in line.partition("=")[2].strip("'").split()]
    return [value for value in values if "/" in value]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_the_hosts_pip_settings_is_in_the_image(name: str) -> None:
    history = output("docker", "history", "--no-trunc", "--format", "{{.CreatedBy}}", tag_of(name))
    config = output("docker", "image", "inspect", tag_of(name))
    for setting in host_settings():
        assert setting not in history + config
    assert (
        in_image(
            name,
            "python -m pip config list --global; ls -d /wheels /etc/pip.conf /etc/xdg/pip /root/.pip 2>/dev/null; true",
        )
        == ""
    )
    assert in_image(name, "find /usr/local -name direct_url.json") == ""


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_user_finds_utf8_fonts_and_tools(name: str) -> None:
    assert (
        in_image(
            name,
            "python -c 'import sys, locale; print(sys.getfilesystemencoding(), locale.getpreferredencoding())'",
        )
        == "utf-8 UTF-8\n"
    )
    fonts = in_image(name, "ls /usr/share/fonts/opentype/noto /usr/share/fonts/truetype/wqy")
    assert "NotoSansCJK-Regular.ttc" in fonts
    assert "wqy-microhei.ttc" in fonts
    assert "Serif" not in fonts
    assert in_image(name, "which git wget unzip ps pip")


def test_a_second_build_has_nothing_to_do() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "infra/images/build.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, "the images are older than their sources: make images"


def test_an_unknown_image_is_named_with_those_that_exist() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "infra/images/build.py"), "rust"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "no such image: rust" in done.stderr
    assert "torch-cpu" in done.stderr
    assert "Traceback" not in done.stderr
