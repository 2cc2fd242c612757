"""The one place where domain errors become what jupyter_server's handlers expect, and words for the reader."""

import functools
import html
import json
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any, Final, ParamSpec, TypeVar

from tornado import httputil, web

from jiqi.domain.errors import JiqiError
from jiqi.web.language import ENGLISH, language_of
from jiqi.web.messages import text

P = ParamSpec("P")
T = TypeVar("T")

_BY_STATUS: Final = {403: "forbidden", 404: "not_found", 405: "method.refused", 413: "input.too_large"}
_SERVER_ERROR: Final = 500
_HTML: Final = (
    '<!doctype html><meta charset="utf-8"><title>{status}</title>'
    '<body style="font:16px system-ui;margin:3rem"><p>{message}</p><p><small>{code}</small></p>'
)


class ContentsError(web.HTTPError):
    """A domain error on its way through jupyter_server: `reason` is the stable code."""

    def __init__(self, error: JiqiError) -> None:
        """Keep the code and parameters."""
        super().__init__(error.status, text(error.code, error.params, language=ENGLISH), reason=error.code)
        self.code, self.params = error.code, error.params


def answered(method: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Wrap a coroutine of a contents manager: JiqiError leaves it as ContentsError."""

    @functools.wraps(method)
    async def wrapper(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await method(*args, **kwargs)
        except JiqiError as error:
            raise ContentsError(error) from error

    return wrapper


class ProblemReplies:
    """Mixin before a Jupyter handler: every error is JSON (or a small page) with a stable code, never a trace."""

    request: httputil.HTTPServerRequest

    def _handle_request_exception(self, error: BaseException) -> None:
        if isinstance(error, JiqiError):
            error = ContentsError(error)
            # tornado hands sys.exc_info() to write_error: make this the exception that is being handled.
            try:
                raise error
            except ContentsError as caught:
                super()._handle_request_exception(caught)  # type: ignore[misc]
        else:
            super()._handle_request_exception(error)  # type: ignore[misc]

    def write_error(self: Any, status_code: int, **kwargs: Any) -> None:
        """Reply with `message` (as JupyterLab shows it), `reason` and `code` (the stable code) and `params`."""
        error = kwargs.get("exc_info", (None, None, None))[1]
        params: dict[str, object] = {}
        if isinstance(error, ContentsError):
            code, params = error.code, error.params
        else:
            code = _BY_STATUS.get(status_code) or (
                "input.invalid" if status_code < _SERVER_ERROR else "internal"
            )
        # `request_id` stands in the words of an internal error; the application's log line carries the same.
        shown = {"where": "request", "request_id": getattr(self, "request_id", "–"), **params}
        message = text(code, shown, language=language_of(self.request))
        self.set_header("Cache-Control", "no-store")
        if "text/html" in self.request.headers.get("Accept", "") and self.pages:
            self.set_header("Content-Type", "text/html; charset=utf-8")
            status = f"{status_code} {HTTPStatus(status_code).phrase}"
            self.finish(_HTML.format(status=status, message=html.escape(message), code=html.escape(code)))
            return
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps({"message": message, "reason": code, "code": code, "params": params}))

    # Whether a browser may open this address itself, so that a person and not a program reads the error.
    pages = False
