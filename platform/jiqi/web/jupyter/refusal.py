"""An answer that is only an error, in the form that programs and people read."""

from tornado import httputil, web

from jiqi.domain.errors import JiqiError
from jiqi.web.jupyter.contents_problems import ProblemReplies


class Refusal(ProblemReplies, web.RequestHandler):
    """Answers any method with one error."""

    pages = True

    def initialize(self, error: JiqiError) -> None:
        """Keep the error."""
        self._error = error

    def prepare(self) -> None:
        """Refuse."""
        raise self._error

    def check_xsrf_cookie(self) -> None:
        """Nothing is done, so there is nothing to protect."""


def refuse(
    application: web.Application, request: httputil.HTTPServerRequest, error: JiqiError
) -> httputil.HTTPMessageDelegate:
    """Return who answers with `error`."""
    return application.get_handler_delegate(request, Refusal, {"error": error})
