"""The words: complete in both languages, in the product's tone, filled without errors."""

import re
import string

import pytest

from jiqi.domain.kernels import Reason
from jiqi.web.language import known_language
from jiqi.web.messages import MESSAGES, headline, reason_text, text
from jiqi.web.messages_accounts import ACCOUNT_MESSAGES
from jiqi.web.messages_kernels import KERNEL_MESSAGES
from jiqi.web.messages_platform import PLATFORM_MESSAGES
from jiqi.web.problems import described

OURS = {**ACCOUNT_MESSAGES, **KERNEL_MESSAGES, **PLATFORM_MESSAGES}


@pytest.mark.parametrize("code", sorted(MESSAGES))
def test_both_languages_say_the_same_with_the_same_parameters(code: str) -> None:
    chinese, english = MESSAGES[code]["zh"], MESSAGES[code]["en"]
    assert re.search("[\u4e00-\u9fff]", chinese)
    assert not re.search("[\u4e00-\u9fff]", english)

    def names(message: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(message) if name}

    assert names(english) <= names(chinese)


@pytest.mark.parametrize("code", sorted(OURS))
def test_a_message_keeps_the_products_tone(code: str) -> None:
    """你 not 您, no exclamation, no apology; never a bare 失败 or 非法; what happened, then what became of the work."""
    chinese = OURS[code]["zh"]
    for word in ("您", "！", "抱歉", "失败", "非法", "稍后再试", "抢占", "笔记本"):
        assert word not in chinese
    assert len(re.findall("[。；]", chinese)) >= 2, "what happened, what became of it, what to do now"


@pytest.mark.parametrize("code", sorted(MESSAGES))
def test_no_message_uses_a_word_that_people_misread(code: str) -> None:
    """笔记本 also means laptop; 失败 and 非法 say nothing."""
    for word in ("笔记本", "失败", "非法", "您", "抱歉"):
        assert word not in MESSAGES[code]["zh"]


@pytest.mark.parametrize("reason", list(Reason))
def test_every_end_of_a_kernel_has_words(reason: Reason) -> None:
    for language in ("zh-CN", "en"):
        said = reason_text(reason, {}, language=language)
        assert said
        assert f"end.{reason.value}" in MESSAGES


def test_an_exit_says_its_signal_or_code() -> None:
    assert "信号 11" in (reason_text(Reason.EXITED, {"signal": 11, "code": None}, language="zh-CN") or "")
    assert "exit code 3" in (reason_text(Reason.EXITED, {"code": 3}, language="en") or "")
    assert "900 of 1024 MB" in (
        reason_text(Reason.OOM, {"peak_mb": 900, "limit_mb": 1024}, language="en") or ""
    )
    assert reason_text(None, {}, language="en") is None


def test_a_headline_is_the_first_sentence() -> None:
    assert headline("平台出了问题，你的文件不受影响。编号 7。") == "平台出了问题，你的文件不受影响"
    assert headline("Not found; the link may have changed. Go home.") == "Not found"
    assert headline("x") == "x"


def test_a_value_with_braces_is_shown_and_not_filled() -> None:
    assert "{limit}" in text("account.name_taken", {"name": "{limit}", "limit": 3}, language="zh-CN")


def test_a_problem_carries_plain_parameters_only() -> None:
    found = described("internal", status=500, params={"x": object(), "n": 1}, language="en", request_id="r7")
    assert found.params == {"n": 1}
    assert "r7" in found.detail


@pytest.mark.parametrize(
    ("tag", "known"), [("zh-Hant", "zh-CN"), ("EN-gb", "en"), ("fr", None), ("", None), ("*", None)]
)
def test_languages_are_known_by_their_first_part(tag: str, known: str | None) -> None:
    assert known_language(tag) == known
