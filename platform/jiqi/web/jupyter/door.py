"""The door of `/user/<id>/…`: who comes is recognised before an application is built or a route is looked for.

Whoever may not enter learns nothing: the answer is the same whether the id exists or not.
"""

from collections.abc import Awaitable, Callable

import structlog
from tornado import httputil, web

from jiqi.domain.errors import JiqiError, LoginRequiredError, NotFoundError, UnavailableError
from jiqi.web.jupyter.refusal import refuse
from jiqi.web.jupyter.user_app import log_request

log = structlog.get_logger()

Admit = Callable[[httputil.HTTPServerRequest], Awaitable[web.Application]]


class NeedsLoginError(LoginRequiredError):
    """As LoginRequiredError, with the status that Jupyter clients know."""

    status = 403


def refusals() -> web.Application:
    """Return the application that refuses."""
    return web.Application([], log_function=log_request)


class Entering(httputil.HTTPMessageDelegate):
    """Waits for `admit(request)` before the rest of a request is read, then steps aside."""

    def __init__(
        self, request: httputil.HTTPServerRequest, *, admit: Admit, refusing: web.Application
    ) -> None:
        """`admit` returns the application, or raises a JiqiError."""
        self._request, self._admit, self._refusing = request, admit, refusing
        self._inner: httputil.HTTPMessageDelegate | None = None
        self._closed = False

    async def headers_received(  # type: ignore[override]
        self, start_line: httputil.RequestStartLine, headers: httputil.HTTPHeaders
    ) -> None:
        """Choose who answers."""
        try:
            application = await self._admit(self._request)
            inner: httputil.HTTPMessageDelegate = application.find_handler(self._request)
        except JiqiError as error:
            inner = refuse(self._refusing, self._request, error)
        except Exception:
            log.exception("user_app_failed")
            inner = refuse(self._refusing, self._request, UnavailableError())
        self._inner = inner
        if self._closed:
            inner.on_connection_close()
            return
        waiting = inner.headers_received(start_line, headers)
        if waiting is not None:
            await waiting

    def data_received(self, chunk: bytes) -> Awaitable[None] | None:
        """Pass on."""
        return self._inner.data_received(chunk) if self._inner is not None else None

    def finish(self) -> None:
        """Pass on."""
        if self._inner is not None:
            self._inner.finish()

    def on_connection_close(self) -> None:
        """Pass on."""
        self._closed = True
        if self._inner is not None:
            self._inner.on_connection_close()


def not_yours() -> JiqiError:
    """Return the error for an id that is not the person's own."""
    return NotFoundError()
