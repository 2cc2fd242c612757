"""Download a file of the home, streamed in pieces from the pool and confined in the browser."""

import mimetypes
import re
import unicodedata
from typing import Any, Final
from urllib.parse import quote

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import JupyterHandler
from tornado import web
from tornado.iostream import StreamClosedError

from jiqi.domain.files import FileEntry, FileMissingError, shown
from jiqi.services.ports_files import OpenFile
from jiqi.web.jupyter.contents_models import clean_path, hidden
from jiqi.web.jupyter.contents_problems import ProblemReplies
from jiqi.web.jupyter.contents_services import ContentsServices

PIECE: Final = 1024 * 1024
_RANGE: Final = re.compile(r"bytes=(\d*)-(\d*)\Z")
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9 ._()+-]")


def content_disposition(name: str, *, kind: str) -> str:
    """Return the header for a file name: RFC 6266, with RFC 5987 for what is not plain ASCII.

    The fallback keeps only characters that no client can misread; clients of this century take the second form.
    """
    plain = _UNSAFE.sub("_", unicodedata.normalize("NFKD", name).encode("ascii", "replace").decode())
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def content_type(name: str) -> str:
    """Return the type of a file by its name; text is taken as UTF-8."""
    if name.lower().endswith(".ipynb"):
        return "application/x-ipynb+json"
    mime, encoding = mimetypes.guess_type(name)
    if encoding == "gzip":
        return "application/gzip"
    if encoding is not None or mime is None:
        return "application/octet-stream"
    return f"{mime}; charset=UTF-8" if mime.startswith("text/") else mime


def byte_range(header: str | None, size: int) -> tuple[int, int] | None:
    """Return (first, after the last) of a single range; None for the whole file. Raises ValueError when outside."""
    match = _RANGE.match(header or "")
    if match is None or match[1] == match[2] == "":
        return None
    if match[1] == "":
        first, last = max(0, size - int(match[2])), size
    else:
        first = int(match[1])
        last = min(size, int(match[2]) + 1) if match[2] else size
    if first >= last:
        raise ValueError(header)
    return first, last


class HomeFilesHandler(ProblemReplies, JupyterHandler):  # type: ignore[misc]
    """`files/<path>`: what the contents manager's home holds, with `?download=1` as an attachment."""

    auth_resource = "contents"
    pages = True

    @property
    def _services(self) -> ContentsServices:
        manager: Any = self.contents_manager
        services: ContentsServices = manager.services
        return services

    @property
    def content_security_policy(self) -> str:
        """Confine scripts of a page that a person made to an origin of its own."""
        return str(super().content_security_policy) + "; sandbox allow-scripts"

    @web.authenticated
    @authorized
    async def head(self, path: str) -> None:
        """Answer as `get` does, without the body."""
        await self._serve(path, body=False)

    @web.authenticated
    @authorized
    async def get(self, path: str) -> None:
        """Stream the file, or one range of it."""
        await self._serve(path, body=True)

    async def _serve(self, path: str, *, body: bool) -> None:
        # A page of another site must not include these files; browsers say where a request comes from.
        if self.request.headers.get("Sec-Fetch-Site") not in {"same-origin", "none"}:
            self.check_xsrf_cookie()
        services, path = self._services, clean_path(path)
        # A file of a person must not become a service worker, which outlives the page and every login.
        if hidden(path) or "Service-Worker" in self.request.headers:
            raise FileMissingError(path=shown(path))
        file: OpenFile = await services.run_in_pool(services.files.open, path)
        try:
            part = self._describe(file.entry)
            if part is not None and body:
                await self._stream(file, *part)
        finally:
            file.close()

    def _describe(self, entry: FileEntry) -> tuple[int, int] | None:
        """Set the headers; return which bytes to send, or None for an answer without a body."""
        attachment = bool(self.get_query_argument("download", ""))
        self.set_header("Content-Type", content_type(entry.name))
        kind = "attachment" if attachment else "inline"
        self.set_header("Content-Disposition", content_disposition(entry.name, kind=kind))
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")
        self.set_header("Cache-Control", "private, no-cache")
        self.set_header("Accept-Ranges", "bytes")
        etag = f'"{entry.version}"'
        self.set_header("Etag", etag)
        if self.request.headers.get("If-None-Match") == etag:
            self.set_status(304)
            return None
        asked = self.request.headers.get("Range")
        if self.request.headers.get("If-Range", etag) != etag:
            asked = None
        try:
            part = byte_range(asked, entry.size)
        except ValueError:
            self.set_status(416)
            self.set_header("Content-Range", f"bytes */{entry.size}")
            return None
        if part is not None:
            self.set_status(206)
            self.set_header("Content-Range", f"bytes {part[0]}-{part[1] - 1}/{entry.size}")
        first, last = part or (0, entry.size)
        self.set_header("Content-Length", str(last - first))
        return first, last

    async def _stream(self, file: OpenFile, first: int, last: int) -> None:
        run = self._services.run_in_pool
        offset = first
        try:
            while offset < last:
                piece = await run(file.read_at, offset, min(PIECE, last - offset))
                if not piece:
                    # The file became shorter: the announced length cannot be kept, so the client must see a break.
                    connection: Any = self.request.connection
                    connection.stream.close()
                    return
                offset += len(piece)
                self.write(piece)
                await self.flush()
        except StreamClosedError:
            return

    def compute_etag(self) -> None:
        """Keep the tag of `_describe`: the body is never in memory to be hashed."""
