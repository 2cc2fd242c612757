"""make clean never follows a mount, never follows a link, and leaves a person's files unless told with a word."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "infra" / "dev"))

import clean
from steps import SetupError

ROOT = Path(__file__).resolve().parents[2]
BIND = """
import os, subprocess, sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
import clean
from steps import SetupError
top = Path(sys.argv[1])
subprocess.run(["mount", "--bind", top / "home", top / "state" / "mounts" / "jiqi"], check=True)
assert not os.path.ismount(top / "state" / "mounts" / "jiqi")
try:
    clean.remove(top / "state")
except SetupError as error:
    print(error.key, error.params["path"])
"""


def test_a_bind_mount_beneath_stops_the_removal_before_anything_is_gone(tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "作业.ipynb").write_text("{}")
    (tmp_path / "state" / "mounts" / "jiqi").mkdir(parents=True)
    (tmp_path / "state" / "jiqi.db").write_text("db")
    unshare = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    paths = [str(ROOT / "infra" / "dev"), str(ROOT / "platform")]
    done = subprocess.run(
        [*unshare, sys.executable, "-c", BIND, str(tmp_path), *paths],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split()[0] == "clean.mounted", done.stderr
    assert (tmp_path / "home" / "作业.ipynb").read_text() == "{}"
    assert (tmp_path / "state" / "jiqi.db").exists()


def test_mount_points_with_spaces_are_recognised(tmp_path):
    table = f"36 35 98:0 / {tmp_path}/my\\040state/mounts rw shared:1 - ext4 /dev/vda rw\n"
    assert clean.mounts_beneath(tmp_path / "my state", table=table) == [f"{tmp_path}/my state/mounts"]
    assert clean.mounts_beneath(tmp_path / "my", table=table) == []


def test_a_link_is_removed_and_not_what_it_points_to(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "x").write_text("1")
    (tmp_path / "link").symlink_to(tmp_path / "data")
    assert clean.remove(tmp_path / "link")
    assert (tmp_path / "data" / "x").exists()


@pytest.fixture
def installation(tmp_path, monkeypatch):
    for name in ("VENV", "FRONTEND", "ROOT"):
        monkeypatch.setattr(clean, name, tmp_path / name.lower())
    monkeypatch.setenv("JIQI_STATE", str(tmp_path / "state"))
    monkeypatch.delenv("CONFIRM", raising=False)
    (tmp_path / "state" / "homes" / "u").mkdir(parents=True)
    (tmp_path / "state" / "envs" / "torch-cpu").mkdir(parents=True)
    return tmp_path


def test_homes_stay_without_the_word(installation):
    assert clean.run([]) == 0
    assert (installation / "state" / "homes" / "u").exists()
    assert not (installation / "state" / "envs").exists()


def test_homes_go_with_the_word(installation, monkeypatch):
    monkeypatch.setenv("CONFIRM", "delete-data")
    assert clean.run([]) == 0
    assert not (installation / "state").exists()


def test_nothing_is_removed_while_it_runs(installation):
    from jiqi.supervisor import instance

    held = instance.take(installation / "state")
    with pytest.raises(SetupError) as caught:
        clean.run([])
    held.close()
    assert caught.value.key == "clean.running"
    assert (installation / "state" / "envs").exists()
