"""What a PUT of a contents model does to the disk; plain functions for the pool's threads and the worker process."""

import contextlib
import itertools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat.v4 import new_notebook

from jiqi.domain.errors import BadInputError
from jiqi.domain.files import (
    FileKind,
    FileMissingError,
    FileNotFolderError,
    FileTakenError,
    FileTooLargeError,
    shown,
)
from jiqi.services.ports_files import Files
from jiqi.web.jupyter.contents_models import ContentsLimits, Model, base_model, encoded, type_of
from jiqi.web.jupyter.contents_notebooks import format_notebook, notebook_of, parse_notebook
from jiqi.web.jupyter.contents_trust import NotaryPlace, notary_at, sign_if_trusted

_NAMES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveContext:
    """Whose files, whose trust, and how many bytes may be added (None: no limit)."""

    files: Files
    place: NotaryPlace
    room: int | None
    limits: ContentsLimits


def json_object(body: bytes) -> Model:
    """Return the JSON object of a request. Raises BadInputError."""
    try:
        model = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadInputError(where="body") from error
    if not isinstance(model, dict):
        raise BadInputError(where="body")
    return model


def save_model(context: SaveContext, model: Model, path: str) -> Model:
    """Save what `model` describes at `path` and return its model without content."""
    kind = model.get("type")
    if model.get("chunk") is not None:
        return _save_chunk(context, model, path)
    if kind == "directory":
        return base_model(context.files.mkdir(path, exist_ok=True), "directory")
    if "content" not in model:
        raise BadInputError(where="content")
    if kind == "notebook":
        return _save_notebook(context, model["content"], path)
    if kind == "file":
        entry = context.files.write(path, encoded(model, path=path), room=context.room)
        return base_model(entry, "file")
    raise BadInputError(where="type")


def _save_notebook(context: SaveContext, content: object, path: str) -> Model:
    notebook = notebook_of(content, path=path)
    try:
        new = context.files.stat(path).kind is not FileKind.FILE
    except FileMissingError:
        new = True
    sign_if_trusted(notebook, context.place, new=new)
    data, message = format_notebook(notebook, path=path)
    if len(data) > context.limits.notebook:
        raise FileTooLargeError(path=shown(path), limit=context.limits.notebook)
    entry = context.files.write(path, data, room=context.room, durable=True)
    saved = base_model(entry, "notebook")
    if message:
        saved["message"] = message
    return saved


def _save_chunk(context: SaveContext, model: Model, path: str) -> Model:
    """Save one part of an upload as JupyterLab sends it: 1, 2, … and -1 for the last."""
    number = model["chunk"]
    if model.get("type") != "file" or not isinstance(number, int) or isinstance(number, bool):
        raise BadInputError(where="chunk")
    if number < 1 and number != -1:
        raise BadInputError(where="chunk")
    entry = context.files.write_part(
        path,
        encoded(model, path=path),
        number=number,
        last=number == -1,
        limit=context.limits.upload,
        room=context.room,
    )
    return base_model(entry, "file")


def save_spooled(context: SaveContext, body: Path, path: str) -> Model:
    """Save the model whose JSON lies in a file of the server's own."""
    return save_model(context, json_object(body.read_bytes()), path)


def trust(context: SaveContext, path: str) -> None:
    """Sign a notebook as it lies on the disk."""
    _, data = context.files.read(path, limit=context.limits.notebook)
    notebook, _ = parse_notebook(data, path=path)
    notary_at(context.place).sign(notebook)


def make_untitled(
    context: SaveContext, folder: str, *, kind: str, stem: str, ending: str, insert: str
) -> Model:
    """Make an empty entry under the first free name; two at once get two names."""
    if context.files.stat(folder).kind is not FileKind.FOLDER:
        raise FileNotFolderError(path=shown(folder))
    for path in _free_names(folder, stem=stem, ending=ending, insert=insert):
        with contextlib.suppress(FileTakenError):
            if kind == "directory":
                return base_model(context.files.mkdir(path), "directory")
            data = format_notebook(new_notebook(), path=path)[0] if kind == "notebook" else b""
            entry = context.files.write(path, data, room=context.room, overwrite=False)
            return base_model(entry, type_of(entry, None))
    raise FileTakenError(path=shown(folder))


def copy_entry(context: SaveContext, path: str, target: str | None) -> Model:
    """Copy to a free name in a folder (`target`, or where the original lies), or to exactly `target`."""
    files = context.files
    parent, _, name = path.rpartition("/")
    into = parent if target is None else target
    if target is not None and not _is_folder(files, target):
        entry = files.copy(path, target, room=context.room)
        return base_model(entry, type_of(entry, None))
    stem, ending = _split(name, is_folder=files.stat(path).kind is FileKind.FOLDER)
    for free in _free_names(into, stem=stem, ending=ending, insert="-Copy"):
        with contextlib.suppress(FileTakenError):
            entry = files.copy(path, free, room=context.room)
            return base_model(entry, type_of(entry, None))
    raise FileTakenError(path=shown(path))


def _is_folder(files: Files, path: str) -> bool:
    try:
        return files.stat(path).kind is FileKind.FOLDER
    except FileMissingError:
        return False


def _split(name: str, *, is_folder: bool) -> tuple[str, str]:
    """Return (stem, ending) as Jupyter counts copies: `a-Copy2.tar.gz` is a copy of `a.tar.gz`."""
    if is_folder:
        stem, ending = name, ""
    elif name.endswith(".ipynb"):
        stem, ending = name[: -len(".ipynb")], ".ipynb"
    else:
        stem, dot, rest = name.partition(".")
        stem, ending = (stem, dot + rest) if stem else (name, "")
    head, mark, number = stem.rpartition("-Copy")
    return (head, ending) if mark and head and (not number or number.isdigit()) else (stem, ending)


def _free_names(folder: str, *, stem: str, ending: str, insert: str) -> Any:
    prefix = f"{folder}/" if folder else ""
    for count in itertools.islice(itertools.count(), _NAMES):
        yield f"{prefix}{stem}{f'{insert}{count}' if count else ''}{ending}"
