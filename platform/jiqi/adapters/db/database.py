"""Transactions on SQLite and PostgreSQL behind `services.ports.Database`.

On SQLite a writing transaction begins with BEGIN IMMEDIATE: one that reads first and upgrades later fails at
once when another has written meanwhile, whatever the timeout. On PostgreSQL it is SERIALIZABLE. One wrapper
runs the function again in both cases.
"""

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from jiqi.adapters.db.repositories import SqlTransaction
from jiqi.domain.errors import JiqiError, UnavailableError
from jiqi.services.ports import Transaction

T = TypeVar("T")
TRIES = 12
# SQLSTATE of serialization_failure and deadlock_detected.
_PG_AGAIN = {"40001", "40P01"}


class DatabaseBusyError(JiqiError):
    """The database could not take the change after many tries; nothing was changed."""

    code = "database.busy"
    status = 503


class DatabaseDownError(UnavailableError):
    """The database does not answer; nothing was changed."""

    code = "database.down"


class DiskFullDatabaseError(JiqiError):
    """The disk that holds the database is full; nothing was changed."""

    code = "database.disk_full"
    status = 507


class SqlDatabase:
    """One engine with its pool; safe to use from many threads."""

    def __init__(self, url: str, *, pool_size: int = 16) -> None:
        """Connect lazily to `url`, such as `sqlite:////path/jiqi.db` or `postgresql+psycopg://…`."""
        self.url = url
        self.engine = _engine(url, pool_size=pool_size)
        self._sqlite = self.engine.dialect.name == "sqlite"

    def read(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a transaction that only reads."""
        return self._run(work, writing=False)

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in one transaction, again when the database asks for it, and commit."""
        return self._run(work, writing=True)

    def close(self) -> None:
        """Close every connection of the pool."""
        self.engine.dispose()

    def _run(self, work: Callable[[Transaction], T], *, writing: bool) -> T:
        for attempt in range(TRIES):
            try:
                return self._once(work, writing=writing)
            except DBAPIError as error:
                if _disk_full(error):
                    raise DiskFullDatabaseError from error
                if not _again(error):
                    if isinstance(error, OperationalError):
                        raise DatabaseDownError(error=str(error.orig)[:200]) from error
                    raise
            time.sleep(random.uniform(0.5, 1.0) * min(0.005 * 2**attempt, 0.3))  # noqa: S311  (spread, no secret)
        raise DatabaseBusyError

    def _once(self, work: Callable[[Transaction], T], *, writing: bool) -> T:
        with self.engine.connect() as connection:
            self._begin(connection, writing=writing)
            try:
                result = work(SqlTransaction(connection))
            except BaseException:
                connection.rollback()
                raise
            connection.commit()
            return result

    def _begin(self, connection: Connection, *, writing: bool) -> None:
        if self._sqlite:
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
            return
        level = "SERIALIZABLE" if writing else "REPEATABLE READ"
        connection.execution_options(isolation_level=level)


def _engine(url: str, *, pool_size: int) -> Engine:
    if not url.startswith("sqlite"):
        return create_engine(url, pool_size=pool_size, max_overflow=pool_size, pool_pre_ping=True)
    path = url.removeprefix("sqlite:///")
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        url,
        pool_size=pool_size,
        max_overflow=pool_size,
        connect_args={"timeout": 5, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def connected(connection: object, record: ConnectionPoolEntry) -> None:
        del record
        # The driver must not begin transactions by itself: `_begin` does.
        connection.isolation_level = None  # type: ignore[attr-defined]
        cursor = connection.cursor()  # type: ignore[attr-defined]
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=5000", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine


def _again(error: DBAPIError) -> bool:
    state = getattr(error.orig, "sqlstate", None)
    if state is not None:
        return state in _PG_AGAIN
    text = str(error.orig)
    return isinstance(error, OperationalError) and ("locked" in text or "busy" in text)


def _disk_full(error: DBAPIError) -> bool:
    text = str(error.orig)
    return (
        "disk is full" in text or "disk I/O error" in text or getattr(error.orig, "sqlstate", "") == "53100"
    )
