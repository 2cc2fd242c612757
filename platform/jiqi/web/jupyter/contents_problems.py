"""The one place where domain errors become what jupyter_server's handlers expect, and words for the reader."""

import functools
import html
import json
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any, Final, ParamSpec, TypeVar

from tornado import httputil, web

from jiqi.domain.errors import JiqiError
from jiqi.web.messages_files import FILE_MESSAGES

P = ParamSpec("P")
T = TypeVar("T")

_OTHER: Final = {
    "zh": "请求没有完成（{code}）",
    "en": "The request did not complete ({code})",
}
_HTML: Final = (
    '<!doctype html><meta charset="utf-8"><title>{status}</title>'
    '<body style="font:16px system-ui;margin:3rem"><p>{message}</p><p><small>{code}</small></p>'
)


class ContentsError(web.HTTPError):
    """A domain error on its way through jupyter_server: `reason` is the stable code."""

    def __init__(self, error: JiqiError) -> None:
        """Keep the code and parameters."""
        text = words(error.code, error.params, language="en")
        super().__init__(error.status, text, reason=error.code)
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


def words(code: str, params: dict[str, object], *, language: str) -> str:
    """Return the message of a code in `zh` or `en`."""
    text = FILE_MESSAGES.get(code, _OTHER).get(language) or _OTHER[language]
    return text.format_map(_Gaps(params, code=code))


class _Gaps(dict[str, object]):
    def __missing__(self, key: str) -> str:
        return ""


def language_of(request: httputil.HTTPServerRequest) -> str:
    """Return `zh` or `en`: `?lang`, else the cookie, else what the browser prefers, else Chinese."""
    asked = [value.decode("utf-8", "replace") for value in request.query_arguments.get("lang", [])]
    if "jiqi_lang" in request.cookies:
        asked.append(request.cookies["jiqi_lang"].value)
    asked += [part.split(";")[0].strip() for part in request.headers.get("Accept-Language", "").split(",")]
    for value in asked:
        if value[:2].lower() in {"zh", "en"}:
            return value[:2].lower()
    return "zh"


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
        language = language_of(self.request)
        if isinstance(error, ContentsError):
            code, params = error.code, error.params
            message = words(code, params, language=language)
        else:
            code, params = f"http.{status_code}", {}
            stated = error.get_message() if isinstance(error, web.HTTPError) else None
            message = stated or words(code, params, language=language)
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
