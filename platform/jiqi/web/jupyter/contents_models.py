"""Jupyter's contents models, built from a home's files; plain functions for the pool's threads and the worker process."""

import base64
import binascii
import hashlib
import json
import mimetypes
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from jiqi.domain.files import (
    FileEncodingError,
    FileEntry,
    FileIsFolderError,
    FileKind,
    FileNotFolderError,
    is_hidden,
    parse_path,
    shown,
)
from jiqi.services.ports_files import Files
from jiqi.web.jupyter.contents_notebooks import parse_notebook
from jiqi.web.jupyter.contents_trust import NotaryPlace, mark_trust

ModelType = Literal["notebook", "file", "directory"]
Model = dict[str, Any]

_NOTEBOOK_MIME: Final = "application/x-ipynb+json"
_HIDDEN_IN_LISTS: Final = ("__pycache__", ".DS_Store")
_HIDDEN_ENDINGS: Final = (".pyc", ".pyo", "~")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentsLimits:
    """Bytes. Over `parsed_here` a worker process parses; over `notebook` or `file` only a download is left."""

    parsed_here: int = 4 * 1024 * 1024
    notebook: int = 200 * 1024 * 1024
    file: int = 50 * 1024 * 1024
    body: int = 400 * 1024 * 1024
    upload: int = 2 * 1024 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRequest:
    """What a GET asks for."""

    path: str
    type: ModelType | None = None
    format: Literal["text", "base64"] | None = None
    content: bool = True
    hash_algorithm: str | None = None
    limits: ContentsLimits = field(default_factory=ContentsLimits)


def clean_path(path: str) -> str:
    """Return an API path without the slashes around it, as every Jupyter client may send them."""
    return path.strip("/")


def hidden(path: str) -> bool:
    """Say whether a path is hidden. Raises the errors of `parse_path`."""
    return is_hidden(parse_path(path))


def type_of(entry: FileEntry, asked: ModelType | None) -> ModelType:
    """Return what an entry is served as. Raises FileIsFolderError, FileNotFolderError."""
    if entry.kind is FileKind.FOLDER:
        if asked in {"notebook", "file"}:
            raise FileIsFolderError(path=shown(entry.path))
        return "directory"
    if asked == "directory":
        raise FileNotFolderError(path=shown(entry.path))
    return asked or ("notebook" if entry.name.endswith(".ipynb") else "file")


def base_model(entry: FileEntry, kind: ModelType) -> Model:
    """Return a model without content."""
    mime = mimetypes.guess_type(entry.name)[0] if kind == "file" else None
    return {
        "name": entry.name,
        "path": entry.path,
        "type": kind,
        "last_modified": _moment(entry.modified),
        "created": _moment(entry.created),
        "content": None,
        "format": None,
        "mimetype": "inode/symlink" if entry.kind is FileKind.SYMLINK else mime,
        "size": None if kind == "directory" else entry.size,
        "writable": entry.writable,
        "hash": None,
        "hash_algorithm": None,
    }


def _moment(seconds: float) -> datetime:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        # Any program can give a file an impossible time.
        return datetime.fromtimestamp(0, UTC)


def is_large(entry: FileEntry, request: ReadRequest) -> bool:
    """Say whether a worker process must read it, so that no thread holds the interpreter for long."""
    return request.content and entry.kind is FileKind.FILE and entry.size > request.limits.parsed_here


def read_model(files: Files, request: ReadRequest, place: NotaryPlace) -> Model:
    """Return the model that a GET asks for, of whatever size the limits allow."""
    entry = files.stat(request.path)
    kind = type_of(entry, request.type)
    if kind == "directory":
        return _folder_model(files, entry, content=request.content)
    if not request.content:
        model = base_model(entry, kind)
        if request.hash_algorithm:
            digest = files.hash(request.path, algorithm=request.hash_algorithm)
            model.update(hash=digest, hash_algorithm=request.hash_algorithm)
        return model
    limit = request.limits.notebook if kind == "notebook" else request.limits.file
    entry, data = files.read(request.path, limit=limit)
    model = base_model(entry, kind)
    if request.hash_algorithm:
        digest = hashlib.new(request.hash_algorithm, data).hexdigest()
        model.update(hash=digest, hash_algorithm=request.hash_algorithm)
    if kind == "notebook":
        notebook, message = parse_notebook(data, path=request.path)
        mark_trust(notebook, place)
        model.update(content=notebook, format="json")
        if message:
            model["message"] = message
        return model
    content, text_format = _decoded(data, request)
    model.update(content=content, format=text_format)
    model["mimetype"] = model["mimetype"] or (
        "text/plain" if text_format == "text" else "application/octet-stream"
    )
    return model


def _folder_model(files: Files, entry: FileEntry, *, content: bool) -> Model:
    model = base_model(entry, "directory")
    if content:
        listing = files.entries(entry.path)
        model["format"] = "json"
        model["content"] = [
            base_model(e, type_of(e, None))
            for e in listing.entries
            if e.kind is not FileKind.OTHER and listed(e.name)
        ]
        if listing.truncated:
            model["truncated"] = True
    return model


def listed(name: str) -> bool:
    """Say whether a name shows in lists."""
    return not (name.startswith(".") or name in _HIDDEN_IN_LISTS or name.endswith(_HIDDEN_ENDINGS))


def _decoded(data: bytes, request: ReadRequest) -> tuple[str, str]:
    if request.format != "base64":
        try:
            return data.decode(), "text"
        except UnicodeDecodeError as error:
            if request.format == "text":
                raise FileEncodingError(path=shown(request.path)) from error
    return base64.encodebytes(data).decode("ascii"), "base64"


def encoded(model: Model, *, path: str) -> bytes:
    """Return the bytes of a file that a client sends. Raises FileEncodingError."""
    content, text_format = model.get("content"), model.get("format")
    if not isinstance(content, str) or text_format not in {"text", "base64"}:
        raise FileEncodingError(path=shown(path))
    try:
        return content.encode() if text_format == "text" else base64.b64decode(content)
    except (UnicodeEncodeError, binascii.Error, ValueError) as error:
        raise FileEncodingError(path=shown(path)) from error


def json_bytes(model: object) -> bytes:
    """Return a model as JSON, times as Jupyter writes them; a lone surrogate stays an escape."""
    return json.dumps(model, default=_plain).encode("ascii")


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    raise TypeError(type(value).__name__)


def write_json(model: Model, target: Path) -> None:
    """Write a model's JSON where another process reads it."""
    target.write_bytes(json_bytes(model))
