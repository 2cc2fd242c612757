"""Bytes to notebook and back, with a stable code for everything that is not one; runs in threads and in the worker."""

import json
from typing import Any, Final

import msgspec
import nbformat
from nbformat import ValidationError
from nbformat.v4 import to_notebook
from nbformat.v4.rwbase import split_lines, strip_transient

from jiqi.domain.files import NotebookInvalidError, NotebookNotJsonError, shown

_MESSAGE: Final = 500
_OLDEST, _NEWEST = 1, 4


def parse_notebook(data: bytes, *, path: str) -> tuple[Any, str | None]:
    """Return a notebook in nbformat 4 and what is not valid about it. Raises NotebookNotJsonError, NotebookInvalidError."""
    try:
        content = json.loads(data.decode("utf-8-sig"), parse_constant=_no_constant)
    except RecursionError as error:
        raise NotebookInvalidError(path=shown(path)) from error
    except ValueError as error:
        raise NotebookNotJsonError(path=shown(path)) from error
    _require_notebook(content, path=path)
    found: dict[str, ValidationError] = {}
    try:
        if content["nbformat"] == _NEWEST:
            notebook = to_notebook(content)
            _validate(notebook, found)
        else:
            notebook = nbformat.reads(json.dumps(content), as_version=4, capture_validation_error=found)
    except Exception as error:
        raise NotebookInvalidError(path=shown(path)) from error
    require_cells(notebook, path=path)
    return notebook, _told(found)


def _no_constant(_name: str) -> None:
    """Read NaN and Infinity as null: Python writes them, but no browser can parse them."""


def _validate(notebook: Any, found: dict[str, ValidationError]) -> None:
    try:
        nbformat.validate(notebook)
    except ValidationError as error:
        found["ValidationError"] = error


def _require_notebook(content: object, *, path: str) -> None:
    if not isinstance(content, dict):
        raise NotebookInvalidError(path=shown(path))
    major = content.get("nbformat")
    if not isinstance(major, int) or not _OLDEST <= major <= _NEWEST:
        raise NotebookInvalidError(path=shown(path))


def require_cells(content: Any, *, path: str) -> None:
    """Raise NotebookInvalidError unless cells and metadata have the shape that everything after relies on."""
    fits = (
        isinstance(content, dict)
        and content.get("nbformat") == _NEWEST
        and isinstance(content.get("nbformat_minor"), int)
        and isinstance(content.get("metadata"), dict)
        and isinstance(content.get("cells"), list)
        and all(
            isinstance(cell, dict)
            and isinstance(cell.get("cell_type"), str)
            and isinstance(cell.get("metadata"), dict)
            and (cell["cell_type"] != "code" or isinstance(cell.get("outputs"), list))
            for cell in content["cells"]
        )
    )
    if not fits:
        raise NotebookInvalidError(path=shown(path))


def notebook_of(content: object, *, path: str) -> Any:
    """Return what a client sent as a notebook. Raises NotebookInvalidError."""
    require_cells(content, path=path)
    try:
        return nbformat.from_dict(content)
    except RecursionError as error:
        raise NotebookInvalidError(path=shown(path)) from error


def format_notebook(notebook: Any, *, path: str) -> tuple[bytes, str | None]:
    """Return the bytes of the file as Jupyter lays it out, and what is not valid about it. Changes `notebook`."""
    found: dict[str, ValidationError] = {}
    try:
        _validate(notebook, found)
        split_lines(notebook)
        strip_transient(notebook)
        return _laid_out(notebook), _told(found)
    except Exception as error:
        raise NotebookInvalidError(path=shown(path)) from error


def _laid_out(notebook: Any) -> bytes:
    """Return sorted keys with one space of indent; Python's own encoder takes 20 times as long to indent."""
    try:
        return msgspec.json.format(msgspec.json.encode(notebook, order="sorted"), indent=1) + b"\n"
    except (UnicodeEncodeError, OverflowError):
        # Half of a surrogate pair has no UTF-8 (`\\udXXX` is how JSON writes it), and there are larger integers.
        text = json.dumps(notebook, sort_keys=True, indent=1, ensure_ascii=False)
        return text.encode("utf-8", "backslashreplace") + b"\n"


def _told(found: dict[str, ValidationError]) -> str | None:
    error = found.get("ValidationError")
    return f"Notebook validation failed: {error}"[:_MESSAGE] if error else None
