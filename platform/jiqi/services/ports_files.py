"""What the use cases and the web need from the files of one home; every path is relative, `/`-separated text.

Errors are those of `domain/files.py`. Every call blocks on the disk, so the web calls them in its pool.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, Self

from jiqi.domain.files import FileEntry, Listing, Usage


class OpenFile(Protocol):
    """A regular file open for reading."""

    @property
    def entry(self) -> FileEntry: ...

    def read_at(self, offset: int, size: int) -> bytes:
        """Return up to `size` bytes from `offset`; b"" at the end."""

    def close(self) -> None:
        """Close it; again is harmless."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: object) -> None: ...


class FileWriter(Protocol):
    """A file in the making, unseen under its name until `commit`; safe to `abort` from another thread."""

    @property
    def written(self) -> int: ...

    def write(self, data: bytes) -> None:
        """Append. Raises FileTooLargeError, DiskQuotaError or DiskFullError, after which only `abort` is left."""

    def commit(self) -> FileEntry:
        """Put it in place of what was there, in one step."""

    def abort(self) -> None:
        """Leave nothing behind; harmless after `commit`."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: object) -> None: ...


class Files(Protocol):
    """The files of one home; symbolic links are never followed and other mounts never entered."""

    def stat(self, path: str) -> FileEntry:
        """Return what is there; a link is returned as a link."""

    def entries(self, path: str, *, limit: int = ...) -> Listing:
        """Return a folder's entries."""

    def read(self, path: str, *, limit: int) -> tuple[FileEntry, bytes]:
        """Return a regular file of at most `limit` bytes. Raises FileTooLargeError."""

    def open(self, path: str) -> OpenFile:
        """Open a regular file."""

    def hash(self, path: str, *, algorithm: str = ...) -> str:
        """Return the hex digest of a regular file."""

    def writer(
        self,
        path: str,
        *,
        limit: int | None = ...,
        room: int | None = ...,
        overwrite: bool = ...,
        durable: bool = ...,
    ) -> FileWriter:
        """Begin a file; `room` is how many bytes the person may add."""

    def write(
        self, path: str, data: bytes, *, room: int | None = ..., overwrite: bool = ..., durable: bool = ...
    ) -> FileEntry:
        """Write a whole file in one step."""

    def write_part(
        self,
        path: str,
        data: bytes,
        *,
        number: int,
        last: bool,
        limit: int | None = ...,
        room: int | None = ...,
    ) -> FileEntry:
        """Write part `number` (from 1) of an upload; the file appears with the last. Raises UploadOrderError."""

    def mkdir(self, path: str, *, parents: bool = ..., exist_ok: bool = ...) -> FileEntry:
        """Make a folder."""

    def rename(self, path: str, new_path: str) -> FileEntry:
        """Move within the home, never over something. Raises FileTakenError."""

    def delete(self, path: str) -> None:
        """Remove a file, a link itself, or a folder with all beneath it."""

    def copy(self, path: str, new_path: str, *, room: int | None = ..., overwrite: bool = ...) -> FileEntry:
        """Copy a file or a folder (links and special files are left out)."""

    def import_folder(self, source: Path, path: str, *, skip: Callable[[str], bool] = ...) -> FileEntry:
        """Copy a folder of the server's own into the home in one step. Raises FileTakenError."""

    def usage(self, *, limit: int = ...) -> Usage:
        """Walk the home and add up what is allocated; hard links count once."""

    def sweep(self, *, before: float) -> int:
        """Remove files in the making that were last written before a moment; return how many."""
