"""Kernels without a network: tools that give up at once, and a sentence that says where the data is."""

from __future__ import annotations

import os
from collections.abc import Iterator

_HINTS = {
    "zh": "这个运行环境不能访问外网。数据和权重请从「模型库/数据集」加载，或联系管理员。",
    "en": "No internet in this environment. Use the library, or ask your administrator.",
}
_GIVE_UP_AT_ONCE = {
    "PIP_RETRIES": "0",
    "PIP_DEFAULT_TIMEOUT": "3",
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "UV_OFFLINE": "1",
    "GIT_TERMINAL_PROMPT": "0",
}
_NETWORK_ERRORS = frozenset(
    {
        "gaierror", "herror", "ConnectionRefusedError", "ConnectionResetError", "ConnectionError", "ConnectError",
        "ConnectTimeout", "ConnectTimeoutError", "ConnectionTimeout", "NewConnectionError", "NameResolutionError",
        "MaxRetryError", "URLError", "ClientConnectorError", "ClientConnectorDNSError", "ProxyError", "ReadTimeout",
        "OfflineModeIsEnabled", "LocalEntryNotFoundError", "TimeoutError",
    }
)  # fmt: skip
_UNREACHABLE = frozenset({100, 101, 113})  # ENETDOWN, ENETUNREACH, EHOSTUNREACH
_DOWNLOADERS = ("pip", "pip3", "wget", "curl", "git", "apt", "apt-get", "conda", "npm", "uv")


def is_closed() -> bool:
    """Whether this kernel was started without a network."""
    return os.environ.get("JIQI_NETWORK") == "none"


def settle_environment() -> None:
    """In a closed kernel, make downloads fail within seconds."""
    if is_closed():
        for name, value in _GIVE_UP_AT_ONCE.items():
            os.environ[name] = value


def hint() -> str:
    """The sentence `net.closed` in the reader's language."""
    return _HINTS["en" if os.environ.get("JIQI_LANG", "").startswith("en") else "zh"]


def is_network_error(error: BaseException | None) -> bool:
    """Whether an exception, or one that it came from, says that the network was not reached."""
    return any(
        type(link).__name__ in _NETWORK_ERRORS or (isinstance(link, OSError) and link.errno in _UNREACHABLE)
        for link in _chain(error)
    )


def is_download(command: str) -> bool:
    """Whether a shell line calls a program that downloads."""
    words = command.replace("&&", " ").replace(";", " ").split()
    return any(word.rsplit("/", 1)[-1] in _DOWNLOADERS for word in words)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        link = waiting.pop()
        if link is None or id(link) in seen:
            continue
        seen.add(id(link))
        yield link
        reason = getattr(link, "reason", None)
        waiting += [link.__cause__, link.__context__, reason if isinstance(reason, BaseException) else None]
