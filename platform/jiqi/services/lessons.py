"""The catalogue of lessons."""

from jiqi.domain.files import shown
from jiqi.domain.ids import LessonId
from jiqi.domain.tutorials import Lesson, LessonUnknownError
from jiqi.services.ports_homes import Catalogue


class Lessons:
    """Lessons by id and in order."""

    def __init__(self, *, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def all(self) -> list[Lesson]:
        """Return every lesson in the order of the catalogue."""
        return list(self._catalogue.lessons().values())

    def get(self, lesson_id: LessonId) -> Lesson:
        """Return one lesson. Raises LessonUnknownError."""
        found = self._catalogue.lessons().get(lesson_id)
        if found is None:
            raise LessonUnknownError(lesson=shown(lesson_id[:64]))
        return found
