"""Homes and lessons as the use cases see them: a person's folder, and the catalogue on the server's disk."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from jiqi.domain.ids import LessonId, UserId
from jiqi.domain.tutorials import Lesson
from jiqi.services.ports_files import Files


class Homes(Protocol):
    """One folder a person, named by the immutable id."""

    def of(self, user_id: UserId) -> Files:
        """Return the files of a home that may not exist yet; costs nothing."""

    def made(self, user_id: UserId) -> Files:
        """Return the files of a home, making the home when it is missing."""

    def folder(self, user_id: UserId) -> Path:
        """Return where the home is on this machine."""


class Catalogue(Protocol):
    """Lessons on the server's disk, read again when they change."""

    def lessons(self) -> Mapping[LessonId, Lesson]:
        """Return the readable lessons in the order of the catalogue."""

    def bundle(self, lesson: Lesson, *, language: str) -> Path:
        """Return a folder with exactly what a learner gets: the notebook in his language, and the data files."""

    def notebook_name(self, lesson: Lesson, *, language: str) -> str:
        """Return the notebook's name in a bundle."""
