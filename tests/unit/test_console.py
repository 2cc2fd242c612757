"""The console speaks the reader's language, says the same in both, and never fails for want of a letter."""

import io
import re

import pytest

from jiqi import console
from jiqi.console_words import WORDS
from jiqi.doctor.words import DOCTOR_WORDS

PLACES = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize(
    ("environ", "lang"),
    [
        ({}, "zh"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "C.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "JIQI_LANG": "zh"}, "zh"),
    ],
)
def test_the_language_is_jiqi_lang_then_the_locale_then_chinese(environ, lang):
    assert console.language(environ) == lang


@pytest.mark.parametrize("key", [*WORDS, *DOCTOR_WORDS])
def test_both_languages_have_the_same_places(key):
    chinese, english = {**WORDS, **DOCTOR_WORDS}[key]
    assert chinese
    assert english
    assert set(PLACES.findall(english)) <= set(PLACES.findall(chinese))
    assert "！" not in chinese
    assert "抱歉" not in chinese
    assert "您" not in chinese


def test_no_key_stands_in_both_tables():
    assert not WORDS.keys() & DOCTOR_WORDS.keys()


def test_a_terminal_without_chinese_gets_marks_instead_of_an_exception():
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", write_through=True)
    console.write("即启 ok", to=stream)
    assert raw.getvalue() == b"?? ok\n"


def test_a_problem_shows_its_code(capsys):
    console.refuse("clean.running")
    assert capsys.readouterr().err.strip().endswith("[clean.running]")
