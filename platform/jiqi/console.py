"""What the command line says, in Chinese or English; the standard library only, since the bootstrap uses it too."""

import os
import sys
from collections.abc import Mapping
from typing import Literal, TextIO

from jiqi.console_words import WORDS

Language = Literal["zh", "en"]


def language(environ: Mapping[str, str] | None = None) -> Language:
    """Return the console's language: JIQI_LANG, else the locale when it names English, else Chinese.

    `C` and `POSIX` name no language, so they leave the default.
    """
    env = os.environ if environ is None else environ
    for name in ("JIQI_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = env.get(name, "").lower()
        if value.startswith("zh"):
            return "zh"
        if value.startswith("en"):
            return "en"
    return "zh"


def words(key: str, *, lang: Language | None = None, **params: object) -> str:
    """Return the text of `key` with its places filled. Raises KeyError for an unknown key."""
    return _fill(key, lang or language(), params)


def say(key: str, *, to: TextIO | None = None, **params: object) -> None:
    """Print the text of `key`."""
    write(_fill(key, language(), params), to=to)


def write(text: str, *, to: TextIO | None = None) -> None:
    """Print a line at once; a terminal that cannot show Chinese gets replacement marks, never an exception."""
    stream = sys.stdout if to is None else to
    try:
        print(text, file=stream, flush=True)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        print(text.encode(encoding, "replace").decode(encoding), file=stream, flush=True)


def refuse(key: str, **params: object) -> None:
    """Print a problem on standard error: what happened, what to do, and the stable code, which is the key."""
    write(f"✗ {_fill(key, language(), params)}  [{key}]", to=sys.stderr)


def _fill(key: str, lang: Language, params: Mapping[str, object]) -> str:
    chinese, english = WORDS[key]
    return (chinese if lang == "zh" else english).format(**params)
