"""Uploads into projects, with the portal API's authentication and quota."""

from tornado import web

from jiqi.domain.errors import LoginRequiredError
from jiqi.domain.files import parse_path
from jiqi.domain.ids import ProjectId
from jiqi.services.authentication import Principal
from jiqi.services.ports_homes import Homes
from jiqi.web import auth
from jiqi.web.call import Auth, Operation
from jiqi.web.handlers import Handler, WebState
from jiqi.web.operations import PREFIX
from jiqi.web.pool import Pool
from jiqi.web.uploads import UploadTarget, upload_handler


def _place(_call: object) -> None:
    """Stand for the upload in the rules of origins; its handler does the work."""


_UPLOAD = Operation(id="uploadFile", method="PUT", path="", auth=Auth.WORK, tag="projects", run=_place)


class UploadBase(Handler):
    """Checks origin, XSRF and who asks before the first byte is taken."""

    principal: Principal

    async def prepare(self) -> None:  # type: ignore[override]
        """Refuse what may not write."""
        super().prepare()
        auth.check_place(self.request, _UPLOAD, site=self.state.services.site)
        found = await self.state.pool.run(
            auth.principal_of, self.request, services=self.state.services, portal_only=False
        )
        if found is None:
            raise LoginRequiredError
        self.principal = found


def upload_route(homes: Homes, pool: Pool) -> tuple[str, type[web.RequestHandler]]:
    """Return the route of uploads."""

    async def target_of(handler: web.RequestHandler, project: str, path: str) -> UploadTarget:
        assert isinstance(handler, UploadBase)  # noqa: S101  (the class made below)
        return await pool.run(_target, handler.state, handler.principal, project, path)

    def _target(state: WebState, principal: Principal, project: str, path: str) -> UploadTarget:
        found = state.services.projects.get(principal.user, ProjectId(project))
        inside = parse_path(path)
        return UploadTarget(
            files=homes.made(principal.user.id),
            path="/".join((found.folder, *inside)),
            room=state.services.disk.room(principal.user),
        )

    handler = upload_handler(UploadBase, target_of=target_of, run_in_pool=pool.run)
    return f"{PREFIX}/projects/([^/]+)/files/(.+)", handler
