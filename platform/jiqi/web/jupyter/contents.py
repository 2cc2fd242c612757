"""The contents manager of one user's Jupyter application: new, save, rename, delete, copy and trust over his home."""

from pathlib import Path
from typing import Any

from nbformat.v4 import new_notebook
from traitlets import default

from jiqi.domain.files import FileHiddenError, FileMissingError, FileNotRegularError, shown
from jiqi.web.jupyter import contents_saving as saving
from jiqi.web.jupyter.contents_checkpoints import find_checkpoint, make_checkpoint
from jiqi.web.jupyter.contents_files import HomeFilesHandler
from jiqi.web.jupyter.contents_models import Model, base_model, clean_path, hidden, type_of
from jiqi.web.jupyter.contents_problems import answered
from jiqi.web.jupyter.contents_reading import HomeReading


class HomeContents(HomeReading):
    """Jupyter's contents over a home. Models are plain dicts as jupyter_server defines them."""

    @default("files_handler_class")
    def _default_files_handler(self) -> type:
        return HomeFilesHandler

    def _visible(self, path: str) -> str:
        """Return the path without slashes around it. Raises FileHiddenError."""
        path = clean_path(path)
        if not self.allow_hidden and hidden(path):
            raise FileHiddenError(path=shown(path))
        return path

    @answered
    async def save(self, model: Model, path: str = "") -> Model:  # type: ignore[override]
        """Save a model that is in memory already."""
        path = self._visible(path)
        self.run_pre_save_hooks(model=model, path=path)

        def work() -> Model:
            return self._kept(saving.save_model(self.services.context(), model, path))

        saved = await self.services.run_in_pool(work)
        self.emit(data={"action": "save", "path": path})
        return saved

    @answered
    async def save_spooled(self, spooled: Path, path: str) -> Model:
        """Save a model whose JSON lies in a file, in a worker process."""
        path = self._visible(path)
        context = await self.services.run_in_pool(self.services.context)
        saved = await self.services.parsing.run(saving.save_spooled, context, spooled, path)
        saved = await self.services.run_in_pool(self._kept, saved)
        self.emit(data={"action": "save", "path": path})
        return saved

    def _kept(self, saved: Model) -> Model:
        """Give a notebook its first checkpoint."""
        files, path = self.services.files, saved["path"]
        if saved["type"] == "notebook" and find_checkpoint(files, path) is None:
            make_checkpoint(files, path, room=self.services.room())
        return saved

    @answered
    async def new(self, model: Model | None = None, path: str = "") -> Model:
        """Make the entry that `model` describes, empty where it has no content."""
        model = dict(model or {})
        model.setdefault("type", "notebook" if path.endswith(".ipynb") else "file")
        if "content" not in model and model["type"] != "directory":
            notebook = model["type"] == "notebook"
            model["content"] = new_notebook() if notebook else ""
            model["format"] = "json" if notebook else "text"
        return await self.save(model, path)

    @answered
    async def new_untitled(self, path: str = "", type: str = "", ext: str = "") -> Model:  # noqa: A002
        """Make an empty entry under the first free name."""
        folder = self._visible(path)
        kind = type or ("notebook" if ext == ".ipynb" else "file")
        stem = {"directory": self.untitled_directory, "notebook": self.untitled_notebook}.get(
            kind, self.untitled_file
        )
        ending = {"directory": "", "notebook": ".ipynb"}.get(kind, ext)
        self._visible(stem + ending)
        insert = " " if kind == "directory" else ""

        def work() -> Model:
            context = self.services.context()
            made = saving.make_untitled(context, folder, kind=kind, stem=stem, ending=ending, insert=insert)
            return self._kept(made)

        made = await self.services.run_in_pool(work)
        self.emit(data={"action": "create", "path": made["path"]})
        return made

    @answered
    async def copy(self, from_path: str, to_path: str | None = None) -> Model:
        """Copy a file or folder into a folder under a free name, or to an exact path."""
        source = self._visible(from_path)
        target = None if to_path is None else self._visible(to_path)

        def work() -> Model:
            return saving.copy_entry(self.services.context(), source, target)

        made = await self.services.run_in_pool(work)
        self.emit(data={"action": "copy", "path": made["path"], "source_path": from_path})
        return made

    @answered
    async def rename_file(self, old_path: str, new_path: str) -> None:
        """Move within the home, never over something."""
        old_path, new_path = self._visible(old_path), self._visible(new_path)
        await self.services.run_in_pool(self.services.files.rename, old_path, new_path)

    @answered
    async def update(self, model: Model, path: str) -> Model:
        """Rename: the only change a PATCH makes."""
        path = clean_path(path)
        new_path = model.get("path", path)
        if not isinstance(new_path, str):
            raise FileMissingError(path=shown(path))
        new_path = clean_path(new_path)
        if path != new_path:
            await self.rename(path, new_path)
        entry = await self.services.run_in_pool(self.services.files.stat, new_path)
        return base_model(entry, type_of(entry, None))

    @answered
    async def delete_file(self, path: str) -> None:
        """Remove a file or a folder with all beneath it."""
        path = self._visible(path)
        if not path:
            raise FileNotRegularError(path="")
        await self.services.run_in_pool(self.services.files.delete, path)

    @answered
    async def trust_notebook(self, path: str) -> None:
        """Sign a notebook as it lies on the disk."""
        path = self._visible(path)
        context = await self.services.run_in_pool(self.services.context)
        await self.services.parsing.run(saving.trust, context, path)

    def check_and_sign(self, nb: Any, path: str = "", **_options: Any) -> None:
        """Do nothing: signing belongs to `save`, which knows whether the file is new."""
