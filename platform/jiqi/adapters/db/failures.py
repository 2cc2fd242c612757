"""Wrong passwords by account in SQL."""

from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from jiqi.adapters.db import tables
from jiqi.adapters.db.rows import from_row, to_row
from jiqi.domain.throttle import Failures

_TABLE = tables.login_failures


class SqlLoginFailures:
    """One row an account that met a wrong password lately."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, key: str) -> Failures | None:
        """Return what is remembered about an account."""
        row = self._connection.execute(select(_TABLE).where(_TABLE.c.name_key == key)).mappings().first()
        return from_row(Failures, row) if row is not None else None

    def put(self, failures: Failures) -> None:
        """Insert or replace."""
        row = to_row(failures)
        done = self._connection.execute(
            update(_TABLE).where(_TABLE.c.name_key == failures.name_key).values(row)
        )
        if done.rowcount == 0:
            self._connection.execute(insert(_TABLE), row)

    def clear(self, key: str) -> None:
        """Forget."""
        self._connection.execute(delete(_TABLE).where(_TABLE.c.name_key == key))

    def sweep(self, before: datetime) -> int:
        """Forget what began before a moment; return how many."""
        return self._connection.execute(delete(_TABLE).where(_TABLE.c.window_start < before)).rowcount
