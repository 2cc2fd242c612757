"""What goes over the wire about lessons, projects, kernels and files."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from jiqi.web.schemas import Language, Problem, Text200

KernelStatus = Literal["requested", "starting", "ready", "restarting", "stopping", "stopped", "failed"]


class Lesson(msgspec.Struct, kw_only=True):
    """A lesson in the reader's language; `project` is my copy of it, if any."""

    id: str
    path: str
    version: str
    title: str
    summary: str
    minutes: int
    level: str
    environment: str
    open_url: str
    badge_url: str
    project: str | None


class LessonList(msgspec.Struct, kw_only=True):
    """The catalogue, in order."""

    lessons: list[Lesson]


class Project(msgspec.Struct, kw_only=True):
    """A folder of my home; `path` is the file to open first, "" when there is none."""

    id: str
    name: str
    folder: str
    environment: str
    lesson: str | None
    path: str
    kernels: int
    created: datetime
    last_opened: datetime


class ProjectList(msgspec.Struct, kw_only=True):
    """My projects, last opened first."""

    projects: list[Project]


class ProjectContents(msgspec.Struct, kw_only=True):
    """What deleting the project loses; bytes as allocated on disk."""

    files: int
    bytes: int
    kernels: int


class ProjectDetail(msgspec.Struct, kw_only=True):
    """A project and what is in it."""

    project: Project
    contents: ProjectContents


class ProjectRequest(msgspec.Struct, kw_only=True):
    """Make a project with an empty notebook; the same `key` again returns the same project."""

    name: Text200
    environment: Annotated[str, Meta(max_length=64)] | None = None
    key: Annotated[str, Meta(max_length=64)] | None = None


class ProjectChange(msgspec.Struct, kw_only=True):
    """Rename a project; its folder keeps its name, so that open pages stay alive."""

    name: Text200


class OpenRequest(msgspec.Struct, kw_only=True):
    """Open a lesson: guest, copy and kernel are made where they are missing."""

    lesson: Annotated[str, Meta(max_length=100)]
    lang: Language | None = None


class EnterRequest(msgspec.Struct, kw_only=True):
    """Go to the notebook origin: to a file of a project, or to JupyterLab when `project` is null."""

    project: Annotated[str, Meta(max_length=26)] | None = None
    path: Annotated[str, Meta(max_length=4096)] = ""


class Enter(msgspec.Struct, kw_only=True):
    """Submit a form to `action` with the fields `ticket` and `next`; good once, for 60 seconds."""

    action: str
    ticket: str
    next: str


class Opened(msgspec.Struct, kw_only=True):
    """How to go on; `problem` says why no kernel was asked for (the page opens all the same)."""

    enter: Enter
    project: Project | None
    kernel: "Kernel | None"
    problem: Problem | None


class Kernel(msgspec.Struct, kw_only=True):
    """A kernel; `reason` says why it ended; `message` puts it in words."""

    id: str
    status: KernelStatus
    reason: str | None
    message: str | None
    generation: int
    network: Literal["none", "egress"]
    environment: str
    project: str | None
    path: str | None
    safe: bool
    cold: bool
    shadowed: list[str]
    created: datetime
    changed: datetime


class KernelList(msgspec.Struct, kw_only=True):
    """My live kernels, oldest first."""

    kernels: list[Kernel]
    limit: int


class KernelRequest(msgspec.Struct, kw_only=True):
    """Start the kernel of a file, or get the one that runs."""

    project: Annotated[str, Meta(max_length=26)]
    path: Annotated[str, Meta(max_length=4096)]
    environment: Annotated[str, Meta(max_length=64)] | None = None
    safe: bool = False


class Environment(msgspec.Struct, kw_only=True):
    """Where code runs; `available` is false while its hosts cannot start kernels."""

    name: str
    title: str
    framework: str
    accelerator: str
    memory_mb: int
    cpus: float
    network: Literal["none", "egress"]
    isolated: bool
    available: bool


class EnvironmentList(msgspec.Struct, kw_only=True):
    """The environments I may choose."""

    environments: list[Environment]
    problem: str | None


class Disk(msgspec.Struct, kw_only=True):
    """My share of the disk in bytes; `used` is at most ten seconds old."""

    used: int
    limit: int
    complete: bool


class FileWritten(msgspec.Struct, kw_only=True):
    """An uploaded file; `path` is below the home, as in the Jupyter API; `last_modified` in seconds since 1970."""

    name: str
    path: str
    size: int
    last_modified: float
