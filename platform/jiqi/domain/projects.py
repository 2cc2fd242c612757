"""A project: a folder of the person's home with an environment, perhaps copied from a lesson."""

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime

from jiqi.domain.errors import BadInputError, JiqiError
from jiqi.domain.ids import LessonId, ProjectId, UserId, id_from_digest


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


class ProjectLimitError(JiqiError):
    """The person has `limit` projects; delete one first."""

    code = "project.limit"
    status = 409


PROJECTS_MOST = 200
_UNFRIENDLY = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]+')
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f/\\]")
NAME_BYTES = 200


def check_project_name(text: str) -> str:
    """Return the name as shown. Raises BadInputError for an empty, hidden, too long or unprintable one."""
    try:
        name = unicodedata.normalize("NFC", text).strip()
        name.encode()
    except UnicodeEncodeError as error:
        raise BadInputError(where="name", limit=NAME_BYTES) from error
    if not name or name.startswith(".") or _FORBIDDEN.search(name) or len(name.encode()) > NAME_BYTES:
        raise BadInputError(where="name", limit=NAME_BYTES)
    return name


def file_title(title: str) -> str:
    """Return `title` as a file or folder name that every system takes, at most 120 bytes long."""
    text = " ".join(_UNFRIENDLY.sub(" ", unicodedata.normalize("NFC", title)).split()).strip(" .")
    short = text.encode()[:120].decode("utf-8", "ignore").strip(" .")
    return short or "project"


def free_folder(name: str, *, taken: frozenset[str]) -> str:
    """Return `name`, or `name-2`, `name-3`… when folders of that name (compared without case) exist."""
    lowered = {folder.casefold() for folder in taken}
    candidate, count = name, 1
    while candidate.casefold() in lowered:
        count += 1
        candidate = f"{name}-{count}"
    return candidate


def id_of_key(user_id: UserId, key: str) -> str:
    """Return the one project id that `key` (chosen by the person's page for one click) stands for."""
    return id_from_digest(hashlib.sha256(f"{user_id}:{key}".encode()).digest())
