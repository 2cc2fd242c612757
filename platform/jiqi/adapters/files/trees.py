"""Walks beneath one open folder: remove, copy, measure and sweep, by descriptors and within one mount."""

import contextlib
import errno
import itertools
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from jiqi.adapters.files.beneath import LISTED, READ, Opener, opened
from jiqi.adapters.files.entries import FOLDER_MODE
from jiqi.adapters.files.writing import make_file, temporary_name, write_all
from jiqi.domain.files import (
    DiskQuotaError,
    FolderTooLargeError,
    Usage,
    is_temporary,
    shown,
)

BLOCK: Final = 1024 * 1024
COPIED_ENTRIES: Final = 20_000
_DEPTH: Final = 64
_BATCH: Final = 4096
_BATCHES: Final = 1000


def make_folder(name: str, *, folder: int, owner: int | None) -> None:
    """Make a folder that passes its group on to what is made inside, whatever the umask."""
    os.mkdir(name, 0o700, dir_fd=folder)
    fd = os.open(name, LISTED, dir_fd=folder)
    try:
        if owner is not None:
            os.fchown(fd, owner, -1)
        os.fchmod(fd, FOLDER_MODE)
    finally:
        os.close(fd)


def delete_tree(opener: Opener, name: str, *, folder: int) -> None:
    """Remove a folder with all beneath it; links are removed, not followed; a mount beneath it is an error."""
    with opened(opener, folder, (name,), LISTED) as top:
        _empty(opener, top, top=top, depth=0)
    os.rmdir(name, dir_fd=folder)


def _empty(opener: Opener, folder: int, *, top: int, depth: int) -> None:
    # Another program may go on making files here: the number of rounds is bounded, so that this ends.
    for _ in range(_BATCHES):
        with os.scandir(folder) as entries:
            batch = [(e.name, e.is_dir(follow_symlinks=False)) for e in itertools.islice(entries, _BATCH)]
        if not batch:
            return
        for name, is_folder in batch:
            if not is_folder:
                os.unlink(name, dir_fd=folder)
            elif depth >= _DEPTH:
                # Deeper folders are carried up and met again at the top: depth costs neither stack nor files.
                os.rename(name, temporary_name(), src_dir_fd=folder, dst_dir_fd=top)
            else:
                with opened(opener, folder, (name,), LISTED) as inner:
                    _empty(opener, inner, top=top, depth=depth + 1)
                os.rmdir(name, dir_fd=folder)
    raise OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY))


@dataclass(slots=True)
class _Walk:
    opener: Opener
    left: int
    complete: bool = True


def _walked(walk: _Walk, folder: int, *, depth: int = 0) -> Iterator[tuple[int, os.DirEntry[str]]]:
    """Yield (folder, entry) of everything beneath; what cannot be entered makes the walk incomplete."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if walk.left <= 0:
                walk.complete = False
                return
            walk.left -= 1
            yield folder, entry
            if not entry.is_dir(follow_symlinks=False):
                continue
            try:
                inner = walk.opener(folder, (entry.name,), LISTED) if depth < _DEPTH else None
            except OSError:
                inner = None
            if inner is None:
                walk.complete = False
                continue
            try:
                yield from _walked(walk, inner, depth=depth + 1)
            finally:
                os.close(inner)


def measure(opener: Opener, folder: int, *, limit: int) -> Usage:
    """Add up allocated bytes beneath `folder`, hard links once, looking at up to `limit` entries."""
    walk = _Walk(opener, limit)
    linked: set[tuple[int, int]] = set()
    total = seen = 0
    for _, entry in _walked(walk, folder):
        try:
            info = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        seen += 1
        if info.st_nlink > 1 and stat.S_ISREG(info.st_mode):
            if (info.st_dev, info.st_ino) in linked:
                continue
            linked.add((info.st_dev, info.st_ino))
        total += info.st_blocks * 512
    return Usage(bytes=total, entries=seen, complete=walk.complete)


def sweep(opener: Opener, folder: int, *, before: float, limit: int) -> int:
    """Remove files and folders in the making that nobody wrote since `before`; return how many."""
    removed = 0
    for inside, entry in _walked(_Walk(opener, limit), folder):
        if is_temporary(entry.name):
            removed += remove_stale(opener, entry, folder=inside, before=before)
    return removed


def remove_stale(opener: Opener, entry: os.DirEntry[str], *, folder: int, before: float) -> bool:
    """Remove one entry in the making if it is older than `before`; say whether it is gone."""
    with contextlib.suppress(OSError):
        info = entry.stat(follow_symlinks=False)
        if info.st_mtime >= before:
            return False
        if stat.S_ISDIR(info.st_mode):
            delete_tree(opener, entry.name, folder=folder)
        else:
            os.unlink(entry.name, dir_fd=folder)
        return True
    return False


@dataclass(slots=True, kw_only=True)
class TreeCopy:
    """Copy of one folder's content: regular files and folders only, bounded in entries and bytes."""

    opener: Opener
    path: str
    owner: int | None
    room: int | None
    skip: Callable[[str], bool] = field(default=is_temporary)
    left: int = COPIED_ENTRIES

    def fill(self, source: int, target: int, *, depth: int = 0) -> None:
        """Copy everything beneath `source` into `target`, two open folders."""
        if depth > _DEPTH:
            raise FolderTooLargeError(path=shown(self.path), limit=_DEPTH)
        with os.scandir(source) as entries:
            for entry in entries:
                if self.skip(entry.name):
                    continue
                self.left -= 1
                if self.left < 0:
                    raise FolderTooLargeError(path=shown(self.path), limit=COPIED_ENTRIES)
                if entry.is_dir(follow_symlinks=False):
                    self._folder(entry.name, source, target, depth=depth)
                elif entry.is_file(follow_symlinks=False):
                    self._file(entry.name, source, target)

    def _folder(self, name: str, source: int, target: int, *, depth: int) -> None:
        make_folder(name, folder=target, owner=self.owner)
        with opened(self.opener, source, (name,), LISTED) as inner:
            with opened(self.opener, target, (name,), LISTED) as new:
                self.fill(inner, new, depth=depth + 1)

    def _file(self, name: str, source: int, target: int) -> None:
        with opened(self.opener, source, (name,), READ) as fd:
            info = os.fstat(fd)
            if not stat.S_ISREG(info.st_mode):
                return
            mode = stat.S_IMODE(info.st_mode) & 0o777 | 0o660
            new = make_file(name, folder=target, owner=self.owner, mode=mode)
            try:
                while data := os.read(fd, BLOCK):
                    self._spend(len(data))
                    write_all(new, data)
            finally:
                os.close(new)

    def _spend(self, size: int) -> None:
        if self.room is None:
            return
        self.room -= size
        if self.room < 0:
            raise DiskQuotaError(path=shown(self.path), room=0)
