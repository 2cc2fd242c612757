"""Bind mounts and small file systems by system call, with mountinfo as the only witness.

`os.path.ismount` is false for a bind on the same file system, so nothing here asks it; and a mount point is
only ever removed with `rmdir`, because a recursive removal empties the home that is mounted there.
"""

import ctypes
import errno
import os
import time
from dataclasses import dataclass
from pathlib import Path

from jiqi.services.ports_hosts import MountBusyError

_NOSUID, _NODEV, _NOEXEC, _NOSYMFOLLOW = 0x2, 0x4, 0x8, 0x100
_BIND, _PRIVATE, _SHARED = 0x1000, 1 << 18, 1 << 20
_UMOUNT_NOFOLLOW = 8
_POINT, _ROOT, _OPTIONS = 4, 3, 5
_BUSY_SECONDS = 5.0
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mounted:
    """One line of mountinfo: `root` is the mounted part of its file system."""

    point: str
    root: str
    options: str
    shared: bool


def mounted(at: Path | None = None) -> list[Mounted]:
    """Return every mount of this process's namespace, or those whose mount point is `at`."""
    lines = Path("/proc/self/mountinfo").read_bytes().splitlines()
    found = [_parse(line) for line in lines]
    return found if at is None else [mount for mount in found if mount.point == str(at)]


def _parse(line: bytes) -> Mounted:
    fields = line.split(b" ")
    optional = fields[6 : fields.index(b"-", 6)]
    return Mounted(
        point=_unescape(fields[_POINT]),
        root=_unescape(fields[_ROOT]),
        options=fields[_OPTIONS].decode(),
        shared=any(field.startswith(b"shared:") for field in optional),
    )


def _unescape(field: bytes) -> str:
    for code in (b"040", b"011", b"012", b"134"):
        field = field.replace(b"\\" + code, bytes([int(code, 8)]))
    return os.fsdecode(field)


def share(folder: Path) -> None:
    """Make `folder` a mount of its own whose later mounts reach the containers that have it; again is harmless."""
    here = mounted(folder)
    if any(mount.shared for mount in here):
        return
    if not here:
        _mount(str(folder), folder, flags=_BIND)
        # Private first: below a shared parent the new mount would join the parent's group, and each home
        # would be mounted twice.
        _mount("none", folder, flags=_PRIVATE)
    _mount("none", folder, flags=_SHARED)


def bind(source: Path, point: Path) -> None:
    """Mount the folder `source` on the folder `point`; again is harmless. Raises MountBusyError."""
    if mounted(point):
        if not source.samefile(point):
            raise MountBusyError(path=str(point))
        return
    _mount(str(source), point, flags=_BIND)


def bind_tmpfs(point: Path, *, megabytes: int) -> None:
    """Mount a small memory file system where nothing runs and no link is followed; again is harmless."""
    if mounted(point):
        return
    flags = _NOSUID | _NODEV | _NOEXEC | _NOSYMFOLLOW
    _mount("jiqi", point, kind="tmpfs", flags=flags, data=f"size={megabytes}m,nr_inodes=2048,mode=0755")


def unmount(point: Path, *, seconds: float = _BUSY_SECONDS) -> None:
    """Unmount until mountinfo shows nothing there. Raises MountBusyError after `seconds`, leaving it."""
    end = time.monotonic() + seconds
    while mounted(point):
        if _libc.umount2(os.fsencode(point), _UMOUNT_NOFOLLOW) == 0:
            continue
        number = ctypes.get_errno()
        if number in {errno.EINVAL, errno.ENOENT}:
            continue
        if number != errno.EBUSY:
            raise OSError(number, os.strerror(number), str(point))
        if time.monotonic() > end:
            raise MountBusyError(path=str(point))
        # The namespace of a container that has just ended is taken down a moment later.
        time.sleep(0.01)


def remove_point(point: Path) -> bool:
    """Remove an empty mount point; say whether it is gone. What is mounted or not empty stays."""
    if mounted(point):
        return False
    try:
        point.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _mount(source: str, point: Path, *, kind: str = "none", flags: int, data: str = "") -> None:
    arguments = (os.fsencode(source), os.fsencode(point), kind.encode(), ctypes.c_ulong(flags), data.encode())
    if _libc.mount(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(point))
