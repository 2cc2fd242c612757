"""A step of the preparation: done again only when the hash of its inputs is not the one it was last done with."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from places import REQUIREMENTS, ROOT, STAMPS

_LOCK_SIZE = re.compile(r"Downloads: (\d+) MB")
_TAIL = 12
_SAYS_FIRST = ("npm error", "ERROR: ", "error during build", "Error: ")


class StepError(Exception):
    """A command of a step failed; `tail` is the telling part of its output, `log` the whole of it."""

    def __init__(self, *, tail: str, log: Path) -> None:
        super().__init__(tail)
        self.tail = tail
        self.log = log
        self.step = ""


class SetupError(Exception):
    """Something is missing on this machine; `key` is the stable code and the text's key."""

    def __init__(self, key: str, **params: object) -> None:
        super().__init__(key)
        self.key = key
        self.params = params


@dataclass(kw_only=True)
class Step:
    """`name` is a key of the words; `inputs` are hashed; `made` must exist for the stamp to count."""

    name: str
    stamp: str
    inputs: Iterable[Path | str]
    made: Sequence[Path]
    work: Callable[[], None]
    downloads: Mapping[str, int] = field(default_factory=dict)
    _hash: str | None = None

    def stale(self) -> bool:
        """Say whether the work must be done."""
        return not all(path.exists() for path in self.made) or self._stored() != self.hash()

    def hash(self) -> str:
        """Return the hash of the inputs as they were when first asked."""
        if self._hash is None:
            self._hash = digest(self.inputs)
        return self._hash

    def run(self) -> None:
        """Do the work and remember with what. Raises StepError, SetupError."""
        wanted = self.hash()
        try:
            self.work()
        except StepError as error:
            error.step = self.name
            raise
        STAMPS.mkdir(parents=True, exist_ok=True)
        (STAMPS / self.stamp).write_text(wanted)

    def _stored(self) -> str:
        try:
            return (STAMPS / self.stamp).read_text()
        except OSError:
            return ""


def digest(parts: Iterable[Path | str]) -> str:
    """Return one hash over files (names and bytes; folders whole) and plain strings."""
    total = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            total.update(f"s{len(part)}:{part}".encode())
            continue
        for path in sorted(part.rglob("*")) if part.is_dir() else [part]:
            if path.is_file() and "__pycache__" not in path.parts:
                data = path.read_bytes()
                total.update(f"f{path.relative_to(ROOT)}:{len(data)}:".encode() + data)
    return total.hexdigest()


def lock_megabytes(name: str) -> int:
    """Return what `requirements/<name>.lock` downloads in MB, as written by `make lock`."""
    with (REQUIREMENTS / f"{name}.lock").open() as file:
        found = _LOCK_SIZE.search(file.readline())
    return int(found.group(1)) if found else 0


def call(
    command: Sequence[str | Path], *, log: Path, cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> None:
    """Run a command with its output in `log`. Raises StepError with the last lines."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as out:
        out.write(f"$ {' '.join(map(str, command))}\n".encode())
        out.flush()
        start = out.tell()
        merged = {**os.environ, "NO_COLOR": "1", **(env or {})}
        code = subprocess.run(
            list(map(str, command)),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            cwd=cwd,
            env=merged,
            check=False,
        ).returncode
    if code != 0:
        with log.open("rb") as text:
            text.seek(start)
            lines = text.read().decode(errors="replace").strip().splitlines()
        raise StepError(tail="\n".join(line[:300] for line in telling(lines)) or str(code), log=log)


def telling(lines: list[str]) -> list[str]:
    """Return the few lines that say what went wrong: the last ones, but some programs say it first."""
    for number, line in enumerate(lines):
        if line.startswith(_SAYS_FIRST):
            return lines[number : number + _TAIL]
    return lines[-_TAIL:]
