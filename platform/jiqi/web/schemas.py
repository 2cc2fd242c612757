"""What every part of the portal API's wire form shares: problems, languages, bounded texts."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Language = Literal["zh-CN", "en"]
Text200 = Annotated[str, Meta(max_length=200)]


class Problem(msgspec.Struct, kw_only=True):
    """RFC 9457: what happened, what became of the work, what to do now; `code` is stable."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    params: dict[str, Any]
    request_id: str
