"""Homes: one folder a person, named by the id, of the kernels' user and setgid to the group that Jiqi shares."""

import errno
import os
from pathlib import Path

from jiqi.adapters.files.beneath import best_opener
from jiqi.adapters.files.trees import delete_tree
from jiqi.config import Settings
from jiqi.domain.errors import BadInputError
from jiqi.domain.ids import UserId, is_id

HOME_MODE = 0o2770
_SEARCHABLE = 0o711


def ensure_home(settings: Settings, user_id: UserId) -> Path:
    """Return the person's home, making it when it is not there; again changes nothing."""
    if not is_id(user_id):
        raise BadInputError(where="user_id")
    settings.homes.mkdir(mode=_SEARCHABLE, parents=True, exist_ok=True)
    folder = os.open(settings.homes, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            os.mkdir(user_id, 0o700, dir_fd=folder)
        except FileExistsError:
            if _is_ready(user_id, folder=folder):
                return settings.homes / user_id
        home = os.open(user_id, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
        try:
            if os.getuid() == 0:
                os.fchown(home, settings.kernel_uid, settings.kernel_gid)
            # After chown, which clears the setgid bit; independent of the umask.
            os.fchmod(home, HOME_MODE)
        finally:
            os.close(home)
    finally:
        os.close(folder)
    return settings.homes / user_id


def _is_ready(name: str, *, folder: int) -> bool:
    info = os.stat(name, dir_fd=folder, follow_symlinks=False)
    return info.st_mode & 0o7777 == HOME_MODE


class Homes:
    """Removal of homes, which survives a crash between the row and the files by a marker beside the homes."""

    def __init__(self, settings: Settings) -> None:
        self._homes = settings.homes
        self._leaving = settings.state / "leaving"

    def mark_leaving(self, user_id: UserId) -> None:
        """Write down that the person's row is about to be removed."""
        self._leaving.mkdir(mode=0o700, parents=True, exist_ok=True)
        (self._leaving / user_id).touch()
        folder = os.open(self._leaving, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def leaving(self) -> list[UserId]:
        """Return the people marked."""
        try:
            return sorted(UserId(entry.name) for entry in self._leaving.iterdir() if is_id(entry.name))
        except FileNotFoundError:
            return []

    def unmark(self, user_id: UserId) -> None:
        """Forget the mark."""
        (self._leaving / user_id).unlink(missing_ok=True)

    def remove(self, user_id: UserId) -> None:
        """Remove the home with all beneath it: links are removed, not followed; a mount beneath is an OSError."""
        if not is_id(user_id):
            raise BadInputError(where="user_id")
        try:
            folder = os.open(self._homes, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            return
        try:
            delete_tree(best_opener(), user_id, folder=folder)
        except FileNotFoundError:
            pass
        except OSError as error:
            if error.errno in {errno.ELOOP, errno.ENOTDIR}:
                os.unlink(user_id, dir_fd=folder)
                return
            raise
        finally:
            os.close(folder)
