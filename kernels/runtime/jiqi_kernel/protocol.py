"""The control protocol: JSON lines in, JSON lines out, and the checks that turn a line into a request."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Self

PROTOCOL = 1
MAX_LINE = 256 * 1024
MAX_SOCKET_PATH = 107
CHANNELS = 5


class RequestError(Exception):
    """A request that cannot be served; `code` is stable, `message` is for logs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Request:
    """One parsed line of a client."""

    id: int | str | None
    op: str
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StartSpec:
    """What a kernel is started with; `key` is the connection file's key as text."""

    kernel_id: str
    generation: int
    key: str
    prefix: str
    cwd: str
    env: dict[str, str]
    user_base: str | None
    safe: bool

    @classmethod
    def parse(cls, body: dict[str, Any]) -> Self:
        """Check every field of a `start` request, or raise RequestError `bad_request`."""
        env = body.get("env") or {}
        if not isinstance(env, dict) or not all(
            k and "=" not in k and _is_text(k) and _is_text(v) for k, v in env.items()
        ):
            raise RequestError("bad_request", "env must map names to strings")
        generation = body.get("generation")
        if not isinstance(generation, int) or isinstance(generation, bool) or generation < 0:
            raise RequestError("bad_request", "generation must be a whole number")
        spec = cls(
            kernel_id=_text(body, "kernel_id"),
            generation=generation,
            key=_text(body, "key"),
            prefix=_text(body, "prefix"),
            cwd=_text(body, "cwd"),
            env=env,
            user_base=_text(body, "user_base") if body.get("user_base") else None,
            safe=body.get("safe") is True,
        )
        if len(f"{spec.prefix}-{CHANNELS}".encode()) > MAX_SOCKET_PATH:
            raise RequestError("prefix_too_long", f"socket paths end at {MAX_SOCKET_PATH} bytes")
        return spec

    def wire(self) -> dict[str, Any]:
        """The same fields as a JSON object."""
        return asdict(self)


def parse(line: bytes) -> Request:
    """Turn one line into a Request, or raise RequestError `bad_json` or `bad_request`."""
    try:
        body = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RequestError("bad_json", "the line is not JSON") from error
    if not isinstance(body, dict):
        raise RequestError("bad_request", "a request is a JSON object")
    request_id, op = body.get("id"), body.get("op")
    if not isinstance(op, str) or not isinstance(request_id, int | str | None):
        raise RequestError("bad_request", "a request has an id and the name of an op")
    return Request(id=request_id, op=op, body=body)


def ok(request_id: int | str | None, **fields: Any) -> bytes:
    """A reply that says that the request was served."""
    return line({"id": request_id, "ok": True, **fields})


def failed(request_id: int | str | None, *, error: RequestError) -> bytes:
    """A reply that says why the request was not served."""
    return line({"id": request_id, "ok": False, "code": error.code, "message": error.message})


def event(name: str, **fields: Any) -> bytes:
    """Something that happened, told to every client."""
    return line({"event": name, **fields})


def line(message: dict[str, Any]) -> bytes:
    """One message as one line."""
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not value or not _is_text(value):
        raise RequestError("bad_request", f"{name} must be a string")
    return value


def _is_text(value: object) -> bool:
    """Whether it can be a path or an environment variable: no NUL, no half of a surrogate pair."""
    return isinstance(value, str) and "\0" not in value and value == value.encode(errors="replace").decode()
