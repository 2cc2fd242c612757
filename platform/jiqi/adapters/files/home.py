"""The files of one home: every operation goes beneath its folder by descriptors, never by comparing text."""

import contextlib
import errno
import os
from collections.abc import Callable
from pathlib import Path

from jiqi.adapters.files import parts as uploads
from jiqi.adapters.files import trees
from jiqi.adapters.files.beneath import LISTED, opened, rename_without_replacing
from jiqi.adapters.files.entries import FOLDER_MODE, kind_of, told
from jiqi.adapters.files.reading import WALKED_ENTRIES, HomeReads
from jiqi.adapters.files.writing import AtomicWriter, temporary_name
from jiqi.domain.files import (
    FileEntry,
    FileIntoItselfError,
    FileKind,
    FileSymlinkError,
    FileTakenError,
    is_temporary,
    parse_path,
    shown,
)


class HomeFiles(HomeReads):
    """See `services.ports_files.Files`."""

    def writer(
        self,
        path: str,
        *,
        limit: int | None = None,
        room: int | None = None,
        overwrite: bool = True,
        durable: bool = False,
    ) -> AtomicWriter:
        """Begin a file."""
        with told(path):
            folder = self._open(_target(path)[:-1])
        return AtomicWriter(
            folder,
            path=path,
            limit=limit,
            room=room,
            overwrite=overwrite,
            durable=durable,
            owner=self._owner,
        )

    def write(
        self,
        path: str,
        data: bytes,
        *,
        room: int | None = None,
        overwrite: bool = True,
        durable: bool = False,
    ) -> FileEntry:
        """Write a whole file in one step."""
        with self.writer(path, room=room, overwrite=overwrite, durable=durable) as writer:
            writer.write(data)
            return writer.commit()

    def write_part(
        self,
        path: str,
        data: bytes,
        *,
        number: int,
        last: bool,
        limit: int | None = None,
        room: int | None = None,
    ) -> FileEntry:
        """Write one part of an upload."""
        names = _target(path)
        with told(path), self._beneath(names[:-1], LISTED) as folder:
            return uploads.write_part(
                folder,
                data,
                path=path,
                number=number,
                last=last,
                limit=limit,
                room=room,
                owner=self._owner,
            )

    def mkdir(self, path: str, *, parents: bool = False, exist_ok: bool = False) -> FileEntry:
        """Make a folder."""
        names = _target(path)
        if parents:
            for depth in range(1, len(names)):
                self.mkdir("/".join(names[:depth]), exist_ok=True)
        with told(path), self._beneath(names[:-1]) as folder:
            try:
                trees.make_folder(names[-1], folder=folder, owner=self._owner)
            except FileExistsError:
                kind = self.stat(path).kind
                if kind is FileKind.SYMLINK:
                    raise FileSymlinkError(path=shown(path)) from None
                if not exist_ok or kind is not FileKind.FOLDER:
                    raise
        return self.stat(path)

    def rename(self, path: str, new_path: str) -> FileEntry:
        """Move within the home."""
        names, new_names = _target(path), _target(new_path)
        if names != new_names:
            with told(path), self._beneath(names[:-1]) as folder:
                os.stat(names[-1], dir_fd=folder, follow_symlinks=False)
                with told(new_path), self._beneath(new_names[:-1]) as new_folder:
                    try:
                        rename_without_replacing(
                            names[-1], new_names[-1], folder=folder, new_folder=new_folder
                        )
                    except OSError as error:
                        if error.errno == errno.EINVAL:
                            raise FileIntoItselfError(path=shown(new_path)) from error
                        raise
        return self.stat(new_path)

    def delete(self, path: str) -> None:
        """Remove a file, a link itself, or a folder with all beneath it."""
        names = _target(path)
        with told(path), self._beneath(names[:-1]) as folder:
            if kind_of(os.stat(names[-1], dir_fd=folder, follow_symlinks=False).st_mode) is FileKind.FOLDER:
                trees.delete_tree(self._opener, names[-1], folder=folder)
            else:
                os.unlink(names[-1], dir_fd=folder)

    def copy(
        self, path: str, new_path: str, *, room: int | None = None, overwrite: bool = False
    ) -> FileEntry:
        """Copy a file or a folder."""
        names, new_names = parse_path(path), _target(new_path)
        if self.stat(path).kind is FileKind.FOLDER:
            if len(new_names) > len(names) and new_names[: len(names)] == names:
                raise FileIntoItselfError(path=shown(new_path))
            with told(path), self._beneath(names, LISTED) as source:
                return self._copy_folder(source, new_path, room=room)
        with self.open(path) as file, self.writer(new_path, room=room, overwrite=overwrite) as writer:
            while piece := file.read_at(writer.written, trees.BLOCK):
                writer.write(piece)
            return writer.commit()

    def import_folder(
        self, source: Path, path: str, *, skip: Callable[[str], bool] = is_temporary
    ) -> FileEntry:
        """Copy a folder of the server's own into the home in one step."""
        with told(path):
            fd = os.open(source, LISTED)
        try:
            return self._copy_folder(fd, path, room=None, skip=skip)
        finally:
            os.close(fd)

    def _copy_folder(
        self, source: int, path: str, *, room: int | None, skip: Callable[[str], bool] = is_temporary
    ) -> FileEntry:
        """Fill a folder under a temporary name and rename it: nobody sees half a copy."""
        names, temporary = _target(path), temporary_name()
        copy = trees.TreeCopy(opener=self._opener, path=path, owner=self._owner, room=room, skip=skip)
        with told(path), self._beneath(names[:-1]) as folder:
            with contextlib.suppress(FileNotFoundError):
                os.stat(names[-1], dir_fd=folder, follow_symlinks=False)
                raise FileTakenError(path=shown(path))
            trees.make_folder(temporary, folder=folder, owner=self._owner)
            try:
                with opened(self._opener, folder, (temporary,), LISTED) as target:
                    copy.fill(source, target)
                rename_without_replacing(temporary, names[-1], folder=folder, new_folder=folder)
            except BaseException:
                trees.delete_tree(self._opener, temporary, folder=folder)
                raise
        return self.stat(path)

    def sweep(self, *, before: float) -> int:
        """Remove files in the making that were last written before a moment."""
        with told(""), self._beneath((), LISTED) as folder:
            return trees.sweep(self._opener, folder, before=before, limit=WALKED_ENTRIES)

    def make_root(self) -> None:
        """Make the home itself if it is missing; its parent is the server's own."""
        with told(""):
            with contextlib.suppress(FileExistsError):
                self.root.mkdir(0o700)
                if self._owner is not None:
                    os.chown(self.root, self._owner, -1)
                self.root.chmod(FOLDER_MODE)


def _target(path: str) -> tuple[str, ...]:
    """Return the names of something within the home, not the home itself."""
    names = parse_path(path)
    if not names:
        raise FileTakenError(path="")
    return names
