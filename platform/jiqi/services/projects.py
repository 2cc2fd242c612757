"""Projects: folders of a home with an environment; opening a lesson makes one copy, whatever the number of clicks.

The row comes first (unique by person and lesson, and by person and folder), then the files, which appear in one
rename. A crash between the two is mended by the next open.
"""

import builtins
import contextlib
import json
from dataclasses import dataclass, replace

from jiqi.domain.accounts import User
from jiqi.domain.errors import NotFoundError
from jiqi.domain.files import (
    FileMissingError,
    FileNotFolderError,
    FileOutsideError,
    FileTakenError,
    FolderNotEmptyError,
    parse_path,
    shown,
)
from jiqi.domain.ids import ProjectId, UserId, is_id, random_id
from jiqi.domain.kernels import EnvironmentUnknownError, Kernel
from jiqi.domain.projects import (
    PROJECTS_MOST,
    Project,
    ProjectLimitError,
    check_project_name,
    file_title,
    free_folder,
    id_of_key,
)
from jiqi.domain.tutorials import Lesson
from jiqi.services.disk import Disk
from jiqi.services.hosts import Hosts
from jiqi.services.kernels import KernelService, OpenRequest
from jiqi.services.ports import Clock, Database, Transaction
from jiqi.services.ports_homes import Catalogue, Homes
from jiqi.services.project_files import Contents, main_notebook, measure

