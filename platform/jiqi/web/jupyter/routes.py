"""Every route of a user's application. What is not listed does not exist; a test walks this table.

The patterns hold for all users, so that they are compiled once and an application costs no regular expression.
"""

from dataclasses import dataclass
from typing import Any

from jupyter_server.services.api.handlers import APIStatusHandler, IdentityHandler
from tornado import web
from tornado.httputil import HTTPServerRequest
from tornado.routing import PathMatches

from jiqi.web.jupyter.contents_files import HomeFilesHandler
from jiqi.web.jupyter.contents_handlers import contents_routes
from jiqi.web.jupyter.handlers import ours
from jiqi.web.jupyter.handlers_kernels import (
    KernelActionHandler,
    KernelHandler,
    KernelsHandler,
    KernelSpecHandler,
    KernelSpecsHandler,
    SessionHandler,
    SessionsHandler,
)
from jiqi.web.jupyter.handlers_small import ConfigHandler, ExportersHandler, HomeHandler, VersionHandler
from jiqi.web.jupyter.handlers_sockets import ChannelsHandler, EventsHandler
from jiqi.web.jupyter.lab_handlers import (
    LabPageHandler,
    SettingsHandler,
    TranslationsHandler,
    WorkspacesHandler,
)

BASE = r"/user/[^/]+"
_UUID = r"(?P<{}>\w+-\w+-\w+-\w+-\w+)"
_KERNEL = _UUID.format("kernel_id")


@dataclass(frozen=True, slots=True)
class Route:
    """A pattern below `/user/<id>` and who answers."""

    pattern: str
    handler: type[web.RequestHandler]
    matcher: PathMatches

    def match(self, request: HTTPServerRequest) -> dict[str, Any] | None:
        """Return the arguments in the path, or None."""
        return self.matcher.match(request)


def _route(pattern: str, handler: type[web.RequestHandler]) -> Route:
    return Route(pattern, ours(handler), PathMatches(BASE + pattern + "$"))


ROUTES: tuple[Route, ...] = (
    _route(r"/?", HomeHandler),
    _route(r"/api/?", VersionHandler),
    _route(r"/api/status", APIStatusHandler),
    _route(r"/api/me", IdentityHandler),
    _route(r"/api/config/(?P<section_name>\w+)", ConfigHandler),
    _route(r"/api/events/subscribe", EventsHandler),
    _route(r"/api/nbconvert", ExportersHandler),
    _route(r"/api/kernelspecs", KernelSpecsHandler),
    _route(r"/api/kernelspecs/(?P<kernel_name>[\w.\-%]+)", KernelSpecHandler),
    _route(r"/api/kernels", KernelsHandler),
    _route(rf"/api/kernels/{_KERNEL}", KernelHandler),
    _route(rf"/api/kernels/{_KERNEL}/(?P<action>restart|interrupt)", KernelActionHandler),
    _route(rf"/api/kernels/{_KERNEL}/channels", ChannelsHandler),
    _route(r"/api/sessions", SessionsHandler),
    _route(rf"/api/sessions/{_UUID.format('session_id')}", SessionHandler),
    *(_route(pattern, handler) for pattern, handler in contents_routes),
    _route(r"/files/(?P<path>.+)", HomeFilesHandler),
    _route(
        r"/(?P<mode>lab|doc)(?P<workspace>/workspaces/[a-zA-Z0-9\-_]+)?(?P<tree>/tree/.*)?", LabPageHandler
    ),
    _route(r"/lab/api/settings/?(?P<schema_name>.*)", SettingsHandler),
    _route(r"/lab/api/workspaces/?(?P<space_name>.*)", WorkspacesHandler),
    _route(r"/lab/api/translations/?(?P<locale>\w*)", TranslationsHandler),
)


def find(request: HTTPServerRequest) -> tuple[Route, dict[str, Any]] | None:
    """Return the first route of a request and its arguments."""
    for route in ROUTES:
        arguments = route.match(request)
        if arguments is not None:
            return route, arguments
    return None
