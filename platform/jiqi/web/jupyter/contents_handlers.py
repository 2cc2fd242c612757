"""jupyter_server's contents routes, with large bodies kept off the event loop and errors in the reader's language."""

import contextlib
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import path_regex
from jupyter_server.services.contents import handlers as stock
from tornado import web
from tornado.iostream import StreamClosedError

from jiqi.domain.errors import BadInputError
from jiqi.domain.files import FileHiddenError, FileTooLargeError, shown
from jiqi.web.jupyter.contents import HomeContents
from jiqi.web.jupyter.contents_body import SpooledBody
from jiqi.web.jupyter.contents_files import PIECE
from jiqi.web.jupyter.contents_models import Model, hidden
from jiqi.web.jupyter.contents_problems import ProblemReplies
from jiqi.web.jupyter.contents_saving import json_object

_TYPES: Final = {"directory", "file", "notebook"}


@web.stream_request_body
class ContentsHandler(ProblemReplies, stock.ContentsHandler):  # type: ignore[misc]
    """`api/contents/<path>`."""

    _body: SpooledBody | None = None

    @property
    def home(self) -> HomeContents:
        """The contents manager of this application."""
        manager: Any = self.contents_manager
        home: HomeContents = manager
        return home

    async def prepare(self) -> None:  # type: ignore[override]
        """Let only a known person send a body, and only as much as may be kept."""
        await super().prepare()
        if self._finished:
            return
        services = self.home.services
        connection: Any = self.request.connection
        connection.set_max_body_size(services.limits.body)
        self._body = SpooledBody(services, in_memory=services.limits.parsed_here)

    async def data_received(self, chunk: bytes) -> None:
        """Take a piece of the body; waiting here makes the client wait."""
        if self._body is not None:
            await self._body.add(chunk)

    def on_finish(self) -> None:
        """Forget the body."""
        super().on_finish()
        if self._body is not None:
            self._body.forget()

    def on_connection_close(self) -> None:
        """Forget a body that was cut off."""
        super().on_connection_close()
        if self._body is not None:
            self._body.forget()

    def get_json_body(self) -> Model | None:
        """Return a small body, for the stock POST and PATCH. Raises BadInputError, FileTooLargeError."""
        if self._body is None or self._body.size == 0:
            return None
        if self._body.file is not None:
            raise FileTooLargeError(path="", limit=self._body.in_memory)
        return json_object(bytes(self._body.memory))

    @web.authenticated
    @authorized
    async def get(self, path: str = "") -> None:
        """Answer with a model; a large one is streamed from the file where a worker process left it."""
        kind = self.get_query_argument("type", None)
        text_format = self.get_query_argument("format", None)
        content = self.get_query_argument("content", "1")
        require_hash = self.get_query_argument("hash", "0")
        for name, value, allowed in (
            ("format", text_format, {None, "text", "base64"}),
            ("content", content, {"0", "1"}),
            ("hash", require_hash, {"0", "1"}),
        ):
            if value not in allowed:
                raise BadInputError(where=name)
        answer = self.home.get_json(
            path,
            content=content == "1",
            type=kind if kind in _TYPES or kind is None else "file",
            format=text_format,
            require_hash=require_hash == "1",
        )
        async with answer as (model, body):
            self.set_header("Last-Modified", model["last_modified"])
            self.set_header("Content-Type", "application/json")
            if isinstance(body, Path):
                await self._stream(body)
            else:
                await self.finish(body)

    async def _stream(self, file: Path) -> None:
        run: Any = self.home.services.run_in_pool
        opened = await run(file.open, "rb")
        try:
            self.set_header("Content-Length", str((await run(file.stat)).st_size))
            with contextlib.suppress(StreamClosedError):
                while piece := await run(opened.read, PIECE):
                    self.write(piece)
                    await self.flush()
                await self.finish()
        finally:
            opened.close()

    @web.authenticated
    @authorized
    async def put(self, path: str = "") -> None:
        """Save; without a body make an untitled entry in a folder."""
        body, manager = self._body, self.home
        if body is None or body.size == 0:
            await self._new_untitled(path)
            return
        if hidden(path.strip("/")):
            raise FileHiddenError(path=shown(path))
        existed = await manager.file_exists(path)
        if body.file is not None:
            await body.close()
            model = await manager.save_spooled(body.file, path)
        else:
            model = await manager.services.run_in_pool(json_object, bytes(body.memory))
            if model.get("copy_from"):
                raise BadInputError(where="copy_from")
            if model.get("type") not in _TYPES and model.get("type"):
                model["type"] = "file"
            model = await (manager.save(model, path) if existed else manager.new(model, path))
        if not existed:
            self.set_status(HTTPStatus.CREATED)
        stock.validate_model(model)
        self._finish_model(model)


class CheckpointsHandler(ProblemReplies, stock.CheckpointsHandler):  # type: ignore[misc]
    """`api/contents/<path>/checkpoints`."""


class ModifyCheckpointsHandler(ProblemReplies, stock.ModifyCheckpointsHandler):  # type: ignore[misc]
    """`api/contents/<path>/checkpoints/<id>`."""


class TrustHandler(ProblemReplies, stock.TrustNotebooksHandler):  # type: ignore[misc]
    """`api/contents/<path>/trust`."""


contents_routes: Final[list[tuple[str, type[web.RequestHandler]]]] = [
    (rf"/api/contents{path_regex}/checkpoints", CheckpointsHandler),
    (rf"/api/contents{path_regex}/checkpoints/(?P<checkpoint_id>[\w-]+)", ModifyCheckpointsHandler),
    (rf"/api/contents{path_regex}/trust", TrustHandler),
    (rf"/api/contents{path_regex}", ContentsHandler),
]
