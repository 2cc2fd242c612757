"""The base of our own handlers: request id, security headers, language, cookies, errors without traces."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import msgspec
import structlog
from tornado import web

from jiqi.config import Settings
from jiqi.domain.ids import random_id
from jiqi.services.ports import Clock
from jiqi.web.auth import PORTAL_COOKIE, XSRF_COOKIE, HostUnknownError, cookie
from jiqi.web.built_pages import BuiltPages
from jiqi.web.call import Services
from jiqi.web.language import COOKIE as LANGUAGE_COOKIE
from jiqi.web.language import language_of
from jiqi.web.metrics import Metrics
from jiqi.web.pool import Pool
from jiqi.web.problems import described, problem
from jiqi.web.schemas import Problem
from jiqi.web.site import Origin
from jiqi.web.small_pages import problem_page

log = structlog.get_logger()
_BY_STATUS = {
    404: "not_found",
    405: "method.refused",
    413: "input.too_large",
    403: "forbidden",
    503: "unavailable",
}
_YEAR = 365 * 86400
_CLIENT_ERROR, _SERVER_ERROR = 400, 500


@dataclass(frozen=True, slots=True, kw_only=True)
class WebState:
    """What every handler of this process reaches."""

    settings: Settings
    services: Services
    pool: Pool
    passwords: Pool
    metrics: Metrics
    pages: BuiltPages
    clock: Clock


class Handler(web.RequestHandler):
    """A handler of the portal API, of a page or of a file."""

    any_host = False
    """Whether a Host header that is not ours is served, as for health checks by address."""

    def initialize(self, **_arguments: Any) -> None:
        """Keep what the process shares."""
        self.state: WebState = self.settings["state"]
        self.request_id: str = random_id(length=10)
        self.nonce = secrets.token_urlsafe(16)
        structlog.contextvars.bind_contextvars(request_id=self.request_id)

    def set_default_headers(self) -> None:
        """Set what every answer carries; pages add their own Content-Security-Policy."""
        self.clear_header("Server")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "strict-origin-when-cross-origin")
        self.set_header("X-Frame-Options", "DENY")
        self.set_header("Cross-Origin-Opener-Policy", "same-origin")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")
        self.set_header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
        self.set_header("Cache-Control", "no-store")

    def prepare(self) -> None:
        """Refuse a host that is not ours before anything else is looked at."""
        self.set_header("X-Request-ID", self.request_id)
        if self.state.services.site.secure:
            self.set_header("Strict-Transport-Security", f"max-age={_YEAR}")
        if not self.any_host and not self.origin:
            raise HostUnknownError(portal_url=self.state.services.site.portal_url)

    @property
    def origin(self) -> Origin:
        """Which of the two origins was asked."""
        return self.state.services.site.origin_of(self.request.host)

    @property
    def language(self) -> str:
        """The reader's language."""
        return language_of(self.request)

    def put_cookie(
        self, name: str, value: str, *, expires: datetime | None = None, script: bool = False
    ) -> None:
        """Set a host-only cookie; `script` lets the page read it."""
        self.set_cookie(
            name,
            value,
            expires=expires,
            path="/",
            httponly=not script,
            secure=self.state.services.site.secure,
            samesite="Lax",
        )

    def drop_cookie(self, name: str) -> None:
        """Remove a cookie."""
        self.clear_cookie(name, path="/", secure=self.state.services.site.secure, samesite="Lax")

    def ensure_xsrf(self) -> str:
        """Return the value that unsafe calls must repeat, setting its cookie when there is none."""
        value = cookie(self.request, XSRF_COOKIE)
        if value is None:
            value = secrets.token_urlsafe(24)
            self.put_cookie(XSRF_COOKIE, value, script=True)
        return value

    def remember_language(self) -> None:
        """Keep a language that was asked for by `?lang`."""
        if self.request.query_arguments.get("lang"):
            self.set_cookie(LANGUAGE_COOKIE, self.language, path="/", samesite="Lax", expires_days=365)

    @property
    def session_secret(self) -> str | None:
        """The portal's cookie."""
        return cookie(self.request, PORTAL_COOKIE)

    def told(self, error: BaseException) -> Problem:
        """Return the problem of an error in the reader's language."""
        return problem(error, language=self.language, request_id=self.request_id)

    def _handle_request_exception(self, e: BaseException) -> None:
        """Answer every error by its code; tornado's own words and traces never reach a browser."""
        if isinstance(e, web.Finish):
            super()._handle_request_exception(e)
            return
        if self._finished:
            return
        self.clear()
        self.set_header("X-Request-ID", self.request_id)
        if isinstance(e, web.HTTPError):
            code = _BY_STATUS.get(e.status_code)
            code = code or ("input.invalid" if e.status_code < _SERVER_ERROR else "internal")
            found = described(
                code,
                status=e.status_code,
                params={"where": "request"} if code == "input.invalid" else {},
                language=self.language,
                request_id=self.request_id,
            )
        else:
            found = self.told(e)
        self.set_status(found.status)
        self.write_problem(found)

    def write_problem(self, found: Problem) -> None:
        """Finish with a problem: as a page for a person at a browser, else as RFC 9457."""
        self.state.metrics.problems.labels(found.code).inc()
        if "text/html" in self.request.headers.get("Accept", "") and not self.request.path.startswith(
            "/api/"
        ):
            self.set_header("Content-Type", "text/html; charset=utf-8")
            self.set_header(
                "Content-Security-Policy",
                f"default-src 'none'; style-src 'nonce-{self.nonce}'; img-src data:; frame-ancestors 'none'",
            )
            home = self.state.services.site.portal_url + "/"
            self.finish(problem_page(found, nonce=self.nonce, language=self.language, home=home))
            return
        self.set_header("Content-Type", "application/problem+json; charset=utf-8")
        self.finish(msgspec.json.encode(found))

    def compute_etag(self) -> str | None:
        """Only answers that may be kept have a mark to compare."""
        kept = "no-store" not in (self._headers.get("Cache-Control") or "")
        return super().compute_etag() if kept else None

    def on_finish(self) -> None:
        """Count and log the request."""
        self.state.metrics.request(self)


class Missing(Handler):
    """Every address that is not listed."""

    def prepare(self) -> None:
        """Answer 404, or 421 for a host that is not ours."""
        super().prepare()
        raise web.HTTPError(404)


def log_request(handler: web.RequestHandler) -> None:
    """Write one line for a request: no query, no secret; a good answer to a program is `debug`."""
    status = handler.get_status()
    path = urlsplit(handler.request.uri or "").path
    write = log.error if status >= _SERVER_ERROR else log.info
    write(
        "request",
        method=handler.request.method,
        path=path[:300],
        status=status,
        ms=round(handler.request.request_time() * 1000, 1),
        request_id=getattr(handler, "request_id", None),
    )
