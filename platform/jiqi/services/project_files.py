"""What is in a project's folder: the notebook to open first, and how much deleting it would lose."""

from collections.abc import Sequence
from dataclasses import dataclass

from jiqi.domain.files import FileError, FileKind
from jiqi.services.ports_files import Files

_COUNTED = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """How many files, bytes and live kernels a project has; counting stops at 20,000 entries."""

    files: int
    bytes: int
    kernels: int


def main_notebook(files: Files, folder: str, *, made_with: Sequence[str]) -> str:
    """Return the path of the notebook to open first, "" when there is none or no folder.

    It is the one that the project was made with, whatever was added since; without it, the first by name.
    """
    try:
        listing = files.entries(folder)
    except FileError:
        return ""
    notebooks = [
        entry.path
        for entry in listing.entries
        if entry.kind is FileKind.FILE and entry.name.endswith(".ipynb") and not entry.name.startswith(".")
    ]
    own = [path for name in made_with if (path := f"{folder}/{name}") in notebooks]
    return next(iter([*own, *notebooks]), "")


def measure(files: Files, folder: str, *, kernels: int) -> Contents:
    """Add up a folder's files."""
    count, size, seen, waiting = 0, 0, 0, [folder]
    while waiting and seen < _COUNTED:
        try:
            listing = files.entries(waiting.pop())
        except FileError:
            # Gone meanwhile, or not readable: it is not counted.
            continue
        for entry in listing.entries:
            seen += 1
            if entry.kind is FileKind.FOLDER:
                waiting.append(entry.path)
            else:
                count, size = count + 1, size + entry.size
    return Contents(files=count, bytes=size, kernels=kernels)
