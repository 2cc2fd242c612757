"""Addresses and ports: whether one is the loopback, whether it is free, and who holds it."""

import contextlib
import errno
import ipaddress
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


def is_loopback(address: str) -> bool:
    """Say whether `address` is reachable from this machine only."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def is_free(address: str, port: int) -> bool:
    """Say whether a listener could bind `port` now. Raises OSError when the address is not this machine's."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
            # Linux lets two sockets bind with SO_REUSEADDR; only listening tells them apart.
            probe.listen(1)
        except OSError as error:
            if error.errno in {errno.EADDRINUSE, errno.EACCES}:
                return False
            raise
    return True


def problem(
    address: str, port: int, *, internal_port: int, isolated: bool
) -> tuple[str, dict[str, object]] | None:
    """Return the code and the facts of what forbids to listen so, or None.

    Without isolation every kernel has the rights of the whole installation, so only the loopback will do.
    """
    if not isolated and not is_loopback(address):
        return "listen.not_isolated", {"address": address}
    for place, number in ((address, port), ("127.0.0.1", internal_port)):
        try:
            free = is_free(place, number)
        except OSError as error:
            return "listen.address", {"address": place, "detail": error.strerror or str(error)}
        if not free:
            found = holder(number)
            who = f" ({found.name}, pid {found.pid})" if found else ""
            return "listen.port_in_use", {"port": number, "holder": who, "free": next_free(address, port)}
    return None


def next_free(address: str, port: int) -> int:
    """Return the first free port after `port` that leaves its successor free too, for the internal listener."""
    for candidate in range(port + 10, min(port + 1000, 65500), 10):
        if is_free(address, candidate) and is_free("127.0.0.1", candidate + 1):
            return candidate
    return 0


@dataclass(frozen=True, kw_only=True)
class Holder:
    """A process that listens."""

    pid: int
    name: str


def holder(port: int) -> Holder | None:
    """Return the process that listens on a TCP port, when this user may know it."""
    inodes = set(_listening_inodes(port))
    if not inodes:
        return None
    for folder in Path("/proc").glob("[0-9]*"):
        # Processes come and go, and other people's descriptors are not ours to read.
        with contextlib.suppress(OSError):
            for link in (folder / "fd").iterdir():
                if str(link.readlink()) in inodes:
                    return Holder(pid=int(folder.name), name=(folder / "comm").read_text().strip())
    return None


def _listening_inodes(port: int) -> list[str]:
    found = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with contextlib.suppress(OSError):
            for line in Path(table).read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == port:
                    found.append(f"socket:[{fields[9]}]")
    return found


def ssh_command(port: int, environ: Mapping[str, str] | None = None) -> str | None:
    """Return the port-forwarding command for whoever is logged in by SSH, else None."""
    env = os.environ if environ is None else environ
    parts = env.get("SSH_CONNECTION", "").split()
    if len(parts) != 4:  # noqa: PLR2004  (client address and port, server address and port)
        return None
    user = env.get("USER") or env.get("LOGNAME") or "root"
    other = f"-p {parts[3]} " if parts[3] != "22" else ""
    return f"ssh {other}-L {port}:127.0.0.1:{port} {user}@{parts[2]}"
