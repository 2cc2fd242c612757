"""One checkpoint per file, in `.ipynb_checkpoints` beside it, reached like every other file of the home."""

import hashlib
from typing import Any, Final

from jupyter_server.services.contents.checkpoints import AsyncCheckpoints

from jiqi.domain.files import NAME_BYTES, FileEntry, FileKind, FileMissingError, FileNotFolderError, shown
from jiqi.services.ports_files import Files
from jiqi.web.jupyter.contents_models import base_model, clean_path
from jiqi.web.jupyter.contents_problems import answered
from jiqi.web.jupyter.contents_services import ContentsServices

FOLDER: Final = ".ipynb_checkpoints"
ONLY: Final = "checkpoint"


def checkpoint_path(path: str) -> str:
    """Return where the checkpoint of a file lies."""
    parent, _, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    saved = f"{stem}-{ONLY}.{ending}" if dot and stem else f"{name}-{ONLY}"
    if len(saved.encode()) > NAME_BYTES:
        # The suffix does not fit on the longest names; the hash stands for the whole.
        saved = f"{hashlib.sha256(name.encode()).hexdigest()}-{ONLY}"
    return f"{parent}/{FOLDER}/{saved}" if parent else f"{FOLDER}/{saved}"


def make_checkpoint(files: Files, path: str, *, room: int | None) -> FileEntry:
    """Copy a file to its checkpoint."""
    target = checkpoint_path(path)
    files.mkdir(target.rpartition("/")[0], exist_ok=True)
    return files.copy(path, target, room=room, overwrite=True)


def find_checkpoint(files: Files, path: str) -> FileEntry | None:
    """Return a file's checkpoint, if it has one."""
    try:
        entry = files.stat(checkpoint_path(path))
    except (FileMissingError, FileNotFolderError):
        return None
    return entry if entry.kind is FileKind.FILE else None


class HomeCheckpoints(AsyncCheckpoints):
    """Jupyter's checkpoints over a home's files."""

    @property
    def _services(self) -> ContentsServices:
        manager: Any = self.parent
        services: ContentsServices = manager.services
        return services

    @answered
    async def create_checkpoint(self, contents_mgr: Any, path: str) -> dict[str, Any]:  # noqa: ARG002
        """Keep the file as it is now."""
        services, path = self._services, clean_path(path)
        return _model(await services.run_in_pool(self._make, path))

    def _make(self, path: str) -> FileEntry:
        return make_checkpoint(self._services.files, path, room=self._services.room())

    @answered
    async def restore_checkpoint(self, contents_mgr: Any, checkpoint_id: str, path: str) -> None:  # noqa: ARG002
        """Put the kept file back in one step."""
        await self._services.run_in_pool(self._restore, checkpoint_id, clean_path(path))

    def _restore(self, checkpoint_id: str, path: str) -> None:
        self._require(checkpoint_id, path)
        self._services.files.copy(checkpoint_path(path), path, room=self._services.room(), overwrite=True)

    def _require(self, checkpoint_id: str, path: str) -> None:
        if checkpoint_id != ONLY or find_checkpoint(self._services.files, path) is None:
            raise FileMissingError(path=shown(path))

    @answered
    async def rename_checkpoint(self, checkpoint_id: str, old_path: str, new_path: str) -> None:  # noqa: ARG002
        """Let the checkpoint follow its file."""
        await self._services.run_in_pool(self._rename, clean_path(old_path), clean_path(new_path))

    def _rename(self, old_path: str, new_path: str) -> None:
        files, target = self._services.files, checkpoint_path(new_path)
        if find_checkpoint(files, old_path) is None:
            return
        files.mkdir(target.rpartition("/")[0], exist_ok=True)
        files.copy(checkpoint_path(old_path), target, overwrite=True)
        files.delete(checkpoint_path(old_path))

    @answered
    async def delete_checkpoint(self, checkpoint_id: str, path: str) -> None:
        """Forget the checkpoint."""
        await self._services.run_in_pool(self._delete, checkpoint_id, clean_path(path))

    def _delete(self, checkpoint_id: str, path: str) -> None:
        self._require(checkpoint_id, path)
        self._services.files.delete(checkpoint_path(path))

    @answered
    async def list_checkpoints(self, path: str) -> list[dict[str, Any]]:
        """Return the one checkpoint, or none."""
        services = self._services
        entry = await services.run_in_pool(find_checkpoint, services.files, clean_path(path))
        return [] if entry is None else [_model(entry)]


def _model(entry: FileEntry) -> dict[str, Any]:
    return {"id": ONLY, "last_modified": base_model(entry, "file")["last_modified"]}
