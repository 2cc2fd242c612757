"""Files of the built frontend: compressed at build, kept by browsers for ever where the name holds a hash."""

import errno
import mimetypes
import re
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tornado import web

from jiqi.web.handlers import Handler

# Vite writes `name-<hash of 8>.js`: another content has another name.
_HASHED: Final = re.compile(r"-[A-Za-z0-9_-]{8}\.[a-z0-9]+\Z")
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/@+-]*\Z")
_KEPT_BYTES: Final = 96 * 1024 * 1024
_ENCODINGS: Final = (("br", ".br"), ("gzip", ".gz"))
_TYPES: Final = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".map": "application/json",
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file's bytes as they are sent."""

    body: bytes
    encoding: str | None
    changed: int


class StaticFiles:
    """Reads files beneath one folder and keeps the last 96 MB of them in memory; called in threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kept: OrderedDict[tuple[str, str], StaticFile] = OrderedDict()
        self._size = 0

    def read(self, name: str, *, accepted: str) -> StaticFile | None:
        """Return the file in the best encoding that the browser takes, None when there is none."""
        if not _NAME.match(name) or ".." in name or name.endswith((".html", ".br", ".gz")):
            return None
        for encoding, suffix in _ENCODINGS:
            if encoding in accepted:
                found = self._read(name, suffix, encoding)
                if found is not None:
                    return found
        return self._read(name, "", None)

    def _read(self, name: str, suffix: str, encoding: str | None) -> StaticFile | None:
        path = self._folder / (name + suffix)
        try:
            changed = path.stat().st_mtime_ns
            kept = self._kept.get((name, suffix))
            if kept is not None and kept.changed == changed:
                return kept
            found = StaticFile(path.read_bytes(), encoding, changed)
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            return None
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return None
            raise
        self._kept[name, suffix] = found
        self._size += len(found.body) - (len(kept.body) if kept is not None else 0)
        while self._size > _KEPT_BYTES:
            _, old = self._kept.popitem(last=False)
            self._size -= len(old.body)
        return found


class StaticHandler(Handler):
    """`/static/app/<name>` on both origins."""

    def initialize(self, *, files: StaticFiles) -> None:  # type: ignore[override]
        """Take the folder."""
        super().initialize()
        self._files = files

    async def get(self, name: str) -> None:
        """Answer with the file."""
        accepted = self.request.headers.get("Accept-Encoding", "")
        found = await self.state.pool.run(self._files.read, name, accepted=accepted)
        if found is None:
            raise web.HTTPError(404)
        suffix = Path(name).suffix
        kind = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        text = kind.startswith("text/") or suffix in {".svg", ".json", ".map"}
        self.set_header("Content-Type", f"{kind}; charset=utf-8" if text else kind)
        self.set_header("Vary", "Accept-Encoding")
        self.set_header("Cross-Origin-Resource-Policy", "cross-origin")
        hashed = _HASHED.search(name) is not None
        self.set_header("Cache-Control", "public, max-age=31536000, immutable" if hashed else "no-cache")
        if found.encoding is not None:
            self.set_header("Content-Encoding", found.encoding)
        self.finish(found.body)

    head = get
