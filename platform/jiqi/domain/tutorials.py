"""Lessons as the catalogue knows them."""

from dataclasses import dataclass, field

from jiqi.domain.ids import LessonId


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One lesson: texts by language (`zh`, `en`), and the environment its kernel needs."""

    id: LessonId
    path: str
    version: str
    title: dict[str, str]
    summary: dict[str, str]
    minutes: int
    level: str
    environment: str
    files: dict[str, str] = field(default_factory=dict)

    def text(self, table: dict[str, str], *, language: str) -> str:
        """Return the text in `language` ("zh-CN" or "en"), Chinese where there is none."""
        return table.get("en" if language == "en" else "zh", table["zh"])
