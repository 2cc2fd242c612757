"""From a path as Jupyter clients say it to a kernel: which project, which environment. Runs in the pool."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jiqi.domain.accounts import User
from jiqi.domain.errors import BadInputError
from jiqi.domain.files import FileTakenError, parse_path, shown
from jiqi.domain.ids import KernelId
from jiqi.domain.kernels import Kernel, Target
from jiqi.domain.projects import Project
from jiqi.services.kernels import OpenRequest
from jiqi.web.jupyter.kernelspecs import ANY_PYTHON

if TYPE_CHECKING:
    from jiqi.web.jupyter.shared import Shared

NAME_LIMIT = 512
TYPE_LIMIT = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a client asked for: `path` is the document, or with `file=False` a folder to start in."""

    path: str
    environment: str = ""
    name: str = ""
    kind: str = "notebook"
    file: bool = True

    def checked(self) -> "Wish":
        """Return the wish with a clean path. Raises FileError, BadInputError."""
        path = self.path.strip("/")
        parse_path(path)
        if len(self.name) > NAME_LIMIT or len(self.kind) > TYPE_LIMIT:
            raise BadInputError(where="name", limit=NAME_LIMIT)
        return replace(self, path=path)


def open_wish(shared: "Shared", user: User, wish: Wish) -> Kernel:
    """Return the kernel of a document, asking for one when there is none. Raises what `KernelService.open` does."""
    return shared.kernels.open(user, request_of(shared, user, wish))


def change_environment(shared: "Shared", user: User, kernel_id: KernelId, wish: Wish) -> Kernel:
    """Stop a kernel and return another that takes over its session."""
    return shared.kernels.exchange(user, kernel_id, request_of(shared, user, wish))


def request_of(shared: "Shared", user: User, wish: Wish) -> OpenRequest:
    """Return the request that a wish comes to."""
    wish = wish.checked()
    project = _project(shared, user, wish.path)
    return OpenRequest(
        environment=_environment(shared, wish, project),
        document=(wish.path or None) if wish.file else None,
        project_id=project.id if project is not None else None,
        session_name=wish.name,
        session_type=wish.kind,
    )


def move(shared: "Shared", user: User, kernel: Kernel, *, path: str, name: str, kind: str) -> Kernel:
    """Let a kernel follow its file. Raises FileTakenError when another kernel has that document."""
    wish = Wish(path=path, name=name, kind=kind).checked()
    other = shared.database.read(lambda tx: tx.kernels.live_of_document(user.id, wish.path))
    if other is not None and other.id != kernel.id and other.target is Target.RUNNING:
        raise FileTakenError(path=shown(wish.path))
    return shared.kernels.move(user.id, kernel.id, document=wish.path or None, name=name, kind=kind)


def _project(shared: "Shared", user: User, path: str) -> Project | None:
    folder = path.partition("/")[0]
    projects = shared.database.read(lambda tx: tx.projects.of_user(user.id))
    return next((project for project in projects if project.folder == folder), None)


def _environment(shared: "Shared", wish: Wish, project: Project | None) -> str:
    known = [environment.name for environment in shared.environments.load()]
    if wish.environment in known or wish.environment not in ANY_PYTHON:
        return wish.environment
    if project is not None:
        return project.environment
    return known[0] if known else wish.environment
