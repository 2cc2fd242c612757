"""The catalogue on disk: read again when it changes, an unreadable lesson closes nothing."""

import json
import os
import shutil
import time
from pathlib import Path

import pytest

from jiqi.adapters import tutorial_files
from jiqi.adapters.tutorial_files import TutorialFiles
from jiqi.domain.ids import LessonId

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tutorials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tutorial_files, "_LOOK_AGAIN", 0.0)
    shutil.copytree(ROOT / "tutorials", tmp_path / "tutorials")
    return tmp_path / "tutorials"


def catalogue(tutorials: Path) -> TutorialFiles:
    return TutorialFiles(tutorials, cache=tutorials.parent / "cache")


def test_every_shipped_lesson_is_readable_and_its_notebooks_are_json(tutorials: Path) -> None:
    found = catalogue(tutorials)
    lessons = found.lessons()
    assert len(lessons) == len(list(tutorials.glob("*/*/lesson.yml")))
    for lesson in lessons.values():
        for language in ("zh-CN", "en"):
            bundle = found.bundle(lesson, language=language)
            name = found.notebook_name(lesson, language=language)
            assert sorted(path.name for path in bundle.iterdir()) == sorted([name, *lesson.files])
            notebook = json.loads((bundle / name).read_text())
            assert notebook["nbformat"] == 4
            assert all(not cell.get("outputs") for cell in notebook["cells"]), (
                "a lesson ships without outputs"
            )


def test_a_changed_lesson_is_read_again_and_an_unreadable_one_left_out(tutorials: Path) -> None:
    found = catalogue(tutorials)
    path = tutorials / "start" / "first-minute" / "lesson.yml"
    old = found.lessons()[LessonId("first-minute")]
    bundle = found.bundle(old, language="zh-CN")
    path.write_text(path.read_text().replace("一分钟上手", "两分钟上手"))
    _later(path)
    new = found.lessons()[LessonId("first-minute")]
    assert new.title["zh"] == "两分钟上手"
    assert found.bundle(new, language="zh-CN") != bundle
    for broken in (
        "id: [",
        "id: first-minute",
        path.read_text().replace("notebook.zh.ipynb", "../../../secret"),
    ):
        path.write_text(broken)
        _later(path)
        assert LessonId("first-minute") not in found.lessons()
        assert LessonId("autograd") in found.lessons()


def test_a_changed_notebook_gives_a_new_bundle_without_touching_the_old(tutorials: Path) -> None:
    found = catalogue(tutorials)
    lesson = found.lessons()[LessonId("autograd")]
    before = found.bundle(lesson, language="en")
    assert found.bundle(lesson, language="en") == before
    notebook = tutorials / "torch" / "autograd" / "notebook.en.ipynb"
    notebook.write_text(notebook.read_text() + "\n")
    _later(notebook)
    assert found.bundle(lesson, language="en") != before
    assert before.is_dir()


def test_no_tutorials_are_no_lessons(tmp_path: Path) -> None:
    assert dict(TutorialFiles(tmp_path / "none", cache=tmp_path).lessons()) == {}


def _later(path: Path) -> None:
    moment = time.time() + 5
    os.utime(path, (moment, moment))
