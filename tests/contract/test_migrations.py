"""The migrations make what `tables.py` says, can be undone, and bear several processes at once."""

import multiprocessing
from pathlib import Path

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, text
from sqlalchemy.exc import OperationalError

from jiqi.adapters.db.database import SqlDatabase
from jiqi.adapters.db.migrating import migrate, migrate_engine
from jiqi.adapters.db.tables import metadata
from jiqi.config import Settings, load


def settings_in(folder: Path) -> Settings:
    return load({"JIQI_STATE": str(folder), "JIQI_RUN": str(folder / "run")})


def schema(engine: Engine) -> dict[str, list[str]]:
    query = text(
        "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' AND name != 'alembic_version'"
    )
    with engine.connect() as connection:
        rows = list(connection.execute(query))
    # The order in which constraints are written says nothing.
    return {
        name: sorted(part.strip(" ()") for part in " ".join(str(sql).split()).split(", "))
        for name, sql in rows
    }


def test_migrations_make_exactly_the_tables_of_the_metadata(tmp_path: Path) -> None:
    migrated = SqlDatabase(f"sqlite:///{tmp_path}/migrated.db").engine
    made = SqlDatabase(f"sqlite:///{tmp_path}/made.db").engine
    migrate_engine(migrated)
    metadata.create_all(made)
    with migrated.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    # Alembic does not compare conditions of indexes; the text of the schema holds them.
    assert schema(migrated) == schema(made)


def test_migrations_can_be_undone_and_done_again(tmp_path: Path) -> None:
    engine = SqlDatabase(f"sqlite:///{tmp_path}/jiqi.db").engine
    migrate_engine(engine)
    before = schema(engine)
    migrate_engine(engine, revision="base")
    assert schema(engine) == {}
    migrate_engine(engine)
    migrate_engine(engine)
    assert schema(engine) == before


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    engine = SqlDatabase(f"sqlite:///{tmp_path}/jiqi.db").engine
    with engine.connect() as connection:
        # The last table of the first revision is there already, so that it fails at its end.
        connection.exec_driver_sql("CREATE TABLE tickets (id INTEGER)")
    with pytest.raises(OperationalError, match="already exists"):
        migrate_engine(engine)
    assert set(schema(engine)) == {"tickets"}


def _migrate(url: str, barrier: object, failures: object) -> None:
    settings = load({"JIQI_STATE": str(Path(url).parent)})
    barrier.wait()  # type: ignore[attr-defined]
    try:
        migrate(msgspec.structs.replace(settings, database_url=f"sqlite:///{url}"))
    except BaseException as error:
        failures.put(repr(error))  # type: ignore[attr-defined]


def test_several_processes_may_migrate_at_once(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("fork")
    barrier, failures = spawn.Barrier(4), spawn.Queue()
    url = str(tmp_path / "jiqi.db")
    processes = [spawn.Process(target=_migrate, args=(url, barrier, failures)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    assert failures.empty()
    assert "kernels" in schema(SqlDatabase(f"sqlite:///{url}").engine)
