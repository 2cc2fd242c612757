"""The root of every error that a person can meet: a stable code, an HTTP status, and named parameters.

Words live in `web/messages*.py` by code and language; nothing here is shown as it is. Each feature's
errors stand in the module of that feature and derive from `JiqiError`.
"""

from collections.abc import Callable
from typing import ClassVar


class JiqiError(Exception):
    """A condition with a stable `code`; `params` fill the message in the reader's language."""

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500

    def __init__(self, **params: object) -> None:
        """Keep `params` (plain JSON values) for the message."""
        super().__init__(self.code)
        self.params: dict[str, object] = params

    def __str__(self) -> str:
        return f"{self.code} {self.params}" if self.params else self.code

    def __reduce__(self) -> tuple[Callable[..., "JiqiError"], tuple[type["JiqiError"], dict[str, object]]]:
        """Keep class and parameters on the way from a worker process."""
        return _made_again, (type(self), self.params)


def _made_again(kind: type[JiqiError], params: dict[str, object]) -> JiqiError:
    return kind(**params)


class NotFoundError(JiqiError):
    """Nothing here, or nothing that this person may know of."""

    code = "not_found"
    status = 404


class ForbiddenError(JiqiError):
    """The person is known and may not do this."""

    code = "forbidden"
    status = 403


class LoginRequiredError(JiqiError):
    """No valid login session or token came with the request."""

    code = "login.required"
    status = 401


class BadInputError(JiqiError):
    """A request that does not have the documented shape; `where` names the field."""

    code = "input.invalid"
    status = 400


class UnavailableError(JiqiError):
    """A part that this needs does not answer; what was asked for is kept or was not begun."""

    code = "unavailable"
    status = 503
