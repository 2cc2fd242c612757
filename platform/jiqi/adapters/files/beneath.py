"""Open a path beneath a folder: no link is followed and no mount entered, by one system call or by walking.

`openat2` (Linux 5.6) lets the kernel hold the rule; a sandbox may forbid the call, so a walk with O_NOFOLLOW does
the same one name at a time. Both raise OSError: ELOOP for a link, EXDEV for a way out.
"""

import contextlib
import ctypes
import errno
import functools
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from typing import Final

Opener = Callable[[int, Sequence[str], int], int]

FOLDER: Final = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
LISTED: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: opening a pipe must not wait for its other end; the type is looked at before anything is read.
READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY

_OPENAT2: Final = 437  # the same number on every architecture
_NO_XDEV, _NO_MAGICLINKS, _NO_SYMLINKS, _BENEATH = 0x01, 0x02, 0x04, 0x08
_RESOLVE: Final = _NO_XDEV | _NO_MAGICLINKS | _NO_SYMLINKS | _BENEATH
_RENAME_NOREPLACE: Final = 1
_RACES: Final = 16


class _OpenHow(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


_libc: Final = ctypes.CDLL(None, use_errno=True)


def open_by_kernel(root: int, parts: Sequence[str], flags: int) -> int:
    """Open with openat2. Raises OSError with ENOSYS where the call is not there."""
    path = os.fsencode("/".join(parts) or ".")
    # Without O_NOFOLLOW, because then RESOLVE_NO_SYMLINKS says ELOOP of a last link instead of ENOTDIR.
    how = _OpenHow(flags & ~os.O_NOFOLLOW, 0, _RESOLVE)
    for _ in range(_RACES):
        fd = _libc.syscall(_OPENAT2, root, path, ctypes.byref(how), ctypes.sizeof(how))
        if fd >= 0:
            return int(fd)
        number = ctypes.get_errno()
        # EAGAIN: something was renamed during the walk and the kernel could not be sure.
        if number not in {errno.EAGAIN, errno.EINTR}:
            raise OSError(number, os.strerror(number))
    return open_by_walking(root, parts, flags)


def open_by_walking(root: int, parts: Sequence[str], flags: int) -> int:
    """Open one name after the other, each with O_NOFOLLOW, each on the mount of the root."""
    mount = mount_of(root)
    current = os.open(".", FOLDER, dir_fd=root)
    try:
        for index, name in enumerate(parts or (".",)):
            last = index >= len(parts) - 1
            step = _open_name(name, (flags | os.O_NOFOLLOW) if last else FOLDER, folder=current)
            os.close(current)
            current = step
            _require_mount(current, mount)
    except BaseException:
        os.close(current)
        raise
    return current


def _require_mount(fd: int, mount: int) -> None:
    if mount_of(fd) != mount:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))


def _open_name(name: str, flags: int, *, folder: int) -> int:
    try:
        return os.open(name, flags, dir_fd=folder)
    except NotADirectoryError:
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
        raise


def mount_of(fd: int) -> int:
    """Return the id of the mount on which an open file lies: a bind of the same disk has another id."""
    info = os.open(f"/proc/self/fdinfo/{fd}", os.O_RDONLY | os.O_CLOEXEC)
    try:
        text = os.read(info, 1024)
    finally:
        os.close(info)
    for line in text.splitlines():
        if line.startswith(b"mnt_id:"):
            return int(line[7:])
    return os.fstat(fd).st_dev


@functools.cache
def best_opener() -> Opener:
    """Return the kernel's way where it works, else the walk."""
    root = os.open("/", FOLDER)
    try:
        os.close(open_by_kernel(root, (), FOLDER))
    except OSError:
        return open_by_walking
    finally:
        os.close(root)
    return open_by_kernel


@contextlib.contextmanager
def opened(opener: Opener, root: int, parts: Sequence[str], flags: int) -> Iterator[int]:
    """Hold a descriptor for the length of a `with`."""
    fd = opener(root, parts, flags)
    try:
        yield fd
    finally:
        os.close(fd)


def rename_without_replacing(name: str, new_name: str, *, folder: int, new_folder: int) -> None:
    """Rename; FileExistsError when the new name is taken, also when it was taken just now."""
    if hasattr(_libc, "renameat2"):
        flag = ctypes.c_uint(_RENAME_NOREPLACE)
        if _libc.renameat2(folder, os.fsencode(name), new_folder, os.fsencode(new_name), flag) == 0:
            return
        number = ctypes.get_errno()
        if number not in {errno.ENOSYS, errno.EINVAL}:
            raise OSError(number, os.strerror(number))
    # A file system without the flag: the look and the rename are two steps, as everywhere before Linux 3.15.
    with contextlib.suppress(FileNotFoundError):
        os.stat(new_name, dir_fd=new_folder, follow_symlinks=False)
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    os.rename(name, new_name, src_dir_fd=folder, dst_dir_fd=new_folder)
