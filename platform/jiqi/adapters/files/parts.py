"""An upload that comes in numbered parts over several requests, perhaps to several web processes.

The state is the temporary file's name alone: `.jiqi-upload-<hash of the target's name>.<parts so far>`. A part that
was sent twice, or came late, does not find the name it needs and is refused instead of being written twice.
"""

import contextlib
import hashlib
import os
import re
from typing import Final

from jiqi.adapters.files.beneath import rename_without_replacing
from jiqi.adapters.files.entries import entry_of, may_write, require_regular
from jiqi.adapters.files.writing import make_file, put_in_place, write_all
from jiqi.domain.files import (
    TEMPORARY_PREFIX,
    DiskQuotaError,
    FileEntry,
    FileTooLargeError,
    UploadOrderError,
    shown,
)

_APPEND: Final = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def write_part(
    folder: int,
    data: bytes,
    *,
    path: str,
    number: int,
    last: bool,
    limit: int | None,
    room: int | None,
    owner: int | None,
) -> FileEntry:
    """Append one part to the file in the making beneath `folder`; put it in place with the last.

    `room` is how much the person may add now: earlier parts already count as used.
    """
    name = path.rsplit("/", 1)[-1]
    base = TEMPORARY_PREFIX + hashlib.sha256(name.encode()).hexdigest()[:32]
    done = _parts_done(folder, base)
    if number == 1:
        _refuse_other(name, folder=folder, path=path)
        for old in done:
            os.unlink(f"{base}.{old}", dir_fd=folder)
        fd, current = make_file(f"{base}.1", folder=folder, owner=owner), f"{base}.1"
    else:
        before = max(done, default=0) if last else number - 1
        if before not in done or before < 1:
            raise UploadOrderError(path=shown(path))
        current = f"{base}.{before + 1}"
        _claim(f"{base}.{before}", current, folder=folder, path=path)
        fd = os.open(current, _APPEND, dir_fd=folder)
    try:
        _append(fd, data, path=path, limit=limit, room=room)
        if last:
            put_in_place(current, name, folder=folder, overwrite=True)
        return entry_of(os.fstat(fd), path=path, folder_writable=may_write(folder))
    except BaseException:
        # Whatever failed, the upload begins again: no half part may stand for a whole one.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(current, dir_fd=folder)
        raise
    finally:
        os.close(fd)


def _parts_done(folder: int, base: str) -> set[int]:
    pattern = re.compile(re.escape(base) + r"\.(\d+)\Z")
    return {int(match[1]) for name in os.listdir(folder) if (match := pattern.match(name))}


def _refuse_other(name: str, *, folder: int, path: str) -> None:
    try:
        require_regular(os.stat(name, dir_fd=folder, follow_symlinks=False), path=path)
    except FileNotFoundError:
        return


def _claim(old: str, new: str, *, folder: int, path: str) -> None:
    """Take the file for this part: of two equal parts at once only one finds it."""
    try:
        rename_without_replacing(old, new, folder=folder, new_folder=folder)
    except (FileNotFoundError, FileExistsError) as error:
        raise UploadOrderError(path=shown(path)) from error


def _append(fd: int, data: bytes, *, path: str, limit: int | None, room: int | None) -> None:
    info = os.fstat(fd)
    require_regular(info, path=path)
    if limit is not None and info.st_size + len(data) > limit:
        raise FileTooLargeError(path=shown(path), limit=limit)
    if room is not None and len(data) > room:
        raise DiskQuotaError(path=shown(path), room=max(0, room))
    write_all(fd, data)
