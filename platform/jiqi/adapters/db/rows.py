"""Rows to frozen dataclasses and back, by field name and annotation."""

import dataclasses
import types
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from sqlalchemy import RowMapping

D = TypeVar("D")


def to_row(record: object) -> dict[str, Any]:
    """Return column values: enums as text, tuples and nested dataclasses as JSON values."""
    fields = dataclasses.fields(record)  # type: ignore[arg-type]
    return {f.name: _plain(getattr(record, f.name)) for f in fields}


def from_row(kind: type[D], row: RowMapping) -> D:
    """Return the dataclass `kind` filled from `row`."""
    return kind(**{name: _typed(hint, row[name]) for name, hint in _hints(cast("Any", kind)).items()})


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {f.name: hints[f.name] for f in dataclasses.fields(kind)}


def _plain(value: object) -> object:
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return msgspec.to_builtins(value)
    return value


def _typed(hint: Any, value: Any) -> Any:
    if value is None:
        return None
    origin = get_origin(hint)
    if origin in {Union, types.UnionType}:
        inner = [argument for argument in get_args(hint) if argument is not type(None)]
        return _typed(inner[0], value)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint(value)
    if origin is tuple:
        return msgspec.convert(value, hint)
    return value
