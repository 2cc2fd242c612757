"""Lessons from `tutorials/<path>/<lesson>/lesson.yml`, read again when a file changes.

A lesson that cannot be read is logged and left out: one author's slip must not close the catalogue.
"""

import contextlib
import hashlib
import re
import secrets
import shutil
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec
import structlog
import yaml

from jiqi.domain.ids import LessonId
from jiqi.domain.projects import file_title
from jiqi.domain.tutorials import Lesson, short

log = structlog.get_logger()
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,62}\Z")
_LOOK_AGAIN = 1.0


class _LessonFile(msgspec.Struct, kw_only=True):
    """The shape of lesson.yml; keys for other tools are let be."""

    id: str
    version: str
    title: dict[str, str]
    summary: dict[str, str]
    minutes: int
    level: str
    environment: str
    notebook: dict[str, str]
    files: list[str] = []
    order: int = 1000


class TutorialFiles:
    """See `services.ports_homes.Catalogue`; safe in threads."""

    def __init__(self, root: Path, *, cache: Path) -> None:
        """Read lessons beneath `root`; put what learners get, ready to copy, beneath `cache`."""
        self._root = root
        self._cache = cache
        self._lock = threading.Lock()
        self._looked = -_LOOK_AGAIN
        self._stamp: tuple[tuple[str, int], ...] = ()
        self._lessons: Mapping[LessonId, Lesson] = MappingProxyType({})

    def lessons(self) -> Mapping[LessonId, Lesson]:
        """Return the readable lessons in the order of the catalogue."""
        with self._lock:
            now = time.monotonic()
            if now - self._looked >= _LOOK_AGAIN:
                self._look()
                self._looked = now
            return self._lessons

    def bundle(self, lesson: Lesson, *, language: str) -> Path:
        """Return a folder with exactly what a learner gets."""
        source = self._root / lesson.path
        notebook = source / _in_language(lesson.notebook, language)
        parts = {self.notebook_name(lesson, language=language): notebook}
        parts |= {name: source / name for name in lesson.files}
        folder = self._cache / f"{lesson.id}-{short(language)}-{_digest(parts)}"
        if not folder.is_dir():
            self._fill(folder, parts)
        return folder

    def notebook_name(self, lesson: Lesson, *, language: str) -> str:
        """Return the notebook's name in a bundle."""
        return f"{file_title(lesson.text(lesson.title, language=language))}.ipynb"

    def _look(self) -> None:
        found = sorted(self._root.glob("*/*/lesson.yml"))
        stamp = tuple((str(path), _changed(path)) for path in found)
        if stamp == self._stamp:
            return
        lessons = [lesson for path in found if (lesson := self._read(path)) is not None]
        lessons.sort(key=lambda lesson: (lesson.order, lesson.id))
        self._lessons = MappingProxyType({lesson.id: lesson for lesson in lessons})
        self._stamp = stamp
        log.info("lessons_read", count=len(self._lessons))

    def _read(self, path: Path) -> Lesson | None:
        try:
            raw = msgspec.convert(yaml.safe_load(path.read_text("utf-8")), _LessonFile)
            return self._checked(raw, path.parent)
        except (OSError, ValueError, yaml.YAMLError, msgspec.ValidationError) as error:
            log.warning("lesson_unreadable", lesson=path.parent.name, error=str(error)[:300])
            return None

    def _checked(self, raw: _LessonFile, folder: Path) -> Lesson:
        if not _ID.match(raw.id):
            raise ValueError(f"id {raw.id!r} is not lower-case letters, digits and hyphens")
        for table in (raw.title, raw.summary, raw.notebook):
            if "zh" not in table:
                raise ValueError("title, summary and notebook need zh")
        for name in (*raw.notebook.values(), *raw.files):
            if Path(name).is_absolute() or ".." in Path(name).parts or not (folder / name).is_file():
                raise ValueError(f"no such file of the lesson: {name}")
        return Lesson(
            id=LessonId(raw.id),
            path=folder.relative_to(self._root).as_posix(),
            version=raw.version,
            title=raw.title,
            summary=raw.summary,
            minutes=raw.minutes,
            level=raw.level,
            environment=raw.environment,
            notebook=raw.notebook,
            files=tuple(raw.files),
            order=raw.order,
        )

    def _fill(self, folder: Path, parts: Mapping[str, Path]) -> None:
        """Make a bundle under a name of its own and rename it, so that nobody copies half of one."""
        making = folder.with_name(f".{folder.name}-{secrets.token_hex(6)}")
        for name, source in parts.items():
            target = making / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        try:
            making.rename(folder)
        except OSError:
            # Another thread or process made the same one first.
            shutil.rmtree(making)
            if not folder.is_dir():
                raise


def _in_language(table: Mapping[str, str], language: str) -> str:
    return table.get(short(language), table["zh"])


def _changed(path: Path) -> int:
    with contextlib.suppress(FileNotFoundError):
        return path.stat().st_mtime_ns
    return 0


def _digest(parts: Mapping[str, Path]) -> str:
    digest = hashlib.sha256()
    for name in sorted(parts):
        info = parts[name].stat()
        digest.update(f"{name}\0{info.st_size}\0{info.st_mtime_ns}\0{info.st_ino}\n".encode())
    return digest.hexdigest()[:12]
