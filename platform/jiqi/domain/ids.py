"""Identifiers: distinct types, so that one can never stand in for another."""

import re
import secrets
from typing import NewType

UserId = NewType("UserId", str)
ProjectId = NewType("ProjectId", str)
KernelId = NewType("KernelId", str)
NodeId = NewType("NodeId", str)
LessonId = NewType("LessonId", str)
SessionId = NewType("SessionId", str)
TokenId = NewType("TokenId", str)
WarmName = NewType("WarmName", str)

# Lower case and digits without the look-alikes 0 o 1 l i: ids appear in URLs, socket paths and logs.
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_ID = re.compile(rf"[{_ALPHABET}]{{8,26}}\Z")
_KERNEL = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z")


def random_id(*, length: int = 12) -> str:
    """Return an unguessable id of `length` characters (just under 5 bits each)."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def id_from_digest(digest: bytes, *, length: int = 16) -> str:
    """Return the id that a digest stands for: the same digest, the same id."""
    number = int.from_bytes(digest, "big")
    letters = []
    for _ in range(length):
        number, rest = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[rest])
    return "".join(letters)


def is_id(text: str) -> bool:
    """Say whether `text` has the form of an id made by `random_id`."""
    return _ID.match(text) is not None


def is_kernel_id(text: str) -> bool:
    """Say whether `text` is a lower-case UUID of version 4, the form Jupyter clients expect."""
    return _KERNEL.match(text) is not None
