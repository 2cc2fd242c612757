"""Uploads into projects, with the portal API's authentication and quota."""

from tornado import web

from jiqi.domain.errors import LoginRequiredError
from jiqi.domain.files import parse_path
from jiqi.domain.ids import ProjectId
from jiqi.services.ports_homes import Homes
from jiqi.web import auth
from jiqi.web.call import Auth, Operation
from jiqi.web.handlers import Handler
from jiqi.web.operations import PREFIX
from jiqi.web.pool import Pool
from jiqi.web.uploads import UploadTarget, upload_handler


def _place(_call: object) -> None:
    """Stand for the upload in the rules of origins; its handler does the work."""


_UPLOAD = Operation(id="uploadFile", method="PUT", path="", auth=Auth.WORK, tag="projects", run=_place)


def upload_route(homes: Homes, pool: Pool) -> tuple[str, type[web.RequestHandler]]:
    """Return the route of uploads."""

    async def target_of(handler: web.RequestHandler, project: str, path: str) -> UploadTarget:
        # Every refusal comes from here, so that the uploader's rest is taken and the answer can be read.
        assert isinstance(handler, Handler)  # noqa: S101  (the class made below)
        auth.check_place(handler.request, _UPLOAD, site=handler.state.services.site)
        return await pool.run(_target, handler, project, path)

    def _target(handler: Handler, project: str, path: str) -> UploadTarget:
        state = handler.state
        principal = auth.principal_of(handler.request, services=state.services, portal_only=False)
        if principal is None:
            raise LoginRequiredError
        found = state.services.projects.get(principal.user, ProjectId(project))
        inside = parse_path(path)
        return UploadTarget(
            files=homes.made(principal.user.id),
            path="/".join((found.folder, *inside)),
            room=state.services.disk.room(principal.user),
        )

    handler = upload_handler(Handler, target_of=target_of, run_in_pool=pool.run)
    return f"{PREFIX}/projects/([^/]+)/files/(.+)", handler
