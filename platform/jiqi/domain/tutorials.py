"""Lessons as the catalogue knows them."""

from dataclasses import dataclass, field

from jiqi.domain.errors import JiqiError
from jiqi.domain.ids import LessonId


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One lesson: texts and notebook file names by language (`zh`, `en`), and the environment its kernel needs.

    `path` is the learning path's name; `files` are copied beside the notebook; `order` sorts the catalogue.
    """

    id: LessonId
    path: str
    version: str
    title: dict[str, str]
    summary: dict[str, str]
    minutes: int
    level: str
    environment: str
    notebook: dict[str, str]
    files: tuple[str, ...] = field(default=())
    order: int = 1000

    def text(self, table: dict[str, str], *, language: str) -> str:
        """Return the text in `language` ("zh-CN" or "en"), Chinese where there is none."""
        return table.get(short(language), table["zh"])


class LessonUnknownError(JiqiError):
    """No lesson has this id."""

    code = "lesson.unknown"
    status = 404


def short(language: str) -> str:
    """Return the key of a lesson's tables for `language`."""
    return "en" if language == "en" else "zh"
