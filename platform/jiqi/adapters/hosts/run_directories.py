"""Run directories: one a place, where only `k/` may be written by the kernel; a 16 MB memory file system as root."""

import os
from pathlib import Path

from jiqi.adapters import mounts
from jiqi.adapters.files.beneath import best_opener
from jiqi.adapters.files.trees import delete_tree
from jiqi.config import Settings
from jiqi.domain.ids import WarmName, is_id

MEGABYTES = 16
WRITABLE = "k"
# Of the five sockets: <run>/<name>/k/c-1 … c-5.
PREFIX = "c"


class RunDirectories:
    """The run root of one installation; `mounted` says whether each directory is a file system of its own."""

    def __init__(self, settings: Settings, *, mounted: bool) -> None:
        self._root = settings.run
        self._owner = (settings.kernel_uid, settings.kernel_gid)
        self._mounted = mounted

    def path(self, name: WarmName) -> Path:
        """Return the directory of a place."""
        if not is_id(name):
            raise ValueError("not a place's name")
        return self._root / name

    def writable(self, name: WarmName) -> Path:
        """Return the folder that user code can write: its names are opened with care only."""
        return self.path(name) / WRITABLE

    def prefix(self, name: WarmName) -> str:
        """Return what stands before `-1` … `-5` in the paths of the kernel's sockets."""
        return str(self.writable(name) / PREFIX)

    def make(self, name: WarmName) -> None:
        """Make the directory; again is harmless."""
        self._make_root()
        path = self.path(name)
        path.mkdir(mode=0o755, exist_ok=True)
        if self._mounted:
            mounts.bind_tmpfs(path, megabytes=MEGABYTES)
        inner = self.writable(name)
        inner.mkdir(mode=0o700, exist_ok=True)
        folder = os.open(inner, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if os.getuid() == 0:
                os.fchown(folder, *self._owner)
            os.fchmod(folder, 0o2770)
        finally:
            os.close(folder)

    def remove(self, name: WarmName) -> None:
        """Remove the directory; harmless when there is none. Raises MountBusyError."""
        path = self.path(name)
        mounts.unmount(path)
        if mounts.remove_point(path) or mounts.mounted(path):
            return
        # A plain directory, with sockets in it: nothing is mounted beneath, or this refuses.
        root = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            delete_tree(best_opener(), name, folder=root)
        finally:
            os.close(root)

    def names(self) -> set[WarmName]:
        """Return the names of all directories there are."""
        try:
            return {WarmName(entry.name) for entry in self._root.iterdir() if is_id(entry.name)}
        except FileNotFoundError:
            return set()

    def _make_root(self) -> None:
        self._root.mkdir(mode=0o711, parents=True, exist_ok=True)
        info = self._root.lstat()
        # Below a shared /tmp somebody else may have made it first, to read along.
        if info.st_uid != os.getuid() or self._root.is_symlink():
            raise PermissionError(f"{self._root} belongs to somebody else")
