"""The portal API over HTTP: one handler runs every row of the table of operations."""

from dataclasses import dataclass
from typing import Any

import msgspec
from tornado import web

from jiqi.domain.errors import BadInputError, JiqiError
from jiqi.web import auth
from jiqi.web.call import Auth, Call, Lane, Operation
from jiqi.web.handlers import Handler
from jiqi.web.openapi import rendered, request_type
from jiqi.web.operations import OPERATIONS, PREFIX

_BODY_MOST = 64 * 1024


class BodyTooLargeError(JiqiError):
    """A body larger than any operation needs."""

    code = "input.too_large"
    status = 413


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """An operation with the decoder of its body."""

    operation: Operation
    decoder: msgspec.json.Decoder[Any] | None
    empty: bool


class Api(Handler):
    """Runs the operation of the request's method in its pool: authentication, body, work and answer in one call."""

    def initialize(self, *, bound: dict[str, Bound]) -> None:  # type: ignore[override]
        """Take the operations of one path."""
        super().initialize()
        self._bound = bound

    async def _run(self, **path: str) -> None:
        bound = self._bound.get(self.request.method or "")
        if bound is None:
            raise web.HTTPError(405)
        operation, state = bound.operation, self.state
        auth.check_place(self.request, operation, site=state.services.site)
        pool = state.passwords if operation.lane is Lane.PASSWORDS else state.pool
        call = Call(
            services=state.services,
            principal=None,
            language=self.language,
            agent=self.request.headers.get("User-Agent", "")[:200],
            request_id=self.request_id,
            path=path,
            session_secret=self.session_secret,
        )
        answer = await pool.run(self._perform, bound, call)
        self._set_cookie(call)
        self._write(operation, answer)

    def _perform(self, bound: Bound, call: Call) -> Any:
        """Do one operation, in a thread."""
        operation, services = bound.operation, call.services
        portal_only = operation.auth not in {Auth.WORK, Auth.PUBLIC}
        call.principal = auth.principal_of(self.request, services=services, portal_only=portal_only)
        auth.admit(operation, call.principal, services=services, clock=self.state.clock)
        if bound.decoder is None:
            return operation.run(call)
        return operation.run(call, self._body(bound))

    def _body(self, bound: Bound) -> Any:
        body = self.request.body
        if len(body) > _BODY_MOST:
            raise BodyTooLargeError(limit=_BODY_MOST)
        kind = self.request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if body and kind != "application/json":
            raise BadInputError(where="Content-Type")
        if not body and bound.empty:
            body = b"{}"
        assert bound.decoder is not None  # noqa: S101  (the caller has looked)
        try:
            return bound.decoder.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadInputError(where=_where(str(error)), detail=str(error)[:200]) from error

    def _set_cookie(self, call: Call) -> None:
        if call.cookie is not None:
            if call.cookie.secret is None:
                self.drop_cookie(auth.PORTAL_COOKIE)
            else:
                self.put_cookie(auth.PORTAL_COOKIE, call.cookie.secret, expires=call.cookie.expires)
        if self.request.method in auth.SAFE and auth.bearer(self.request) is None:
            self.ensure_xsrf()

    def _write(self, operation: Operation, answer: Any) -> None:
        if answer is None:
            self.set_status(204)
            self.finish()
            return
        self.set_status(operation.status)
        self.set_header("Content-Type", "application/json; charset=utf-8")
        self.finish(msgspec.json.encode(answer))

    get = head = post = put = patch = delete = _run


class OpenApiDocument(Handler):
    """`GET /api/v1/openapi.json`."""

    text = ""

    def get(self) -> None:
        """Answer with the document."""
        if not OpenApiDocument.text:
            OpenApiDocument.text = rendered()
        self.set_header("Content-Type", "application/json; charset=utf-8")
        self.set_header("Cache-Control", "no-cache")
        self.finish(OpenApiDocument.text)


def routes() -> list[tuple[str, type[Handler], dict[str, Any]]]:
    """Return the routes of every operation."""
    by_path: dict[str, dict[str, Bound]] = {}
    for operation in OPERATIONS:
        methods = by_path.setdefault(operation.path, {})
        methods[operation.method] = _bind(operation)
        if operation.method == "GET":
            methods["HEAD"] = methods["GET"]
    found: list[tuple[str, type[Handler], dict[str, Any]]] = [
        (_pattern(path), Api, {"bound": methods}) for path, methods in by_path.items()
    ]
    return [*found, (f"{PREFIX}/openapi\\.json", OpenApiDocument, {})]


def _bind(operation: Operation) -> Bound:
    kind = request_type(operation)
    if kind is None:
        return Bound(operation=operation, decoder=None, empty=False)
    empty = not any(field.required for field in msgspec.structs.fields(kind))
    return Bound(operation=operation, decoder=msgspec.json.Decoder(kind), empty=empty)


def _pattern(path: str) -> str:
    parts = [f"(?P<{part[1:-1]}>[^/]+)" if part.startswith("{") else part for part in path.split("/")]
    return PREFIX + "/".join(parts)


def _where(text: str) -> str:
    """Return the field that msgspec names, such as `name` in "… - at `$.name`"."""
    _, mark, field = text.partition("`$.")
    return field.rstrip("`") if mark else "body"
