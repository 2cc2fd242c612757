"""Files of a home: how a path is read, what an entry is, and every way in which an operation can be refused."""

import re
from dataclasses import dataclass
from enum import Enum

from jiqi.domain.errors import JiqiError

# The file system's limit is bytes, not characters: 255 bytes are 85 Chinese characters.
NAME_BYTES = 255
PATH_BYTES = 4096
DEPTH = 100

# A file in the making carries this name in the folder of its target until it is renamed.
TEMPORARY_PREFIX = ".jiqi-upload-"
_TEMPORARY = re.compile(r"\.jiqi-upload-[0-9a-f]{32}(\.\d+)?\Z")


class FileError(JiqiError):
    """An operation on a file that could not be done; `path` names it as the person does."""

    code = "file.failed"
    status = 500

    def __init__(self, **params: object) -> None:
        """Keep the parameters; a number of bytes is also kept as people read it (`limit_text`, `room_text`)."""
        texts = {f"{k}_text": size_text(v) for k, v in params.items() if isinstance(v, int)}
        super().__init__(**{**params, **texts})


class FileMissingError(FileError):
    """Nothing is there."""

    code = "file.not_found"
    status = 404


class FileTakenError(FileError):
    """Something is there already."""

    code = "file.exists"
    status = 409


class FileOutsideError(FileError):
    """The path leads out of the home, or into another mount."""

    code = "file.outside"
    status = 400


class FileSymlinkError(FileError):
    """A symbolic link stands on the way; links are never followed."""

    code = "file.symlink"
    status = 400


class FileNameError(FileError):
    """A name that cannot be used: empty, with NUL, or not Unicode."""

    code = "file.bad_name"
    status = 400


class FileNameTooLongError(FileError):
    """A name over `limit` bytes."""

    code = "file.name_too_long"
    status = 400


class FileHiddenError(FileError):
    """A name that begins with a dot is not served."""

    code = "file.hidden"
    status = 400


class FileNotRegularError(FileError):
    """A pipe, socket or device."""

    code = "file.not_regular"
    status = 400


class FileIsFolderError(FileError):
    """A folder stands where a file is needed."""

    code = "file.is_folder"
    status = 400


class FileNotFolderError(FileError):
    """A file stands where a folder is needed."""

    code = "file.not_folder"
    status = 400


class FolderNotEmptyError(FileError):
    """The folder got new files while it was being removed."""

    code = "file.not_empty"
    status = 409


class FileIntoItselfError(FileError):
    """A folder cannot be moved or copied into itself."""

    code = "file.into_itself"
    status = 400


class FileBusyError(FileError):
    """The place is in use by the system, such as a mount point."""

    code = "file.busy"
    status = 409


class FileTooLargeError(FileError):
    """More than `limit` bytes."""

    code = "file.too_large"
    status = 413


class FolderTooLargeError(FileError):
    """More than `limit` entries."""

    code = "file.too_many"
    status = 413


class FilePermissionError(FileError):
    """The file system does not allow it; the person may ask for a repair."""

    code = "file.permission"
    status = 403


class FileEncodingError(FileError):
    """The bytes are not text in UTF-8, or the content does not fit the stated format."""

    code = "file.not_text"
    status = 400


class DiskFullError(FileError):
    """The disk has no room left."""

    code = "disk.full"
    status = 507


class DiskQuotaError(FileError):
    """The person's share of the disk is used up; `room` bytes are left."""

    code = "disk.quota"
    status = 507


class UploadIncompleteError(FileError):
    """The body ended before its announced length."""

    code = "upload.incomplete"
    status = 400


class UploadOrderError(FileError):
    """A part of an upload arrived that does not follow the last one; begin again."""

    code = "upload.out_of_order"
    status = 409


class NotebookNotJsonError(FileError):
    """A notebook file that is not JSON."""

    code = "notebook.not_json"
    status = 400


class NotebookInvalidError(FileError):
    """JSON that is not a notebook, or of a version that is not known."""

    code = "notebook.invalid"
    status = 400


class NotebookWorkerError(FileError):
    """The process that reads large notebooks ended in the middle."""

    code = "notebook.worker_lost"
    status = 503


class FileKind(Enum):
    """What an entry is."""

    FILE = "file"
    FOLDER = "folder"
    SYMLINK = "symlink"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEntry:
    """One entry: `size` in bytes, `modified` and `created` in seconds since 1970; `version` changes with content."""

    name: str
    path: str
    kind: FileKind
    size: int
    modified: float
    created: float
    writable: bool
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The entries of a folder, by name; `truncated` when there are more."""

    entries: tuple[FileEntry, ...]
    truncated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Disk used beneath a home: bytes as allocated; not `complete` when the walk met its bound."""

    bytes: int
    entries: int
    complete: bool


def parse_path(path: str) -> tuple[str, ...]:
    """Return the names of a relative path, () for the home itself.

    Names are kept as given (no normalisation); a backslash is an ordinary character. Raises FileOutsideError
    for an absolute path, `.` or `..`; FileNameError; FileNameTooLongError.
    """
    if path == "":
        return ()
    if path.startswith("/"):
        raise FileOutsideError(path=shown(path))
    try:
        size = len(path.encode())
    except UnicodeEncodeError as error:
        raise FileNameError(path=shown(path)) from error
    parts = tuple(path.split("/"))
    for name in parts:
        _check_name(name, path=path)
    if size > PATH_BYTES or len(parts) > DEPTH:
        raise FileNameTooLongError(path=shown(path), limit=PATH_BYTES)
    return parts


def _check_name(name: str, *, path: str) -> None:
    if name in {".", ".."}:
        raise FileOutsideError(path=shown(path))
    if name == "" or "\0" in name:
        raise FileNameError(path=shown(path))
    if len(name.encode()) > NAME_BYTES:
        raise FileNameTooLongError(path=shown(path), limit=NAME_BYTES)


def size_text(size: int) -> str:
    """Return a number of bytes as people read it, the same in every language: `2 GB`, `1.5 MB`."""
    value, unit = float(size), "B"
    for larger in ("KB", "MB", "GB", "TB"):
        if abs(value) < 1024:  # noqa: PLR2004
            break
        value, unit = value / 1024, larger
    return f"{value:.1f}".removesuffix(".0") + f" {unit}"


def is_hidden(parts: tuple[str, ...]) -> bool:
    """Say whether any name on the way begins with a dot, as Jupyter hides them."""
    return any(name.startswith(".") for name in parts)


def is_temporary(name: str) -> bool:
    """Say whether a name is that of a file or folder in the making."""
    return _TEMPORARY.match(name) is not None


def shown(path: str) -> str:
    """Return a path fit for a message: printable and not endless."""
    text = path.encode("utf-8", "replace").decode().replace("\0", "\N{SYMBOL FOR NULL}")
    return text if len(text) <= PATH_BYTES // 20 else text[: PATH_BYTES // 20] + "…"
