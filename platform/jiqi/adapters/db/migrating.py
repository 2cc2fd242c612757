"""Brings a database to the current schema, safely when several processes start at once."""

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path

import structlog
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError

from jiqi.adapters.db.database import DatabaseDownError, SqlDatabase
from jiqi.config import Settings

log = structlog.get_logger()
SCRIPTS = Path(__file__).parent / "migrations"
# Any number that no other program of the database uses.
_PG_LOCK = 0x6A697169


def migrate(settings: Settings, *, revision: str = "head") -> None:
    """Bring the database of `settings` to `revision`; one process does it, the others wait. Raises DatabaseDownError."""
    database = SqlDatabase(settings.database_url)
    try:
        migrate_engine(database.engine, revision=revision)
    except OperationalError as error:
        raise DatabaseDownError(error=str(error.orig)[:200]) from error
    finally:
        database.close()


def migrate_engine(engine: Engine, *, revision: str = "head") -> None:
    """Bring the database behind `engine` up to `revision`, or down to it when that is older."""
    with _alone(engine), engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            # The spine begins transactions itself; a schema change is one, too.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        config = _config(connection)
        scripts = ScriptDirectory.from_config(config)
        wanted = (
            {script.revision for script in scripts.get_revisions(revision)} if revision != "base" else set()
        )
        now = set(MigrationContext.configure(connection).get_current_heads())
        if now == wanted:
            connection.rollback()
            return
        if revision == "base" or _is_older(scripts, wanted, now):
            command.downgrade(config, revision)
        else:
            command.upgrade(config, revision)
        connection.commit()
        log.info("database_migrated", before=sorted(now), after=sorted(wanted))


def _is_older(scripts: ScriptDirectory, wanted: set[str], now: set[str]) -> bool:
    lineage = {script.revision for head in now for script in scripts.iterate_revisions(head, "base")}
    return wanted <= lineage and bool(now)


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


@contextlib.contextmanager
def _alone(engine: Engine) -> Iterator[None]:
    if engine.dialect.name == "sqlite":
        # SQLite's own lock times out after seconds; a file lock waits as long as it takes.
        with Path(f"{engine.url.database}.migrate").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        return
    with engine.connect() as connection:
        connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _PG_LOCK})
        connection.commit()
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _PG_LOCK})
            connection.commit()
