"""Errors to RFC 9457 problems, once and in one place: words by code and language, never a trace."""

from collections.abc import Mapping
from typing import Any

import structlog

from jiqi.domain.errors import JiqiError
from jiqi.web import schemas
from jiqi.web.messages import headline, text

log = structlog.get_logger()


def problem(error: BaseException, *, language: str, request_id: str) -> schemas.Problem:
    """Return the problem for `error`; what is not a domain error becomes `internal` and is logged with its trace."""
    if isinstance(error, JiqiError):
        code, status, params = error.code, error.status, error.params
    else:
        log.error("internal_error", request_id=request_id, exc_info=error)
        code, status, params = "internal", 500, {}
    if code == "host.down" and isinstance(params.get("problem"), str):
        # The host's own reason is nearer to the truth than "down", and says what to do.
        code = str(params["problem"])
    return described(code, status=status, params=params, language=language, request_id=request_id)


def described(
    code: str, *, status: int, params: Mapping[str, object], language: str, request_id: str
) -> schemas.Problem:
    """Return the problem of a code, with the words of `language`."""
    words = {**params, "request_id": request_id}
    message = text(code, words, language=language)
    return schemas.Problem(
        type=f"urn:jiqi:problem:{code}",
        title=headline(message),
        status=status,
        detail=message,
        code=code,
        params=_plain(params),
        request_id=request_id,
    )


def _plain(params: Mapping[str, object]) -> dict[str, Any]:
    return {
        key: value
        for key, value in params.items()
        if isinstance(value, (str, int, float, bool, list, dict)) or value is None
    }
