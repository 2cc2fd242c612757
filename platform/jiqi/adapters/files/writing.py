"""A file in the making: written under a temporary name beside its target and renamed in one step."""

import contextlib
import os
import secrets
import stat
import threading
from typing import Self

from jiqi.adapters.files.beneath import rename_without_replacing
from jiqi.adapters.files.entries import FILE_MODE, entry_of, may_write, require_regular, told
from jiqi.domain.files import (
    TEMPORARY_PREFIX,
    DiskQuotaError,
    FileEntry,
    FileMissingError,
    FileTakenError,
    FileTooLargeError,
    shown,
)

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def temporary_name() -> str:
    """Return a fresh name that a sweep recognises."""
    return TEMPORARY_PREFIX + secrets.token_hex(16)


class AtomicWriter:
    """Bytes go to a temporary file; `commit` renames it over the target; anything else leaves nothing.

    A lock lets `abort` come from another thread while a write is on its way.
    """

    def __init__(
        self,
        folder: int,
        *,
        path: str,
        limit: int | None,
        room: int | None,
        overwrite: bool,
        durable: bool,
        owner: int | None,
    ) -> None:
        """Take over `folder` (it is closed at the end) and make the temporary file."""
        self._folder, self._path, self._name = folder, path, path.rsplit("/", 1)[-1]
        self._limit, self._room = limit, room
        self._overwrite, self._durable = overwrite, durable
        self._lock = threading.Lock()
        self._file: int | None = None
        self._temporary = temporary_name()
        self.written = 0
        try:
            with told(path):
                self._replaced = self._look()
                self._file = make_file(
                    self._temporary, folder=folder, owner=owner, mode=_mode_after(self._replaced)
                )
        except BaseException:
            os.close(folder)
            raise

    def _look(self) -> os.stat_result | None:
        """Refuse early what `commit` would refuse; a link, pipe or folder is never written over."""
        try:
            info = os.stat(self._name, dir_fd=self._folder, follow_symlinks=False)
        except FileNotFoundError:
            return None
        if not self._overwrite:
            raise FileTakenError(path=shown(self._path))
        require_regular(info, path=self._path)
        return info

    def write(self, data: bytes) -> None:
        """Append."""
        with self._lock, told(self._path):
            if self._file is None:
                raise FileMissingError(path=shown(self._path))
            total = self.written + len(data)
            if self._limit is not None and total > self._limit:
                raise FileTooLargeError(path=shown(self._path), limit=self._limit)
            freed = self._replaced.st_size if self._replaced else 0
            if self._room is not None and total > self._room + freed:
                raise DiskQuotaError(path=shown(self._path), room=max(0, self._room))
            write_all(self._file, data)
            self.written = total

    def commit(self) -> FileEntry:
        """Put it in place."""
        with self._lock, told(self._path):
            if self._file is None:
                raise FileMissingError(path=shown(self._path))
            try:
                if self._durable:
                    os.fsync(self._file)
                put_in_place(self._temporary, self._name, folder=self._folder, overwrite=self._overwrite)
                self._temporary = ""
                info = os.fstat(self._file)
                return entry_of(info, path=self._path, folder_writable=may_write(self._folder))
            finally:
                self._close()

    def abort(self) -> None:
        """Leave nothing behind."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._file is None:
            return
        os.close(self._file)
        self._file = None
        if self._temporary:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary, dir_fd=self._folder)
        os.close(self._folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.abort()


def _mode_after(replaced: os.stat_result | None) -> int:
    """Keep what the person set, such as the execute bit of a script; always open to the group."""
    return FILE_MODE | (stat.S_IMODE(replaced.st_mode) & 0o777 if replaced else 0)


def make_file(name: str, *, folder: int, owner: int | None, mode: int = FILE_MODE) -> int:
    """Make a new file that the kernel's group can write, whatever the umask; return it open for writing."""
    fd = os.open(name, _CREATE, 0o600, dir_fd=folder)
    try:
        if owner is not None:
            os.fchown(fd, owner, -1)
        os.fchmod(fd, mode)
    except BaseException:
        os.close(fd)
        os.unlink(name, dir_fd=folder)
        raise
    return fd


def write_all(fd: int, data: bytes) -> None:
    """Write every byte: a nearly full disk takes part of a write before it says so."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def put_in_place(temporary: str, name: str, *, folder: int, overwrite: bool) -> None:
    """Rename within one folder."""
    if overwrite:
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    else:
        rename_without_replacing(temporary, name, folder=folder, new_folder=folder)
