"""What the file system says of an entry, and its refusals as domain errors."""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from typing import Final

from jiqi.domain.errors import JiqiError
from jiqi.domain.files import (
    NAME_BYTES,
    DiskFullError,
    DiskQuotaError,
    FileBusyError,
    FileEntry,
    FileError,
    FileIsFolderError,
    FileKind,
    FileMissingError,
    FileNameTooLongError,
    FileNotFolderError,
    FileNotRegularError,
    FileOutsideError,
    FilePermissionError,
    FileSymlinkError,
    FileTakenError,
    FileTooLargeError,
    FolderNotEmptyError,
    shown,
)

FILE_MODE: Final = 0o660
# setgid: what a kernel of another uid makes inside keeps the common group.
FOLDER_MODE: Final = 0o2770

_ERRORS: Final[dict[int, type[FileError]]] = {
    errno.ENOENT: FileMissingError,
    errno.EEXIST: FileTakenError,
    errno.ENOTEMPTY: FolderNotEmptyError,
    errno.ELOOP: FileSymlinkError,
    errno.EXDEV: FileOutsideError,
    errno.ENOTDIR: FileNotFolderError,
    errno.EISDIR: FileIsFolderError,
    errno.ENAMETOOLONG: FileNameTooLongError,
    errno.EACCES: FilePermissionError,
    errno.EPERM: FilePermissionError,
    errno.EROFS: FilePermissionError,
    errno.ENOSPC: DiskFullError,
    errno.EDQUOT: DiskQuotaError,
    errno.EFBIG: FileTooLargeError,
    errno.ENXIO: FileNotRegularError,
    errno.ENODEV: FileNotRegularError,
    errno.EBUSY: FileBusyError,
}


@contextlib.contextmanager
def told(path: str) -> Iterator[None]:
    """Turn OSError into the domain error of its number, naming `path`."""
    try:
        yield
    except OSError as error:
        raise refusal(error, path=path) from error


def refusal(error: OSError, *, path: str) -> JiqiError:
    """Return the domain error of an OSError."""
    kind = _ERRORS.get(error.errno or 0, FileError)
    if kind is FileNameTooLongError:
        return kind(path=shown(path), limit=NAME_BYTES)
    if kind is FileError:
        return kind(path=shown(path), reason=errno.errorcode.get(error.errno or 0, "unknown"))
    return kind(path=shown(path))


def kind_of(mode: int) -> FileKind:
    """Return the kind of an entry by its mode."""
    if stat.S_ISREG(mode):
        return FileKind.FILE
    if stat.S_ISDIR(mode):
        return FileKind.FOLDER
    return FileKind.SYMLINK if stat.S_ISLNK(mode) else FileKind.OTHER


def entry_of(info: os.stat_result, *, path: str, folder_writable: bool) -> FileEntry:
    """Return the entry at `path`.

    A file is replaced, not written in place, so that its folder must be writable; a file without any write
    bit is respected as read-only.
    """
    kind = kind_of(info.st_mode)
    return FileEntry(
        name=path.rsplit("/", 1)[-1],
        path=path,
        kind=kind,
        size=info.st_size if kind is FileKind.FILE else 0,
        modified=info.st_mtime,
        created=min(info.st_ctime, info.st_mtime),
        writable=folder_writable and bool(info.st_mode & 0o222) and kind is not FileKind.SYMLINK,
        version=f"{info.st_ino:x}-{info.st_mtime_ns:x}-{info.st_size:x}",
    )


def may_write(folder: int) -> bool:
    """Say whether names can be made and removed in a folder."""
    return os.access(".", os.W_OK | os.X_OK, dir_fd=folder, effective_ids=True)


def require_regular(info: os.stat_result, *, path: str) -> None:
    """Raise the error that fits unless this is a regular file."""
    match kind_of(info.st_mode):
        case FileKind.FILE:
            return
        case FileKind.FOLDER:
            raise FileIsFolderError(path=shown(path))
        case FileKind.SYMLINK:
            raise FileSymlinkError(path=shown(path))
        case FileKind.OTHER:
            raise FileNotRegularError(path=shown(path))
