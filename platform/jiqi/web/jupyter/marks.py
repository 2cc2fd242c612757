"""Messages that the web process itself puts on a kernel's IOPub channel: what was left out, and how the kernel is."""

from typing import Any

from jupyter_client.session import Session

_TEXT = {
    "slow": {
        "zh": "\n[即启] 浏览器来不及接收，这里略去了 {messages} 条输出（{size:.1f} MB）。变量和文件不受影响。\n",
        "en": "\n[Jiqi] The browser could not keep up: {messages} outputs ({size:.1f} MB) were left out here."
        " Variables and files are not affected.\n",
    },
    "lost": {
        "zh": "\n[即启] 这里少了{some}输出：单条超过 32 MB，或来得太快。变量和文件不受影响。\n",
        "en": "\n[Jiqi] {some} outputs are missing here: over 32 MB each, or too fast."
        " Variables and files are not affected.\n",
    },
}


def gap_mark(session: Session, messages: int, size: int, parent: bytes, *, language: str) -> list[bytes]:
    """Return the mark for outputs that a slow browser did not get."""
    return _mark(session, "slow", parent, language=language, messages=messages, size=size / 1e6)


def lost_mark(session: Session, messages: int, parent: bytes, *, language: str) -> list[bytes]:
    """Return the mark for outputs that never came from the kernel; 0 messages means an unknown number."""
    return _mark(session, "lost", parent, language=language, messages=messages)


def status_parts(
    session: Session, state: str, metadata: dict[str, Any], *, parent: bytes = b"{}"
) -> list[bytes]:
    """Return a status message of the web process."""
    return _parts(session, "status", {"execution_state": state}, parent=parent, metadata=metadata)


def _mark(session: Session, kind: str, parent: bytes, *, language: str, **numbers: float) -> list[bytes]:
    short, count = "en" if language == "en" else "zh", numbers["messages"]
    some = {"zh": f" {count} 条" if count else "一些", "en": str(count) if count else "Some"}[short]
    text = _TEXT[kind][short].format(**numbers, some=some)
    content = {"name": "stderr", "text": text}
    return _parts(
        session, "stream", content, parent=parent, metadata={"jiqi": {"gap": {"kind": kind, **numbers}}}
    )


def _parts(
    session: Session, kind: str, content: dict[str, Any], *, parent: bytes, metadata: dict[str, Any]
) -> list[bytes]:
    header = session.pack(session.msg_header(kind))
    return [header, parent, session.pack(metadata), session.pack(content)]
