"""Whose outputs may run: a notary per user, whose signatures lie in a file that any thread or process may use.

nbformat's own store binds its connection to one thread and makes its file at once; this one opens the file per call
and makes it with the first signature, so that a user who signs nothing costs nothing.
"""

import contextlib
import hmac
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from nbformat.sign import NotebookNotary, SignatureStore, signature_removed

_KEPT: Final = 10_000
_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS signatures (digest TEXT, algorithm TEXT, seen TEXT NOT NULL,"
    " PRIMARY KEY (digest, algorithm)) WITHOUT ROWID"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotaryPlace:
    """Where one user's signatures lie and the secret that makes them his own."""

    file: Path
    secret: bytes


class SignatureFile(SignatureStore):
    """Signatures in a small SQLite file, a connection per call."""

    def __init__(self, file: Path) -> None:
        """Keep the place."""
        self._file = file

    @contextlib.contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self._file, timeout=5, isolation_level=None)
        try:
            yield connection
        finally:
            connection.close()

    def store_signature(self, digest: str, algorithm: str) -> None:
        """Remember a signature."""
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._opened() as connection:
            connection.execute(_SCHEMA)
            connection.execute(
                "INSERT INTO signatures VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET seen = excluded.seen",
                (digest, algorithm, datetime.now(UTC).isoformat()),
            )
            connection.execute(
                "DELETE FROM signatures WHERE seen < (SELECT seen FROM signatures ORDER BY seen DESC LIMIT 1 OFFSET ?)",
                (_KEPT,),
            )

    def check_signature(self, digest: str, algorithm: str) -> bool:
        """Say whether it was stored."""
        if not self._file.exists():
            return False
        with self._opened() as connection, contextlib.suppress(sqlite3.OperationalError):
            row = connection.execute(
                "SELECT 1 FROM signatures WHERE digest = ? AND algorithm = ?", (digest, algorithm)
            ).fetchone()
            return row is not None
        return False

    def remove_signature(self, digest: str, algorithm: str) -> None:
        """Forget it."""
        if self._file.exists():
            with self._opened() as connection:
                connection.execute(
                    "DELETE FROM signatures WHERE digest = ? AND algorithm = ?", (digest, algorithm)
                )

    def close(self) -> None:
        """Nothing is held between calls."""


class QuickNotary(NotebookNotary):
    """Signs the canonical JSON: nbformat walks every value in Python, which takes 40 times as long."""

    def compute_signature(self, nb: Any) -> str:
        """Return the HMAC of the notebook without its own signature."""
        with signature_removed(nb):
            text = json.dumps(nb, sort_keys=True, separators=(",", ":"))
        return hmac.digest(self.secret, text.encode("ascii"), "sha256").hex()


def notary_at(place: NotaryPlace) -> NotebookNotary:
    """Return the notary of one user."""
    return QuickNotary(secret=place.secret, store_factory=lambda: SignatureFile(place.file))


def mark_trust(nb: Any, place: NotaryPlace) -> bool:
    """Mark every code cell by whether this user's notary signed exactly this notebook; return it."""
    notary = notary_at(place)
    trusted = place.file.exists() and bool(notary.check_signature(nb))
    notary.mark_cells(nb, trusted)
    return trusted


def sign_if_trusted(nb: Any, place: NotaryPlace, *, new: bool) -> bool:
    """Take the marks off and sign when every cell is trusted or harmless; return it.

    A notebook that was not there before (`new`: an upload, an import, a copy) brings no trust of its own: what it
    says of itself is dropped first.
    """
    notary = notary_at(place)
    if new:
        notary.mark_cells(nb, False)
    try:
        if not notary.check_cells(nb):
            return False
    except (KeyError, TypeError, AttributeError):
        # An output without the keys that the format demands is not harmless.
        return False
    notary.sign(nb)
    return True
