"""Structured logs: one line an event, with request and kernel ids bound, and no secret in them."""

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

# Whatever carries a secret is cut before any line is written, from our code or a library's.
_SECRET = re.compile(r"((?:token|ticket|password|secret|key)=)[^&\s\"']+", re.IGNORECASE)
_BEARER = re.compile(r"((?:token|bearer)\s+)[A-Za-z0-9._~+/=-]{12,}", re.IGNORECASE)
_HIDDEN_KEYS = frozenset({"password", "token", "secret", "ticket", "cookie", "authorization", "key"})


def scrub(text: str) -> str:
    """Return `text` without the values of tokens, tickets, passwords and keys."""
    return _BEARER.sub(r"\1…", _SECRET.sub(r"\1…", text))


def configure(*, form: str, level: str, process: str) -> None:
    """Send every log line of this process to standard error in `form` ("console" or "json")."""
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        _hide,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    last: structlog.types.Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    structlog.contextvars.bind_contextvars(process=process)


def _hide(logger: Any, name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    del logger, name
    for key, value in event.items():
        if key.lower() in _HIDDEN_KEYS:
            event[key] = "…"
        elif isinstance(value, str):
            event[key] = scrub(value)
    return event
