"""The reading half of the contents manager: a home and nothing else, and nothing on the event loop."""

import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from jupyter_server.services.contents.manager import AsyncContentsManager
from traitlets import Any as AnyTrait
from traitlets import Bool, Unicode, default

from jiqi.domain.files import FileError, FileKind, FileMissingError, shown
from jiqi.web.jupyter.contents_checkpoints import HomeCheckpoints
from jiqi.web.jupyter.contents_models import (
    Model,
    ReadRequest,
    base_model,
    clean_path,
    hidden,
    is_large,
    json_bytes,
    read_model,
    type_of,
)
from jiqi.web.jupyter.contents_problems import answered
from jiqi.web.jupyter.contents_services import ContentsServices, forget, spool_file
from jiqi.web.jupyter.contents_trust import notary_at
from jiqi.web.jupyter.contents_worker import read_into


class HomeReading(AsyncContentsManager):
    """The half of the contents manager that changes nothing.

    `services` is given, or taken from `parent.contents_services`.
    """

    services: ContentsServices = AnyTrait()  # type: ignore[assignment]
    # What clients show as the place of the files is the place inside the kernel's container.
    root_dir = Unicode("/home/jiqi")
    delete_to_trash = Bool(False)
    hash_algorithm = Unicode("sha256", config=True)

    @default("services")
    def _default_services(self) -> ContentsServices:
        app: Any = self.parent
        services: ContentsServices = app.contents_services
        return services

    @default("checkpoints_class")
    def _default_checkpoints_class(self) -> type:
        return HomeCheckpoints

    @default("notary")
    def _default_notary(self) -> Any:
        return notary_at(self.services.notary)

    def info_string(self) -> str:
        """Return the line that a server prints at its start."""
        return "Serving notebooks from a home"

    # Looking.

    async def _kind(self, path: str) -> FileKind | None:
        def look() -> FileKind | None:
            try:
                return self.services.files.stat(clean_path(path)).kind
            except FileMissingError:
                return None
            except FileError as error:
                if error.code in {"file.not_folder", "file.symlink"}:
                    return None
                raise

        return await self.services.run_in_pool(look)

    @answered
    async def dir_exists(self, path: str) -> bool:
        """Say whether a folder is there."""
        return await self._kind(path) is FileKind.FOLDER

    @answered
    async def file_exists(self, path: str) -> bool:
        """Say whether a regular file is there."""
        return await self._kind(path) is FileKind.FILE

    @answered
    async def exists(self, path: str) -> bool:
        """Say whether anything is there."""
        return await self._kind(path) is not None

    @answered
    async def is_hidden(self, path: str) -> bool:
        """Say whether a path is hidden."""
        return hidden(clean_path(path))

    async def get_kernel_path(self, path: str, model: Any = None) -> str:  # noqa: ARG002
        """Return the folder in which a document's kernel starts."""
        return path if await self.dir_exists(path) else path.rpartition("/")[0]

    async def resolve_path(self, path: str) -> str | None:
        """Return the API path of what a kernel calls `path`, if it is there."""
        inner = path.removeprefix("~/").removeprefix(f"{self.root_dir}/")
        with contextlib.suppress(Exception):
            return inner if await self.exists(inner) else None
        return None

    # Reading.

    def request(
        self, path: str, *, content: bool, kind: Any, text_format: Any, require_hash: bool
    ) -> ReadRequest:
        """Return what is asked for. Raises FileHiddenError."""
        path = clean_path(path)
        if not self.allow_hidden and hidden(path):
            # As if it were not there: that is what Jupyter answers.
            raise FileMissingError(path=shown(path))
        return ReadRequest(
            path=path,
            type=kind,
            format=text_format,
            content=bool(content),
            hash_algorithm=self.hash_algorithm if require_hash else None,
            limits=self.services.limits,
        )

    @answered
    async def get(
        self,
        path: str,
        content: bool = True,  # noqa: FBT001, FBT002
        type: Any = None,  # noqa: A002
        format: Any = None,  # noqa: A002
        require_hash: bool = False,  # noqa: FBT001, FBT002
    ) -> Model:
        """Return a model. Large content goes through a worker and comes back as JSON: see `get_json`."""
        request = self.request(
            path, content=content, kind=type, text_format=format, require_hash=require_hash
        )
        async with self._json(request) as answer:
            if isinstance(answer, Path):
                return await self.services.run_in_pool(_model_from, answer)
        return answer

    @contextlib.asynccontextmanager
    async def get_json(
        self,
        path: str,
        *,
        content: bool = True,
        type: Any = None,  # noqa: A002
        format: Any = None,  # noqa: A002
        require_hash: bool = False,
    ) -> AsyncIterator[tuple[Model, bytes | Path]]:
        """Give a model without its content and the whole model's JSON: bytes, or for large content a file.

        The file is gone after the `async with`. Nothing of a large notebook is ever in this process.
        """
        request = self.request(
            path, content=content, kind=type, text_format=format, require_hash=require_hash
        )
        async with self._json(request) as answer:
            if isinstance(answer, Path):
                entry = await self.services.run_in_pool(self.services.files.stat, request.path)
                yield base_model(entry, type_of(entry, request.type)), answer
            else:
                yield answer, await self.services.run_in_pool(json_bytes, answer)

    @contextlib.asynccontextmanager
    async def _json(self, request: ReadRequest) -> AsyncIterator[Model | Path]:
        services = self.services

        def small() -> Model | None:
            if is_large(services.files.stat(request.path), request):
                return None
            return read_model(services.files, request, services.notary)

        model = await services.run_in_pool(small)
        self.emit(data={"action": "get", "path": request.path})
        if model is not None:
            yield model
            return
        spooled = await services.run_in_pool(spool_file, services.spool)
        try:
            await services.parsing.run(read_into, services.files, request, services.notary, target=spooled)
            yield spooled
        finally:
            await services.run_in_pool(forget, spooled)


def _model_from(spooled: Path) -> Model:
    model: Model = json.loads(spooled.read_bytes())
    return model
