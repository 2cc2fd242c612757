"""Which application answers: health by any host, else by host name and path; a foreign host gets 421."""

from collections.abc import Callable
from typing import Any

from tornado import httputil, web
from tornado.routing import Router

from jiqi.web import api, pages
from jiqi.web.handlers import Missing, WebState, log_request
from jiqi.web.health import Alive, Checks, Ready
from jiqi.web.site import Origin, Site
from jiqi.web.static import StaticFiles, StaticHandler

Rule = tuple[str, type[web.RequestHandler]] | tuple[str, type[web.RequestHandler], dict[str, Any]]


def application(
    state: WebState, *, checks: Checks, boot: pages.StudioBoot, more: list[Rule]
) -> web.Application:
    """Return the portal's application: API, pages, static files, health."""
    rules: list[Any] = [
        ("/healthz", Alive),
        ("/readyz", Ready, {"checks": checks}),
        *api.routes(),
        *more,
        ("/static/app/(.*)", StaticHandler, {"files": StaticFiles(state.settings.frontend)}),
        ("/open/(.+)", pages.OpenPage),
        (r"/badge/(.+)\.svg", pages.BadgeHandler),
        ("/share.png", pages.SharePicture),
        ("/enter", pages.EnterHandler),
        ("/p/([^/]+)/(.+)", pages.StudioPage, {"boot": boot}),
        ("/lab/?", pages.LabPage),
        (pages.PORTAL_PAGES, pages.PortalPage),
    ]
    return web.Application(
        rules, state=state, default_handler_class=Missing, log_function=log_request, compress_response=False
    )


class Front(Router):
    """The first router: people's Jupyter applications below `/user/` on the notebook's origin, the rest elsewhere."""

    def __init__(
        self,
        main: web.Application,
        *,
        site: Site,
        users: Callable[[httputil.HTTPServerRequest], httputil.HTTPMessageDelegate | None] | None,
    ) -> None:
        """`users` answers below `/user/`; a request of another host never reaches it."""
        self._main, self._site, self._users = main, site, users

    def find_handler(
        self, request: httputil.HTTPServerRequest, **kwargs: Any
    ) -> httputil.HTTPMessageDelegate | None:
        """Return who answers."""
        inside = Origin.NOTEBOOK in self._site.origin_of(request.host)
        if self._users is not None and inside and request.path.startswith("/user/"):
            return self._users(request)
        return self._main.find_handler(request, **kwargs)
