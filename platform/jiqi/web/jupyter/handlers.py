"""What every handler of a user's application has in common: errors with codes, one origin, one XSRF token a login."""

import hashlib
import hmac
import time
from typing import Any, cast

from jupyter_server.base.handlers import APIHandler
from tornado import web

from jiqi.services.authentication import Principal
from jiqi.web.jupyter.arrival import Arrival
from jiqi.web.jupyter.contents_problems import ProblemReplies
from jiqi.web.jupyter.shared import Shared


class Ours(ProblemReplies):
    """Mixin before a Jupyter handler; `request.arrival` says who came and how."""

    application: Any
    request: Any

    @property
    def shared(self) -> Shared:
        """What all applications share."""
        return cast("Shared", self.application.shared)

    @property
    def arrival(self) -> Arrival:
        """Who came and how."""
        return cast("Arrival", self.request.arrival)

    def check_origin(self, origin_to_satisfy_tornado: str = "") -> bool:
        """Accept pages of the notebook origin only; programs send no origin, and an explicit token is no cookie."""
        del origin_to_satisfy_tornado
        headers = self.request.headers
        origin = headers.get("Origin") or headers.get("Sec-Websocket-Origin")
        return origin is None or self.arrival.explicit or origin.lower() == self.shared.notebook_url.lower()

    def set_cors_headers(self) -> None:
        """Invite no other origin: pages of the notebook origin are all there is."""

    def _check_cross_origin(self, check: Any) -> str | None:
        # tornado trusts Sec-Fetch-Site and Host; here the one configured origin decides.
        del check
        return None if self.check_origin() else "not the notebook origin"

    def _get_raw_xsrf_token(self: Any) -> tuple[int | None, bytes, float]:
        """Return the login's token: the same for all its pages and processes, so that no tab's cookie undoes another's.

        The version is None while the browser has no cookie with it, upon which tornado sets one.
        """
        if not hasattr(self, "_raw_xsrf_token"):
            wanted = xsrf_secret(self.shared.cookie_secret, self.arrival.principal)
            cookie = self.get_cookie("_xsrf")
            version, token, _ = self._decode_xsrf_token(cookie) if cookie else (None, None, None)
            has_it = token is not None and hmac.compare_digest(token, wanted)
            self._raw_xsrf_token = (version if has_it else None, wanted, time.time())
        return cast("tuple[int | None, bytes, float]", self._raw_xsrf_token)


def xsrf_secret(cookie_secret: bytes, principal: Principal) -> bytes:
    """Return the 16 bytes that only pages of this login know."""
    key = principal.session_id or principal.token_id or ""
    return hmac.digest(cookie_secret, f"xsrf:{key}".encode(), hashlib.sha256)[:16]


def ours(handler: type[web.RequestHandler]) -> type[web.RequestHandler]:
    """Return a handler class of jupyter_server with what is ours before it."""
    if issubclass(handler, Ours):
        return handler
    body = {"pages": not issubclass(handler, APIHandler), "__module__": handler.__module__}
    return type(handler.__name__, (Ours, handler), body)
