"""One user's Jupyter application: a handful of small objects around shared ones, built in a millisecond and dropped freely."""

from datetime import datetime
from typing import Any

from jupyter_server._tz import utcnow
from tornado import web
from tornado.httputil import HTTPServerRequest
from traitlets.config import Config

from jiqi.domain.accounts import User
from jiqi.domain.errors import NotFoundError
from jiqi.web.jupyter.identity import OwnerAuthorizer, OwnerIdentity
from jiqi.web.jupyter.kernels import FollowedKernels
from jiqi.web.jupyter.refusal import refuse
from jiqi.web.jupyter.routes import find
from jiqi.web.jupyter.sessions import FollowedSessions
from jiqi.web.jupyter.shared import Shared
from jiqi.web.jupyter.stdlog import jupyter_log

# From a client: comm messages with buffers; larger files go over HTTP.
WEBSOCKET_MESSAGE = 16 * 1024 * 1024
SOCKETS_TOPIC = "sockets"


class UserApp(web.Application):
    """jupyter_server's handlers with our managers; nothing listens, forks, signals or writes runtime files."""

    def __init__(self, shared: Shared, person: User) -> None:
        """Build; blocks for about a millisecond."""
        self.shared = shared
        self.base_url = f"/user/{person.id}/"
        self.used = 0.0
        self.kernels = FollowedKernels(shared=shared, person=person, log=jupyter_log)
        self.sessions = FollowedSessions(self.kernels)
        self.contents = shared.contents(shared, person)
        identity = OwnerIdentity(log=jupyter_log, token="")
        identity.kernels, identity.owner_id = self.kernels, person.id
        super().__init__([], **self._settings(identity))

    def _settings(self, identity: OwnerIdentity) -> dict[str, Any]:
        shared = self.shared
        return {
            "base_url": self.base_url,
            "default_url": f"{self.base_url}lab",
            "login_url": shared.portal_url,
            "cookie_secret": shared.cookie_secret,
            "xsrf_cookies": True,
            "xsrf_cookie_kwargs": {
                "path": self.base_url,
                "samesite": "Lax",
                "secure": shared.notebook_url.startswith("https:"),
            },
            "headers": {
                "Content-Security-Policy": "frame-ancestors 'self'",
                "Referrer-Policy": "same-origin",
            },
            "allow_unauthenticated_access": False,
            # The Host header was checked before the request came here.
            "allow_remote_access": True,
            "websocket_max_message_size": WEBSOCKET_MESSAGE,
            "kernel_manager": self.kernels,
            "session_manager": self.sessions,
            "contents_manager": self.contents,
            "identity_provider": identity,
            "authorizer": OwnerAuthorizer(identity_provider=identity, log=jupyter_log),
            "event_logger": shared.event_logger,
            "config": Config(),
            "serverapp": self,
            "started": utcnow(),
            "last_activity_times": {},
            "log_function": log_request,
        }

    def find_handler(self, request: HTTPServerRequest, **kwargs: Any) -> Any:
        """Return who answers a request: a route of the table, or 404."""
        del kwargs
        found = find(request)
        if found is None:
            return refuse(self, request, NotFoundError())
        route, arguments = found
        return self.get_handler_delegate(request, route.handler, {}, **arguments)

    def last_activity(self) -> datetime:
        """Return when anything last happened, for `api/status`."""
        moments: list[datetime] = [self.settings["started"], self.kernels.last_kernel_activity]
        if "api_last_activity" in self.settings:
            moments.append(self.settings["api_last_activity"])
        return max(moments)

    def announce(self, socket_key: str) -> None:
        """Tell the other web processes that a websocket session is here now."""
        self.shared.announce(SOCKETS_TOPIC, socket_key)

    @property
    def idle(self) -> bool:
        """Whether nobody is connected to a kernel through this application."""
        return not any(self.kernels._kernel_connections.values())  # noqa: SLF001  (jupyter_server's own count)


def log_request(handler: web.RequestHandler) -> None:
    """Log a finished request: its path and never its query."""
    request = handler.request
    jupyter_log.debug(
        "%s %s %s %.1fms", handler.get_status(), request.method, request.path, 1000 * request.request_time()
    )
