"""Upload of one file as the raw body of a PUT: streamed to a temporary name, put in place when it is whole.

Memory is one megabyte per upload: while a piece is being written the connection is not read, so a fast client waits
for a slow disk. Length and quota are looked at before the first byte and again as bytes arrive.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from tornado import httputil, web

from jiqi.domain.errors import JiqiError
from jiqi.domain.files import (
    DiskQuotaError,
    FileEntry,
    FileHiddenError,
    FileTooLargeError,
    UploadIncompleteError,
    is_hidden,
    parse_path,
    shown,
)
from jiqi.services.ports_files import Files, FileWriter
from jiqi.web.running import RunInPool

UPLOAD_BYTES: Final = 2 * 1024**3
PIECE: Final = 1024 * 1024
# A client that sends nothing for this long is gone.
STALL_SECONDS: Final = 60.0
# After a refusal a client still sends: what it has on the way is taken, so that it can read the answer.
DRAIN_BYTES: Final = 16 * 1024 * 1024
DRAIN_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadTarget:
    """Where an upload goes: `path` beneath the home, `room` in bytes (None: no limit)."""

    files: Files
    path: str
    room: int | None
    limit: int = UPLOAD_BYTES
    overwrite: bool = True
    make_folders: bool = False


class StreamedUpload:
    """One upload, fed piece by piece; every method is awaited on the loop and works in the pool."""

    def __init__(self, target: UploadTarget, *, run_in_pool: RunInPool, length: int | None) -> None:
        """`length` is the announced Content-Length."""
        self._target, self._run, self._length = target, run_in_pool, length
        self._writer: FileWriter | None = None
        self._waiting = bytearray()
        self.received = 0

    async def begin(self) -> None:
        """Look at length, quota and path before a byte is taken, and open the temporary file."""
        target = self._target
        if is_hidden(parse_path(target.path)):
            raise FileHiddenError(path=shown(target.path))
        if self._length is not None and self._length > target.limit:
            raise FileTooLargeError(path=shown(target.path), limit=target.limit)
        self._writer = await self._run(self._open)

    def _open(self) -> FileWriter:
        target = self._target
        if target.room is not None and self._length is not None and self._length > target.room:
            # What is replaced makes room.
            room = target.room + _size(target)
            if self._length > room:
                raise DiskQuotaError(path=shown(target.path), room=max(0, room))
        parent = target.path.rpartition("/")[0]
        if target.make_folders and parent:
            target.files.mkdir(parent, parents=True, exist_ok=True)
        return target.files.writer(
            target.path, limit=target.limit, room=target.room, overwrite=target.overwrite
        )

    async def add(self, piece: bytes) -> None:
        """Take one piece; waiting for this is the back-pressure."""
        self.received += len(piece)
        self._waiting += piece
        if len(self._waiting) >= PIECE:
            await self._flush()

    async def _flush(self) -> None:
        if self._writer is not None and self._waiting:
            data, self._waiting = bytes(self._waiting), bytearray()
            await self._run(self._writer.write, data)

    async def finish(self) -> FileEntry:
        """Put the file in place."""
        if self._writer is None or (self._length is not None and self.received != self._length):
            await self.abort()
            raise UploadIncompleteError(path=shown(self._target.path))
        await self._flush()
        entry: FileEntry = await self._run(self._writer.commit)
        return entry

    async def abort(self) -> None:
        """Leave nothing behind; harmless after `finish`."""
        self._waiting = bytearray()
        if self._writer is not None:
            await self._run(self._writer.abort)


def _size(target: UploadTarget) -> int:
    try:
        return target.files.stat(target.path).size
    except JiqiError:
        return 0


@web.stream_request_body
class UploadHandler(web.RequestHandler):
    """`PUT …/files/<path>`. A subclass (see `upload_handler`) brings authentication and error replies.

    `If-None-Match: *` refuses to replace a file; `?folders=1` makes missing folders.
    """

    _upload: StreamedUpload | None = None
    _refusal: JiqiError | None = None
    _stall: asyncio.TimerHandle | None = None
    _drained = 0

    async def upload_target(self, *path_args: str) -> UploadTarget:
        """Return where the bytes go, after who asks is known."""
        raise NotImplementedError

    def pool(self) -> RunInPool:
        """Return how to run what blocks."""
        raise NotImplementedError

    async def prepare(self) -> None:
        """Refuse before the body is read what can be refused."""
        await _awaited(super().prepare())
        if self._finished or self.request.method != "PUT":
            return
        length = content_length(self.request.headers)
        connection: Any = self.request.connection
        try:
            target = await self.upload_target(*self.path_args)
            # The limit is ours to tell by its code; tornado would close the connection without a word.
            connection.set_max_body_size(max(target.limit, length or 0) + DRAIN_BYTES)
            self._upload = StreamedUpload(target, run_in_pool=self.pool(), length=length)
            await self._upload.begin()
        except JiqiError as error:
            if self.request.headers.get("Expect", "").lower() == "100-continue":
                # Nothing was sent yet, so the answer can be given at once.
                raise
            self._refuse(error)
        self._watch()

    async def data_received(self, chunk: bytes) -> None:
        """Take a piece, or let it go by when the upload was refused."""
        self._watch()
        if self._refusal is None and self._upload is not None:
            try:
                await self._upload.add(chunk)
            except JiqiError as error:
                self._refuse(error)
                await self._upload.abort()
            return
        self._drained += len(chunk)
        if self._drained > DRAIN_BYTES and not self._finished:
            self._answer_refusal()

    def _refuse(self, error: JiqiError) -> None:
        self._refusal = error
        loop = asyncio.get_running_loop()
        loop.call_later(DRAIN_SECONDS, self._answer_refusal)

    def _answer_refusal(self) -> None:
        """Answer while the client still sends; tornado then closes the connection."""
        if not self._finished and self._refusal is not None:
            try:
                raise self._refusal
            except JiqiError as error:
                self._handle_request_exception(error)

    def _watch(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
        self._stall = asyncio.get_running_loop().call_later(STALL_SECONDS, self._hang_up)

    def _hang_up(self) -> None:
        connection: Any = self.request.connection
        if not self._finished and connection is not None and connection.stream is not None:
            connection.stream.close()

    async def put(self, *_path_args: str) -> None:
        """Put the whole file in place and answer with it."""
        if self._stall is not None:
            self._stall.cancel()
        if self._refusal is not None or self._upload is None:
            raise self._refusal or UploadIncompleteError(path="")
        entry = await self._upload.finish()
        self.set_status(201)
        modified = datetime.fromtimestamp(entry.modified, UTC).isoformat().replace("+00:00", "Z")
        self.write({"name": entry.name, "path": entry.path, "size": entry.size, "modified": modified})

    def on_finish(self) -> None:
        """Give up what was not put in place."""
        super().on_finish()
        self._give_up()

    def on_connection_close(self) -> None:
        """Give up an upload that was cut off."""
        super().on_connection_close()
        self._give_up()

    def _give_up(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
        if self._upload is not None:
            # Kept by the loop until it is done: the writer's lock lets a write that is on its way end first.
            task = asyncio.ensure_future(self._upload.abort())
            _ending.add(task)
            task.add_done_callback(_ending.discard)


_ending: set[asyncio.Future[None]] = set()


async def _awaited(result: Awaitable[None] | None) -> None:
    if result is not None:
        await result


def content_length(headers: httputil.HTTPHeaders) -> int | None:
    """Return the announced length of a body; None for a chunked one."""
    text = headers.get("Content-Length", "")
    return int(text) if text.isdecimal() else None


TargetOf = Callable[[web.RequestHandler, str, str], Awaitable[UploadTarget]]


def upload_handler(
    base: type[web.RequestHandler], *, target_of: TargetOf, run_in_pool: RunInPool
) -> type[web.RequestHandler]:
    """Return a handler for `…/projects/<project>/files/<path>`.

    `base` authenticates in `prepare` and turns JiqiError into problems; `target_of(handler, project, path)` finds
    the home and the room, and raises what `base` can tell.
    """

    class WiredUpload(UploadHandler, base):  # type: ignore[misc, valid-type]
        async def upload_target(self, *path_args: str) -> UploadTarget:
            project, path = path_args
            return await target_of(self, project, path)

        def pool(self) -> RunInPool:
            return run_in_pool

    return WiredUpload