DEFAULT_ENVIRONMENT = "torch-cpu"
_DELETE_TRIES = 3
_EMPTY = {"zh": "未命名.ipynb", "en": "Untitled.ipynb"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectView:
    """A project, the file to open first (below the home, "" when there is none), and its live kernels."""

    project: Project
    path: str
    kernels: int


class ProjectService:
    """Projects of one person at a time; every method checks that the project is the person's."""

    def __init__(
        self,
        *,
        database: Database,
        homes: Homes,
        catalogue: Catalogue,
        kernels: KernelService,
        hosts: Hosts,
        disk: Disk,
        clock: Clock,
    ) -> None:
        self._database = database
        self._homes = homes
        self._catalogue = catalogue
        self._kernels = kernels
        self._hosts = hosts
        self._disk = disk
        self._clock = clock

    def list(self, user: User) -> "builtins.list[ProjectView]":
        """Return the person's projects, last opened first."""

        def work(tx: Transaction) -> tuple[list[Project], list[Kernel]]:
            return tx.projects.of_user(user.id), tx.kernels.live_of_user(user.id)

        projects, live = self._database.read(work)
        return [self._view(project, live) for project in projects]

    def get(self, user: User, project_id: ProjectId) -> Project:
        """Return a project. Raises NotFoundError."""
        return self._database.read(lambda tx: _own(tx, user.id, project_id))

    def detail(self, user: User, project_id: ProjectId) -> tuple[ProjectView, Contents]:
        """Return a project and what deleting it would lose. Raises NotFoundError."""
        project, live = self._own(user.id, project_id)
        contents = measure(self._homes.of(user.id), project.folder, kernels=len(live))
        return self._view(project, live), contents

    def open_lesson(self, user: User, lesson: Lesson, *, language: str) -> ProjectView:
        """Return the person's copy of a lesson, making it when there is none. Raises FileError, ProjectLimitError."""
        files = self._homes.made(user.id)
        title = file_title(lesson.text(lesson.title, language=language))
        present = self._folders(user.id)

        def work(tx: Transaction) -> Project:
            now = self._clock()
            found = tx.projects.of_lesson(user.id, lesson.id)
            if found is not None:
                opened = replace(found, last_opened=now)
                tx.projects.save(opened)
                return opened
            project = Project(
                id=ProjectId(random_id()),
                user_id=user.id,
                name=lesson.text(lesson.title, language=language),
                folder=_free(tx, user.id, title, present=present),
                environment=lesson.environment,
                lesson=lesson.id,
                created=now,
                last_opened=now,
            )
            tx.projects.add(project)
            return project

        project = self._database.write(work)
        if project.folder not in present:
            self._disk.require(user)
            # Somebody who clicked at the same time may have been first: both have the same copy.
            with contextlib.suppress(FileTakenError):
                files.import_folder(self._catalogue.bundle(lesson, language=language), project.folder)
        return self._view(project, self._live(user.id))

    def create(
        self, user: User, *, name: str, environment: str | None, key: str | None, language: str
    ) -> ProjectView:
        """Make a project with an empty notebook; the same `key` again returns the same project.

        Raises BadInputError, EnvironmentUnknownError, ProjectLimitError, FileError.
        """
        shown_name = check_project_name(name)
        chosen = self._environment(environment)
        self._disk.require(user)
        files = self._homes.made(user.id)
        present = self._folders(user.id)
        project_id = ProjectId(id_of_key(user.id, key) if key else random_id())

        def work(tx: Transaction) -> tuple[Project, bool]:
            found = tx.projects.get(project_id)
            if found is not None:
                return found, False
            now = self._clock()
            project = Project(
                id=project_id,
                user_id=user.id,
                name=shown_name,
                folder=_free(tx, user.id, file_title(shown_name), present=present),
                environment=chosen,
                lesson=None,
                created=now,
                last_opened=now,
            )
            tx.projects.add(project)
            return project, True

        project, made = self._database.write(work)
        if made:
            notebook = _EMPTY["en" if language == "en" else "zh"]
            try:
                files.mkdir(project.folder, exist_ok=True)
                files.write(f"{project.folder}/{notebook}", empty_notebook(chosen))
            except BaseException:
                self._database.write(lambda tx: tx.projects.delete(project.id))
                raise
        return self._view(project, [])

    def rename(self, user: User, project_id: ProjectId, *, name: str) -> ProjectView:
        """Change the shown name; the folder stays, so that open pages and kernels do too. Raises NotFoundError."""
        shown_name = check_project_name(name)

        def work(tx: Transaction) -> Project:
            project = replace(_own(tx, user.id, project_id), name=shown_name)
            tx.projects.save(project)
            return project

        return self._view(self._database.write(work), self._live(user.id))

    def delete(self, user: User, project_id: ProjectId) -> Contents:
        """Stop the kernels, remove the files, then the row; return what was lost. Raises NotFoundError, FileError."""
        project, live = self._own(user.id, project_id)
        files = self._homes.of(user.id)
        contents = measure(files, project.folder, kernels=len(live))
        for kernel in live:
            self._kernels.stop(user.id, kernel.id)
        for attempt in range(_DELETE_TRIES):
            try:
                files.delete(project.folder)
            except FileMissingError:
                break
            except FolderNotEmptyError:
                if attempt == _DELETE_TRIES - 1:
                    raise
            else:
                break
        self._database.write(lambda tx: tx.projects.delete(project.id))
        self._disk.forget(user.id)
        return contents

    def visit(self, user: User, project_id: ProjectId, *, path: str) -> ProjectView:
        """Return a project about to be opened at `path` (its main file when ""). Raises NotFoundError, FileError."""

        def work(tx: Transaction) -> Project:
            project = replace(_own(tx, user.id, project_id), last_opened=self._clock())
            tx.projects.save(project)
            return project

        project = self._database.write(work)
        view = self._view(project, self._live(user.id))
        return replace(view, path=self._inside(user, project, path)) if path else view

    def request_kernel(self, user: User, view: ProjectView) -> Kernel | None:
        """Ask for the kernel of the view's notebook; None for another kind of file. Raises as `KernelService.open`."""
        if not view.path.endswith(".ipynb"):
            return None
        return self._kernels.open(user, _request(view.project, view.path))

    def start_kernel(
        self, user: User, project_id: ProjectId, *, path: str, environment: str | None, safe: bool
    ) -> Kernel:
        """Start or return the kernel of a file. Raises NotFoundError, FileError and as `KernelService.open`."""
        project, _ = self._own(user.id, project_id)
        document = self._inside(user, project, path)
        chosen = replace(project, environment=environment) if environment else project
        kernel = self._kernels.open(user, _request(chosen, document, safe=safe))
        if chosen != project and kernel.environment == environment:
            self._database.write(lambda tx: tx.projects.save(chosen))
        return kernel

    def _inside(self, user: User, project: Project, path: str) -> str:
        names = parse_path(path)
        if not names or names[0] != project.folder:
            raise FileOutsideError(path=shown(path))
        self._homes.of(user.id).stat(path)
        return path

    def _view(self, project: Project, live: "builtins.list[Kernel]") -> ProjectView:
        return ProjectView(
            project=project,
            path=main_notebook(
                self._homes.of(project.user_id), project.folder, made_with=self._made_with(project)
            ),
            kernels=sum(1 for kernel in live if kernel.project_id == project.id),
        )

    def _made_with(self, project: Project) -> tuple[str, ...]:
        if project.lesson is None:
            return tuple(_EMPTY.values())
        lesson = self._catalogue.lessons().get(project.lesson)
        if lesson is None:
            return ()
        return tuple(self._catalogue.notebook_name(lesson, language=language) for language in _EMPTY)

    def _live(self, user_id: UserId) -> "builtins.list[Kernel]":
        return self._database.read(lambda tx: tx.kernels.live_of_user(user_id))

    def _own(self, user_id: UserId, project_id: ProjectId) -> "tuple[Project, builtins.list[Kernel]]":
        def work(tx: Transaction) -> tuple[Project, list[Kernel]]:
            project = _own(tx, user_id, project_id)
            return project, tx.kernels.live_of_project(user_id, project_id)

        return self._database.read(work)

    def _folders(self, user_id: UserId) -> frozenset[str]:
        try:
            return frozenset(entry.name for entry in self._homes.of(user_id).entries("").entries)
        except (FileMissingError, FileNotFolderError):
            return frozenset()

    def _environment(self, wanted: str | None) -> str:
        offered = [offer.environment.name for offer in self._hosts.state().environments]
        if wanted is None:
            return next(iter(offered), DEFAULT_ENVIRONMENT)
        if offered and wanted not in offered:
            raise EnvironmentUnknownError(environment=wanted, known=offered)
        return wanted


def empty_notebook(environment: str) -> bytes:
    """Return a notebook with one empty code cell, as JSON."""
    kernelspec = {"name": environment, "display_name": environment, "language": "python"}
    cell: dict[str, object] = {
        "cell_type": "code",
        "id": random_id(length=8),
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": [],
    }
    notebook = {"cells": [cell], "metadata": {"kernelspec": kernelspec}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1).encode() + b"\n"


def _request(project: Project, path: str, *, safe: bool = False) -> OpenRequest:
    return OpenRequest(
        environment=project.environment,
        document=path,
        project_id=project.id,
        session_name=path.rpartition("/")[2],
        safe=safe,
    )


def _free(tx: Transaction, user_id: UserId, name: str, *, present: frozenset[str]) -> str:
    projects = tx.projects.of_user(user_id)
    if len(projects) >= PROJECTS_MOST:
        raise ProjectLimitError(limit=PROJECTS_MOST)
    return free_folder(name, taken=present | {project.folder for project in projects})


def _own(tx: Transaction, user_id: UserId, project_id: ProjectId) -> Project:
    # What is no id never reaches the database: PostgreSQL refuses a NUL with an error of its own.
    project = tx.projects.get(project_id) if is_id(project_id) else None
    if project is None or project.user_id != user_id:
        raise NotFoundError(project=shown(project_id[:26]))
    return project
