"""Client of a place's control socket. The socket lies where user code can write: nothing it says is believed.

A reply is bounded in size and time and its fields are checked by type; a socket that is a link, or no socket,
is refused; no path that a reply names is ever opened.
"""

import os
import socket
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from jiqi.services.ports_hosts import (
    CancelledError,
    PlaceLostError,
    StartRefusedError,
    StartTimeoutError,
)

NAME = "ctl"
MAX_LINE = 256 * 1024
MAX_READ = 1024 * 1024
MAX_INFO = 64 * 1024
_WORD = 200
_WORDS = 50
_PATIENCE = 0.5


class _Envelope(msgspec.Struct):
    id: int | None = None
    ok: bool | None = None


class _Refusal(msgspec.Struct):
    code: str = ""
    message: str = ""


class Hello(msgspec.Struct):
    """What the fork server says of itself."""

    protocol: int
    standby: bool


class StartReply(msgspec.Struct):
    """What it says of a kernel that it forked."""

    kernel_info: dict[str, object]
    cold: bool = False
    shadowed: list[str] = []
    seconds: float = 0.0


class RunningKernel(msgspec.Struct):
    """The kernel that it has."""

    kernel_id: str
    generation: int
    alive: bool


class LastExit(msgspec.Struct):
    """How its last kernel ended."""

    generation: int
    code: int | None = None
    signal: int | None = None


class StatusReply(msgspec.Struct):
    """What it has now."""

    kernel: RunningKernel | None = None
    last_exit: LastExit | None = None


class Nothing(msgspec.Struct):
    """A reply of which only the success matters."""


T = TypeVar("T")


class SilentError(OSError):
    """Nobody listens at the control socket, or what is there is not one."""


def connect(folder: Path, *, seconds: float) -> socket.socket:
    """Connect to the control socket in `folder`, following no link. Raises SilentError."""
    try:
        inside = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise SilentError(str(error)) from error
    try:
        return _connect(inside, seconds=seconds)
    except OSError as error:
        raise SilentError(str(error)) from error
    finally:
        os.close(inside)


def _connect(folder: int, *, seconds: float) -> socket.socket:
    found = os.open(NAME, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        if not stat.S_ISSOCK(os.fstat(found).st_mode):
            raise SilentError("not a socket")
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        try:
            connection.settimeout(seconds)
            # By descriptor: it names the socket that was looked at, and has no length limit.
            connection.connect(f"/proc/self/fd/{found}")
        except BaseException:
            connection.close()
            raise
        return connection
    finally:
        os.close(found)


def never() -> bool:
    """Say that nobody wants to stop waiting."""
    return False


def request(
    folder: Path,
    op: str,
    kind: type[T],
    *,
    seconds: float,
    cancelled: Callable[[], bool] = never,
    **fields: object,
) -> T:
    """Ask and return the checked reply; `cancelled` is asked now and then.

    Raises SilentError when nobody listens, PlaceLostError when the connection breaks, StartTimeoutError,
    CancelledError, and StartRefusedError for `ok: false` or a reply that has not the documented shape.
    """
    end = time.monotonic() + seconds
    with connect(folder, seconds=min(seconds, 2.0)) as connection:
        try:
            connection.sendall(msgspec.json.encode({"id": 1, "op": op, **fields}) + b"\n")
            line = _reply(connection, end=end, cancelled=cancelled)
        except TimeoutError as error:
            raise StartTimeoutError(op=op) from error
        except OSError as error:
            raise PlaceLostError(op=op) from error
    return _checked(line, op=op, kind=kind)


def _reply(connection: socket.socket, *, end: float, cancelled: Callable[[], bool]) -> bytes:
    received = bytearray()
    total = 0
    while True:
        while (cut := received.find(b"\n")) >= 0:
            line = bytes(received[:cut])
            del received[: cut + 1]
            if _is_reply(line):
                return line
        left = end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        connection.settimeout(min(left, _PATIENCE))
        if cancelled():
            raise CancelledError
        try:
            data = connection.recv(65536)
        except TimeoutError:
            continue
        if not data:
            raise ConnectionResetError
        received += data
        total += len(data)
        if len(received) > MAX_LINE or total > MAX_READ:
            raise ConnectionAbortedError("too much")


def _is_reply(line: bytes) -> bool:
    try:
        return msgspec.json.decode(line, type=_Envelope).ok is not None
    except (msgspec.DecodeError, RecursionError):
        return False


def _checked(line: bytes, *, op: str, kind: type[T]) -> T:
    try:
        if not msgspec.json.decode(line, type=_Envelope).ok:
            refusal = msgspec.json.decode(line, type=_Refusal)
            raise StartRefusedError(op=op, code=refusal.code[:_WORD], detail=refusal.message[:_WORD])
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise StartRefusedError(op=op, code="reply.shape", detail=str(error)[:_WORD]) from error


def checked_info(info: dict[str, object]) -> dict[str, object]:
    """Return the kernel's description when it is small enough to be kept. Raises StartRefusedError."""
    if len(msgspec.json.encode(info)) > MAX_INFO:
        raise StartRefusedError(op="start", code="reply.size", detail="kernel_info")
    return info


def checked_words(words: list[str]) -> tuple[str, ...]:
    """Return a list of names, cut to what a page can show."""
    return tuple(word[:_WORD] for word in words[:_WORDS])
