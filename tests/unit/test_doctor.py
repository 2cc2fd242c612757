"""The doctor's judgement: what is broken is said with a code and a mending, and only that makes the exit status 1."""

import dataclasses
import json
from pathlib import Path

import pytest

from jiqi import config
from jiqi.doctor import report
from jiqi.doctor.facts import EngineFacts, Facts
from jiqi.doctor.findings import GIB, Finding, Grade, examine
from jiqi.doctor.look import images, look

ROOT = Path(__file__).resolve().parents[2]
GOOD = Facts(
    python=(3, 11, 2),
    root=True,
    sys_admin=True,
    host="auto",
    engine=EngineFacts(
        reachable="yes",
        version="27.1",
        live_restore=True,
        cgroup="v2 systemd",
        disk_free=100 * GIB,
        images={"torch-cpu": True, "paddle-cpu": True},
    ),
    docker_command=True,
    kernel_python=None,
    state=Path("/srv/jiqi"),
    disk_free=100 * GIB,
    memory=16 * GIB,
    descriptors=1048576,
    listen="127.0.0.1",
    port=8000,
    port_holder=None,
    portal_host="localhost",
    notebook_host="127.0.0.1",
    running="http://localhost:8000",
    valkey="ready",
    database="ready",
    beat_age=1.0,
    node_problem=None,
    frontend=True,
    pip_index=None,
)


def engine(**changes):
    return {"engine": dataclasses.replace(GOOD.engine, **changes)}


def test_a_good_machine_has_nothing_to_mend():
    assert {finding.grade for finding in examine(GOOD)} == {Grade.OK}


@pytest.mark.parametrize(
    ("changes", "code", "grade"),
    [
        ({"python": (3, 9, 2)}, "python.too_old", Grade.BAD),
        (engine(live_restore=False), "doctor.live_restore_off", Grade.BAD),
        (engine(memory_limit=False), "doctor.cgroup_limits", Grade.BAD),
        (engine(images={"torch-cpu": False}), "image.missing", Grade.BAD),
        (engine(reachable="denied"), "doctor.docker_denied", Grade.NOTE),
        ({**engine(reachable="denied"), "host": "docker"}, "doctor.docker_denied", Grade.BAD),
        (engine(reachable="no"), "doctor.docker_missing", Grade.NOTE),
        ({**engine(reachable="no"), "host": "docker"}, "doctor.docker_missing", Grade.BAD),
        ({**engine(reachable="no"), "listen": "0.0.0.0"}, "listen.not_isolated", Grade.BAD),
        ({**engine(reachable="no"), "kernel_python": None}, "doctor.environment_missing", Grade.BAD),
        ({"host": "process", "kernel_python": Path("/k/python")}, "doctor.process_chosen", Grade.NOTE),
        ({"sys_admin": False, "root": False}, "doctor.mounts_by_helper", Grade.NOTE),
        ({"disk_free": GIB}, "doctor.disk_full", Grade.BAD),
        ({"disk_free": 5 * GIB}, "doctor.disk_low", Grade.NOTE),
        (engine(disk_free=GIB), "doctor.disk_full", Grade.BAD),
        ({"running": None, "port_holder": " (nginx, pid 7)"}, "listen.port_in_use", Grade.BAD),
        ({"running": None, "valkey": "missing"}, "doctor.valkey_missing", Grade.BAD),
        ({"valkey": "silent"}, "doctor.valkey_silent", Grade.BAD),
        ({"database": "OperationalError"}, "doctor.database_down", Grade.BAD),
        ({"beat_age": 60.0}, "doctor.agent_late", Grade.BAD),
        ({"beat_age": None}, "doctor.agent_never", Grade.BAD),
        ({"node_problem": "docker.down"}, "doctor.agent_problem", Grade.BAD),
        ({"frontend": False}, "doctor.frontend_missing", Grade.BAD),
        ({"notebook_host": "localhost"}, "doctor.one_origin", Grade.NOTE),
        ({"descriptors": 1024}, "doctor.descriptors_low", Grade.NOTE),
        ({"memory": 2 * GIB}, "doctor.memory_low", Grade.NOTE),
        ({"pip_index": "https://mirror.example/simple"}, "doctor.pip_index", Grade.NOTE),
    ],
)
def test_what_is_wrong_is_found_by_code(changes, code, grade):
    found = [f for f in examine(dataclasses.replace(GOOD, **changes)) if f.code == code]
    assert [f.grade for f in found] == [grade]
    for lang in ("zh", "en"):
        line = report.line(found[0], lang=lang)
        assert f"[{code}]" in line
        assert "{" not in line.replace('{"live-restore": true}', "")


def test_the_agent_is_not_missed_while_nothing_runs():
    codes = {
        f.code for f in examine(dataclasses.replace(GOOD, running=None, beat_age=None, valkey="stopped"))
    }
    assert not any(code.startswith("doctor.agent") for code in codes)


def test_every_cpu_image_of_the_tree_is_asked_for():
    found = images(ROOT / "kernels" / "images")
    assert found["torch-cpu"].startswith("jiqi/torch-cpu:")
    assert "paddle-cpu" in found


def test_a_look_at_this_machine_changes_nothing(tmp_path):
    environ = {"JIQI_STATE": str(tmp_path / "state"), "JIQI_PORT": "59990"}
    facts = look(config.load(environ))
    assert facts.database == "new"
    assert facts.running is None
    assert facts.disk_free > 0
    assert facts.valkey == "stopped"
    assert not (tmp_path / "state").exists()


def test_json_has_code_grade_and_both_languages(tmp_path, capsys):
    status = report.run(
        config.load({"JIQI_STATE": str(tmp_path / "state"), "JIQI_PORT": "59990"}), as_json=True
    )
    findings = json.loads(capsys.readouterr().out)
    assert all({"code", "grade", "params", "text"} <= finding.keys() for finding in findings)
    assert status == int(any(finding["grade"] == "bad" for finding in findings))


def test_a_password_in_the_index_is_not_shown(monkeypatch, tmp_path):
    monkeypatch.setenv("PIP_INDEX_URL", "https://me:hidden@mirror.example/simple")
    facts = look(config.load({"JIQI_STATE": str(tmp_path), "JIQI_PORT": "59990"}))
    assert facts.pip_index == "https://mirror.example/simple"


def test_a_finding_without_trouble_shows_no_code():
    assert "[" not in report.line(Finding(code="doctor.agent", grade=Grade.OK))
