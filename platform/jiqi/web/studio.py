"""The studio page's boot data: who, which project, and what the Jupyter side says about the file, as one text."""

import contextlib
from dataclasses import dataclass
from typing import Any

import msgspec

from jiqi import __version__
from jiqi.domain.files import FileMissingError, FileOutsideError, parse_path, shown
from jiqi.domain.ids import ProjectId
from jiqi.domain.kernels import Kernel
from jiqi.domain.projects import Project
from jiqi.domain.tutorials import Lesson, LessonUnknownError
from jiqi.services.authentication import Principal
from jiqi.web.built_pages import inline_json
from jiqi.web.handlers import Handler
from jiqi.web.jupyter.apps import UserApps
from jiqi.web.jupyter.boot import Boot, boot
from jiqi.web.jupyter.contents_problems import ContentsError
from jiqi.web.language import CHINESE
from jiqi.web.messages import reason_text
from jiqi.web.problems import described
from jiqi.web.schemas import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    project: Project
    lesson: Lesson | None
    isolated: bool


class Studio:
    """Writes boot data; creates nothing."""

    def __init__(self, apps: UserApps) -> None:
        self._apps = apps

    async def boot(self, handler: Handler, principal: Principal, project_id: ProjectId, path: str) -> str:
        """Return the boot data as JSON that is safe inside a script element. Raises NotFoundError, FileError."""
        place = await handler.state.pool.run(self._place, handler, principal, project_id)
        names = parse_path(path)
        if not names or names[0] != place.project.folder:
            raise FileOutsideError(path=shown(path))
        app = await self._apps.app(principal)
        found = await boot(app, principal, path=path)
        if (
            isinstance(found.problem, (FileMissingError, ContentsError))
            and found.problem.code == "file.not_found"
        ):
            raise FileMissingError(path=shown(path))
        handler.add_header("Set-Cookie", found.xsrf_cookie)
        values = self._values(handler, principal, place, found, path=path)
        return await handler.state.pool.run(_joined, values, found.notebook)

    def _place(self, handler: Handler, principal: Principal, project_id: ProjectId) -> _Place:
        services = handler.state.services
        project = services.projects.get(principal.user, project_id)
        lesson = None
        if project.lesson is not None:
            # A lesson that was taken out of the catalogue leaves the copy usable.
            with contextlib.suppress(LessonUnknownError):
                lesson = services.lessons.get(project.lesson)
        return _Place(project=project, lesson=lesson, isolated=services.hosts.state().isolated)

    def _values(
        self, handler: Handler, principal: Principal, place: _Place, found: Boot, *, path: str
    ) -> dict[str, Any]:
        user, project, lesson = principal.user, place.project, place.lesson
        language = handler.language
        return {
            "lang": language,
            "user": {"id": user.id, "name": user.name, "role": user.role.value},
            "base_url": found.base_url,
            "portal_url": handler.state.services.site.portal_url,
            "project": {
                "id": project.id,
                "name": project.name,
                "folder": project.folder,
                "environment": project.environment,
            },
            "path": path,
            "problem": _problem(found, handler),
            "session": found.session,
            "kernel": _kernel(found.kernel, language=language) if found.kernel is not None else None,
            "kernelspecs": found.kernelspecs,
            "lesson": (
                {"id": lesson.id, "title": lesson.text(lesson.title, language=language)} if lesson else None
            ),
            "xsrf": {"jupyter": found.xsrf, "portal": handler.ensure_xsrf()},
            "isolated": place.isolated,
            "version": __version__,
        }


def _problem(found: Boot, handler: Handler) -> dict[str, Any] | None:
    error = found.problem
    if error is None:
        return None
    if isinstance(error, ContentsError):
        told: Problem = described(
            error.code,
            status=error.status_code,
            params=error.params,
            language=handler.language,
            request_id=handler.request_id,
        )
    else:
        told = handler.told(error)
    plain: dict[str, Any] = msgspec.to_builtins(told)
    return plain


def _kernel(kernel: Kernel, *, language: str = CHINESE) -> dict[str, Any]:
    return {
        "id": kernel.id,
        "status": kernel.status.value,
        "reason": kernel.reason.value if kernel.reason is not None else None,
        "message": reason_text(kernel.reason, kernel.reason_params, language=language),
        "generation": kernel.generation,
        "network": kernel.network.value,
        "environment": kernel.environment,
        "cold": kernel.cold,
        "shadowed": list(kernel.shadowed),
    }


def _joined(values: dict[str, Any], notebook: bytes | None) -> str:
    """Put the notebook's own JSON in without parsing it: `<` occurs in JSON inside strings only."""
    # Appended, not replaced: no word of a person can stand for the place.
    text = inline_json(values)
    model = "null" if notebook is None else notebook.decode().replace("<", "\\u003c")
    return f'{text[:-1]},"notebook":{model}}}'
