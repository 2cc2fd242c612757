"""The two websocket forms of a Jupyter message, read with bounds and written without parsing what is inside.

`v1.kernel.websocket.jupyter.org` is offsets and parts; the older form is JSON, with offsets when there are buffers.
A message here is its ZMQ parts: header, parent header, metadata, content, buffers.
"""

import itertools
import json
import struct
from collections.abc import Sequence
from typing import Any

from jupyter_server.services.kernels.connection.base import serialize_msg_to_ws_v1

V1 = "v1.kernel.websocket.jupyter.org"
CHANNELS = frozenset({"shell", "control", "stdin", "iopub"})
_PARTS_MOST = 1024
_NAMES = ("header", "parent_header", "metadata", "content")


class MalformedError(Exception):
    """A websocket message that is no Jupyter message."""


def read(data: bytes | str, *, v1: bool) -> tuple[str, list[bytes]]:
    """Return channel and parts of a client's message. Raises MalformedError."""
    try:
        channel, parts = _read_v1(data) if v1 else _read_json(data)
    except (
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        struct.error,
        RecursionError,
    ) as error:
        raise MalformedError from error
    if channel not in CHANNELS or len(parts) < len(_NAMES):
        raise MalformedError
    return channel, parts


def _read_v1(data: bytes | str) -> tuple[str, list[bytes]]:
    if isinstance(data, str):
        raise TypeError("text under a binary protocol")
    count = int.from_bytes(data[:8], "little")
    # The count comes from the client: believed, it could ask for more memory than there is.
    if not len(_NAMES) + 2 <= count <= _PARTS_MOST or 8 * (count + 1) > len(data):
        raise ValueError("offsets")
    offsets = [int.from_bytes(data[8 * (i + 1) : 8 * (i + 2)], "little") for i in range(count)]
    if any(a > b for a, b in itertools.pairwise(offsets)) or offsets[-1] > len(data):
        raise ValueError("offsets")
    parts = [data[a:b] for a, b in itertools.pairwise(offsets)]
    return parts[0].decode(), parts[1:]


def _read_json(data: bytes | str) -> tuple[str, list[bytes]]:
    buffers: list[bytes] = []
    if isinstance(data, bytes):
        (count,) = struct.unpack_from("!I", data)
        if not 1 <= count <= _PARTS_MOST or 4 * (count + 1) > len(data):
            raise ValueError("offsets")
        offsets = [*struct.unpack_from(f"!{count}I", data, 4), len(data)]
        pieces = [data[a:b] for a, b in itertools.pairwise(offsets)]
        message, buffers = json.loads(pieces[0]), pieces[1:]
    else:
        message = json.loads(data)
    parts = [_pack(message.get(name) or {}) for name in _NAMES]
    return message.get("channel") or "shell", [*parts, *buffers]


def _pack(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False).encode()


def write(channel: str, parts: Sequence[bytes], *, v1: bool) -> bytes | str:
    """Return what the client gets. Raises MalformedError when a header from the kernel cannot be read."""
    if v1:
        joined: bytes = serialize_msg_to_ws_v1(list(parts), channel)
        return joined
    try:
        header = json.loads(parts[0])
        extra = {
            "channel": channel,
            "msg_id": header["msg_id"],
            "msg_type": header["msg_type"],
            "buffers": [],
        }
        body = b",".join(
            b'"%s":%s' % (name.encode(), part) for name, part in zip(_NAMES, parts, strict=False)
        )
        text = b"{" + body + b"," + json.dumps(extra).encode()[1:]
        buffers = list(parts[len(_NAMES) :])
        return _with_buffers(text, buffers) if buffers else text.decode()
    except (ValueError, KeyError, TypeError) as error:
        raise MalformedError from error


def _with_buffers(text: bytes, buffers: list[bytes]) -> bytes:
    pieces = [text, *buffers]
    offsets, at = [], 4 * (len(pieces) + 1)
    for piece in pieces:
        offsets.append(at)
        at += len(piece)
    return b"".join([struct.pack(f"!{len(pieces) + 1}I", len(pieces), *offsets), *pieces])
