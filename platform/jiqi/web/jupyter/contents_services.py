"""What the contents of one user need from the web process, as one value."""

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from jiqi.services.ports_files import Files
from jiqi.web.jupyter.contents_models import ContentsLimits
from jiqi.web.jupyter.contents_saving import SaveContext
from jiqi.web.jupyter.contents_trust import NotaryPlace
from jiqi.web.jupyter.contents_worker import ParsingPool
from jiqi.web.running import RunInPool


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentsServices:
    """One user's contents: `room` returns how many bytes he may still add (it is called in the pool); `spool` is a
    folder of the server's own for large bodies on their way.
    """

    files: Files
    notary: NotaryPlace
    run_in_pool: RunInPool
    parsing: ParsingPool
    room: Callable[[], int | None] = lambda: None
    limits: ContentsLimits = field(default_factory=ContentsLimits)
    spool: Path = field(default_factory=lambda: Path(tempfile.gettempdir()))

    def context(self) -> SaveContext:
        """Return what a change needs, with the room as it is now; call it in the pool."""
        return SaveContext(files=self.files, place=self.notary, room=self.room(), limits=self.limits)


def spool_file(folder: Path) -> Path:
    """Make an empty file that only the server reads."""
    fd, name = tempfile.mkstemp(prefix="jiqi-spool-", dir=folder)
    os.close(fd)
    return Path(name)


def forget(spooled: Path) -> None:
    """Remove a spooled file; again is harmless."""
    spooled.unlink(missing_ok=True)
