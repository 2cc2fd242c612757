"""Which of the two languages a reader gets: `?lang`, the cookie, what the browser prefers, else Chinese."""

from typing import Final

from tornado import httputil

CHINESE: Final = "zh-CN"
ENGLISH: Final = "en"
COOKIE: Final = "jiqi_lang"


def language_of(request: httputil.HTTPServerRequest) -> str:
    """Return "zh-CN" or "en"."""
    asked = [value.decode("utf-8", "replace") for value in request.query_arguments.get("lang", [])]
    if COOKIE in request.cookies:
        asked.append(request.cookies[COOKIE].value)
    asked += _preferred(request.headers.get("Accept-Language", ""))
    for value in asked:
        known = known_language(value)
        if known is not None:
            return known
    return CHINESE


def known_language(value: str) -> str | None:
    """Return the language that a tag such as `zh-Hans-CN` or `en-GB` stands for, None for another one."""
    return {"zh": CHINESE, "en": ENGLISH}.get(value.strip()[:2].lower())


def _preferred(header: str) -> list[str]:
    """Return the tags of an Accept-Language header, the best first."""
    weighed = []
    for place, part in enumerate(header.split(",")[:20]):
        tag, _, parameter = part.partition(";")
        try:
            weight = float(parameter.partition("=")[2] or 1)
        except ValueError:
            weight = 0.0
        weighed.append((-weight, place, tag))
    return [tag for _, _, tag in sorted(weighed)]
