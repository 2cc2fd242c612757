"""The body of a request as it arrives: in memory while it is small, else in a file of the server's own."""

from pathlib import Path
from typing import BinaryIO, Final

from jiqi.web.jupyter.contents_services import ContentsServices, forget, spool_file

_PIECE: Final = 1024 * 1024


class SpooledBody:
    """Add pieces as they come; `memory` holds a small body, `file` a large one once `close` was awaited."""

    def __init__(self, services: ContentsServices, *, in_memory: int) -> None:
        """Hold nothing yet; more than `in_memory` bytes go to a file."""
        self._services = services
        self.in_memory = in_memory
        self.memory = bytearray()
        self.size = 0
        self.file: Path | None = None
        self._opened: BinaryIO | None = None
        self._forgotten = False

    async def add(self, piece: bytes) -> None:
        """Take one piece; a full disk raises DiskFullError."""
        self.memory += piece
        self.size += len(piece)
        if self._opened is None and self.size > self.in_memory:
            await self._services.run_in_pool(self._open)
        if self._opened is not None and len(self.memory) >= _PIECE:
            await self._services.run_in_pool(self._write)

    async def close(self) -> None:
        """Write what is left of a large body."""
        await self._services.run_in_pool(self._finish)

    def _open(self) -> None:
        self.file = spool_file(self._services.spool)
        self._opened = self.file.open("wb", buffering=0)

    def _write(self) -> None:
        data, self.memory = self.memory, bytearray()
        view = memoryview(data)
        while view and self._opened is not None:
            view = view[self._opened.write(view) or 0 :]

    def _finish(self) -> None:
        self._write()
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def forget(self) -> None:
        """Leave nothing behind; an unlink is short enough for the loop."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None
        if self.file is not None:
            forget(self.file)
        self.memory = bytearray()
