"""The reading half of a home's files: look, list, read, measure."""

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Self

from jiqi.adapters.files import trees
from jiqi.adapters.files.beneath import FOLDER, LISTED, READ, Opener, best_opener
from jiqi.adapters.files.entries import entry_of, may_write, require_regular, told
from jiqi.domain.files import FileEntry, FileTooLargeError, Listing, Usage, is_temporary, parse_path, shown

LISTED_ENTRIES: Final = 20_000
WALKED_ENTRIES: Final = 1_000_000
# An upload writes all the time; one whose file nobody wrote for a day will not come back.
STALE_SECONDS: Final = 24 * 3600


class OpenedFile:
    """A regular file open for reading."""

    def __init__(self, fd: int, *, entry: FileEntry) -> None:
        """Take over the descriptor."""
        self._fd: int | None = fd
        self.entry = entry

    def read_at(self, offset: int, size: int) -> bytes:
        """Return up to `size` bytes from `offset`."""
        if self._fd is None:
            return b""
        with told(self.entry.path):
            return os.pread(self._fd, size, offset)

    def close(self) -> None:
        """Close it."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


class HomeReads:
    """See `services.ports_files.Files`. Holds no descriptor between calls; may be sent to another process.

    `owner`: the uid that new files get, for a web process that runs as root; else they are the process's own.
    Hard links are not looked at: the kernel's container sees one mount, and a link cannot cross mounts.
    """

    def __init__(self, root: Path, *, owner: int | None = None, opener: Opener | None = None) -> None:
        """Keep the place; it is opened at each call."""
        self.root = root
        self._owner = owner
        self._opener = opener or best_opener()

    def _open(self, names: tuple[str, ...], flags: int = FOLDER) -> int:
        root = os.open(self.root, FOLDER)
        try:
            return self._opener(root, names, flags)
        finally:
            os.close(root)

    @contextlib.contextmanager
    def _beneath(self, names: tuple[str, ...], flags: int = FOLDER) -> Iterator[int]:
        fd = self._open(names, flags)
        try:
            yield fd
        finally:
            os.close(fd)

    def stat(self, path: str) -> FileEntry:
        """Return what is there; a link is returned as a link."""
        names = parse_path(path)
        with told(path), self._beneath(names[:-1]) as folder:
            name = names[-1] if names else "."
            info = os.stat(name, dir_fd=folder, follow_symlinks=False)
            return entry_of(info, path=path, folder_writable=may_write(folder))

    def entries(self, path: str, *, limit: int = LISTED_ENTRIES) -> Listing:
        """Return a folder's entries by name; names that are not Unicode cannot be asked for and are left out."""
        found: list[FileEntry] = []
        truncated = False
        stale = time.time() - STALE_SECONDS
        with told(path), self._beneath(parse_path(path), LISTED) as folder, os.scandir(folder) as scan:
            writable = may_write(folder)
            for entry in scan:
                if is_temporary(entry.name):
                    trees.remove_stale(self._opener, entry, folder=folder, before=stale)
                    continue
                if len(found) >= limit:
                    truncated = True
                    break
                with contextlib.suppress(FileNotFoundError, UnicodeEncodeError):
                    entry.name.encode()
                    info = entry.stat(follow_symlinks=False)
                    inner = f"{path}/{entry.name}" if path else entry.name
                    found.append(entry_of(info, path=inner, folder_writable=writable))
        return Listing(entries=tuple(sorted(found, key=lambda e: e.name)), truncated=truncated)

    def open(self, path: str) -> OpenedFile:
        """Open a regular file."""
        with told(path):
            fd = self._open(parse_path(path), READ)
            try:
                info = os.fstat(fd)
                require_regular(info, path=path)
            except BaseException:
                os.close(fd)
                raise
        return OpenedFile(fd, entry=entry_of(info, path=path, folder_writable=True))

    def read(self, path: str, *, limit: int) -> tuple[FileEntry, bytes]:
        """Return a regular file of at most `limit` bytes, as it was when it was opened or longer."""
        with self.open(path) as file:
            if file.entry.size > limit:
                raise FileTooLargeError(path=shown(path), limit=limit)
            pieces: list[bytes] = []
            size = 0
            while piece := file.read_at(size, trees.BLOCK):
                size += len(piece)
                if size > limit:
                    raise FileTooLargeError(path=shown(path), limit=limit)
                pieces.append(piece)
            return file.entry, b"".join(pieces)

    def hash(self, path: str, *, algorithm: str = "sha256") -> str:
        """Return the hex digest of a regular file."""
        digest, offset = hashlib.new(algorithm), 0
        with self.open(path) as file:
            while piece := file.read_at(offset, trees.BLOCK):
                digest.update(piece)
                offset += len(piece)
        return digest.hexdigest()

    def usage(self, *, limit: int = WALKED_ENTRIES) -> Usage:
        """Walk the home and add up what is allocated."""
        with told(""), self._beneath((), LISTED) as folder:
            return trees.measure(self._opener, folder, limit=limit)
