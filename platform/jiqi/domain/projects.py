"""A project: a folder of the person's home with an environment, perhaps copied from a lesson."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime

from jiqi.domain.errors import BadInputError
from jiqi.domain.ids import LessonId, ProjectId, UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """`folder` is one name directly beneath the home; `environment` is an image's name."""

    id: ProjectId
    user_id: UserId
    name: str
    folder: str
    environment: str
    lesson: LessonId | None
    created: datetime
    last_opened: datetime


_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f/\\]")
NAME_BYTES = 200


def check_project_name(text: str) -> str:
    """Return the name as shown. Raises BadInputError for an empty, hidden, too long or unprintable one."""
    name = unicodedata.normalize("NFC", text).strip()
    if not name or name.startswith(".") or _FORBIDDEN.search(name) or len(name.encode()) > NAME_BYTES:
        raise BadInputError(where="name", limit=NAME_BYTES)
    return name


def free_folder(name: str, *, taken: frozenset[str]) -> str:
    """Return `name`, or `name-2`, `name-3`… when folders of that name (compared without case) exist."""
    lowered = {folder.casefold() for folder in taken}
    candidate, count = name, 1
    while candidate.casefold() in lowered:
        count += 1
        candidate = f"{name}-{count}"
    return candidate
