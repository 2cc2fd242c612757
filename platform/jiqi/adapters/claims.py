"""Claim files: one fsynced JSON file a claimed place, named by the place's reference."""

import os
import re
from pathlib import Path

import msgspec
import structlog

from jiqi.domain.ids import WarmName
from jiqi.services.ports_hosts import Claim

log = structlog.get_logger()
_REF = re.compile(r"[0-9a-z.-]{1,80}\Z")
_LARGEST = 4096


class FileClaims:
    """Claims below one folder that only Jiqi may read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, claim: Claim) -> None:
        """Write and fsync; the same claim again changes nothing."""
        if not _REF.match(claim.ref):
            raise ValueError("a place's reference has to be a plain file name")
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folder / f"{claim.ref}.json"
        new = self._folder / f".{claim.ref}.new"
        fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            os.write(fd, msgspec.json.encode(claim))
            os.fsync(fd)
        finally:
            os.close(fd)
        new.replace(path)
        self._sync()

    def all(self) -> list[Claim]:
        """Return every claim that can be read; what cannot is reported and left."""
        claims = []
        for path in sorted(self._folder.glob("*.json")):
            try:
                with path.open("rb") as file:
                    claims.append(msgspec.json.decode(file.read(_LARGEST), type=Claim))
            except FileNotFoundError:
                continue
            except (msgspec.DecodeError, OSError) as error:
                log.error("claim_unreadable", claim=path.name, error=str(error))  # noqa: TRY400  (one line)
        return claims

    def remove(self, name: WarmName) -> None:
        """Remove what claims the place; harmless when there is none."""
        found = [claim for claim in self.all() if claim.name == name]
        for claim in found:
            (self._folder / f"{claim.ref}.json").unlink(missing_ok=True)
        if found:
            self._sync()

    def _sync(self) -> None:
        folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
