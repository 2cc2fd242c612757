"""The words for every code, zh and en: what happened · what became of your work · what to do now.

Texts of files stand in `messages_files.py`, of endings of kernels in `messages_kernels.py`.
"""

import re
from collections.abc import Mapping
from typing import Final

from jiqi.domain.kernels import Reason
from jiqi.web.messages_accounts import ACCOUNT_MESSAGES
from jiqi.web.messages_files import FILE_MESSAGES
from jiqi.web.messages_kernels import KERNEL_MESSAGES
from jiqi.web.messages_platform import PLATFORM_MESSAGES

MESSAGES: Final[dict[str, dict[str, str]]] = {
    **FILE_MESSAGES,
    **ACCOUNT_MESSAGES,
    **KERNEL_MESSAGES,
    **PLATFORM_MESSAGES,
}
_FIRST = {"zh": re.compile(r".+?[。；]"), "en": re.compile(r".+?[.;](?=\s|\Z)")}


def text(code: str, params: Mapping[str, object], *, language: str) -> str:
    """Return the message of `code` in `language` ("zh-CN" or "en"), filled with `params`."""
    table = MESSAGES.get(code) or MESSAGES["internal"]
    filled = _Filled({key: _shown(value) for key, value in params.items()})
    return table[_short(language)].format_map(filled)


def headline(message: str) -> str:
    """Return the first sentence of a message, without its full stop."""
    for pattern in _FIRST.values():
        found = pattern.match(message)
        if found is not None:
            return found.group().rstrip("。；.;")
    return message


def reason_text(reason: Reason | None, params: Mapping[str, object], *, language: str) -> str | None:
    """Return why a kernel ended, in words."""
    if reason is None:
        return None
    return text(f"end.{reason.value}", {**params, "how": _how(params, language=language)}, language=language)


def _how(params: Mapping[str, object], *, language: str) -> str:
    """Return the signal that ended a process, else its exit code."""
    number, code = params.get("signal"), params.get("code")
    words = {"zh": ("信号 {}", "退出码 {}"), "en": ("signal {}", "exit code {}")}[_short(language)]
    if isinstance(number, int):
        return words[0].format(number)
    return words[1].format(code) if isinstance(code, int) else "?"


class _Filled(dict[str, str]):
    """Parameters; one that is missing reads as an ellipsis rather than as an error upon an error."""

    def __missing__(self, key: str) -> str:
        return "…"


def _shown(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(str(item) for item in value) or "–"
    return str(value)


def _short(language: str) -> str:
    return "en" if language == "en" else "zh"
