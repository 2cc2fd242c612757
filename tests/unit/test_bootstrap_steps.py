"""A preparation step is done once for the same inputs, again for others, and fails with words that help."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "infra" / "dev"))

import steps
from steps import Step, StepError, call, telling


@pytest.fixture
def stamps(tmp_path, monkeypatch):
    monkeypatch.setattr(steps, "STAMPS", tmp_path / "stamps")
    monkeypatch.setattr(steps, "ROOT", tmp_path)
    return tmp_path


def make_step(folder, done):
    return Step(
        name="run.step.python",
        stamp="one",
        inputs=[folder / "lock"],
        made=[folder / "product"],
        work=lambda: (done.append(1), (folder / "product").touch()),
    )


def test_a_step_is_stale_until_it_was_done_with_the_same_inputs(stamps):
    done = []
    (stamps / "lock").write_text("a==1\n")
    assert make_step(stamps, done).stale()
    make_step(stamps, done).run()
    assert not make_step(stamps, done).stale()
    (stamps / "lock").write_text("a==2\n")
    assert make_step(stamps, done).stale()


def test_a_step_whose_product_was_removed_is_stale(stamps):
    (stamps / "lock").write_text("a==1\n")
    make_step(stamps, []).run()
    (stamps / "product").unlink()
    assert make_step(stamps, []).stale()


def test_a_step_that_failed_is_done_again(stamps):
    (stamps / "lock").write_text("a==1\n")
    step = make_step(stamps, [])

    def fail():
        (stamps / "product").touch()
        raise StepError(tail="no space left", log=stamps / "log")

    step.work = fail
    with pytest.raises(StepError):
        step.run()
    assert make_step(stamps, []).stale()


def test_inputs_that_change_while_the_step_works_make_it_stale_again(stamps):
    (stamps / "lock").write_text("a==1\n")
    step = make_step(stamps, [])
    step.work = lambda: ((stamps / "lock").write_text("a==2\n"), (stamps / "product").touch())
    step.run()
    assert make_step(stamps, []).stale()


def test_a_folder_counts_by_names_and_contents(stamps):
    (stamps / "src").mkdir()
    (stamps / "src" / "a").write_text("1")
    before = steps.digest([stamps / "src"])
    (stamps / "src" / "a").rename(stamps / "src" / "b")
    assert steps.digest([stamps / "src"]) != before


def test_a_failed_command_shows_its_last_lines_and_names_its_log(tmp_path):
    command = [sys.executable, "-c", "print('\\n'.join(map(str, range(50)))); raise SystemExit(3)"]
    with pytest.raises(StepError) as caught:
        call(command, log=tmp_path / "logs" / "x.log", cwd=tmp_path)
    assert caught.value.tail.splitlines()[-1] == "49"
    assert len(caught.value.tail.splitlines()) == 12
    assert caught.value.log == tmp_path / "logs" / "x.log"


def test_npm_says_what_is_wrong_first_and_its_usage_last():
    lines = ["added 3", "npm error code EUSAGE", "npm error lock file is stale", *["npm error usage"] * 40]
    assert telling(lines)[:2] == ["npm error code EUSAGE", "npm error lock file is stale"]


def test_every_lock_file_says_how_much_it_downloads():
    for name in ("platform", "test", "lint", "node"):
        assert steps.lock_megabytes(name) > 1
