"""Many processes write at once: no error, no lost update, on every database that the platform supports."""

import multiprocessing
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.contract.postgres import PostgresCluster, installed

from jiqi.adapters.db.database import SqlDatabase
from jiqi.adapters.db.migrating import migrate_engine
from jiqi.domain.accounts import LoginSession, NameTakenError, Role, SessionKind, User
from jiqi.domain.ids import KernelId, ProjectId, SessionId, UserId, random_id
from jiqi.domain.projects import Project
from jiqi.domain.throttle import Failures
from jiqi.services.ports import Transaction

PROCESSES = 4
TRANSACTIONS = 1000
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
COUNTER = UserId("counter2")
PROJECT = ProjectId("project2")
URLS = ["sqlite", "postgresql"] if installed() else ["sqlite"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[PostgresCluster]:
    with PostgresCluster() as found:
        yield found


@pytest.fixture(params=URLS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/jiqi.db"
    cluster: PostgresCluster = request.getfixturevalue("cluster")
    return cluster.new_database()


@pytest.fixture
def database(url: str) -> Iterator[SqlDatabase]:
    found = SqlDatabase(url)
    migrate_engine(found.engine)
    yield found
    found.close()


def user(user_id: UserId, *, name: str = "n", key: str | None = None) -> User:
    return User(
        id=user_id,
        name=name,
        name_key=key,
        role=Role.MEMBER,
        password_hash=None,
        language="zh-CN",
        created=NOW,
        last_seen=NOW,
    )


def project(
    user_id: UserId, project_id: ProjectId, *, lesson: str | None = None, folder: str = "f"
) -> Project:
    return Project(
        id=project_id,
        user_id=user_id,
        name="0",
        folder=folder,
        environment="torch-cpu",
        lesson=lesson,  # type: ignore[arg-type]
        created=NOW,
        last_opened=NOW,
    )


def _count(tx: Transaction) -> None:
    """Read, then write: the shape that loses updates when transactions are not serial."""
    found = tx.failures.get("shared")
    count = found.count if found is not None else 0
    tx.failures.put(Failures(name_key="shared", count=count + 1, window_start=NOW))


def _rename(tx: Transaction) -> None:
    found = tx.projects.get(PROJECT)
    assert found is not None
    tx.projects.save(
        replace(found, name=str(int(found.name) + 1), last_opened=found.last_opened + timedelta(seconds=1))
    )


def _visit(tx: Transaction) -> None:
    visitor = UserId(random_id())
    tx.users.add(user(visitor))
    tx.sessions.add(
        LoginSession(
            id=SessionId(random_id()),
            user_id=visitor,
            kind=SessionKind.PORTAL,
            secret_hash=random_id(length=26),
            parent=None,
            created=NOW,
            expires=NOW,
        )
    )
    tx.outbox.add(queue="node.here", task="jiqi.wake", argument=visitor, now=NOW)


def _look(tx: Transaction) -> None:
    tx.projects.of_user(COUNTER)
    tx.kernels.versions([KernelId("x")])


def _work(url: str, seed: int, results: "multiprocessing.Queue[object]") -> None:
    chance = random.Random(seed)
    done = {"count": 0, "rename": 0, "visit": 0}
    try:
        found = SqlDatabase(url, pool_size=2)
        for _ in range(TRANSACTIONS):
            kind = chance.random()
            if kind < 0.3:
                found.write(_count)
                done["count"] += 1
            elif kind < 0.5:
                found.write(_rename)
                done["rename"] += 1
            elif kind < 0.7:
                found.write(_visit)
                done["visit"] += 1
            else:
                found.read(_look)
        found.close()
        results.put(done)
    except BaseException as error:
        results.put(repr(error))


def test_four_processes_of_a_thousand_transactions_lose_nothing(url: str, database: SqlDatabase) -> None:
    database.write(lambda tx: tx.users.add(user(COUNTER)))
    database.write(lambda tx: tx.projects.add(project(COUNTER, PROJECT)))
    spawn = multiprocessing.get_context("spawn")
    results = spawn.Queue()
    processes = [spawn.Process(target=_work, args=(url, seed, results)) for seed in range(PROCESSES)]
    for process in processes:
        process.start()
    answers = [results.get(timeout=300) for _ in processes]
    for process in processes:
        process.join(30)
    assert [answer for answer in answers if not isinstance(answer, dict)] == []
    total = {name: sum(answer[name] for answer in answers) for name in ("count", "rename", "visit")}
    counted = database.read(lambda tx: tx.failures.get("shared"))
    renamed = database.read(lambda tx: tx.projects.get(PROJECT))
    assert counted is not None
    assert renamed is not None
    assert counted.count == total["count"]
    assert renamed.name == str(total["rename"])
    assert renamed.last_opened == NOW + timedelta(seconds=total["rename"])
    assert len(database.read(lambda tx: tx.outbox.oldest(limit=100_000))) == total["visit"]


def _open(url: str, barrier: object, results: "multiprocessing.Queue[object]") -> None:
    """Insert or read, as opening a lesson does."""
    found = SqlDatabase(url, pool_size=2)

    def work(tx: Transaction) -> str:
        mine = tx.projects.of_lesson(COUNTER, "lesson")
        if mine is not None:
            return mine.id
        taken = {each.folder for each in tx.projects.of_user(COUNTER)}
        fresh = project(COUNTER, ProjectId(random_id()), lesson="lesson", folder=f"f{len(taken)}")
        tx.projects.add(fresh)
        return fresh.id

    try:
        barrier.wait()  # type: ignore[attr-defined]
        results.put(found.write(work))
    except BaseException as error:
        results.put(f"error {error!r}")
    found.close()


def test_insert_or_read_gives_one_row_to_everybody(url: str, database: SqlDatabase) -> None:
    database.write(lambda tx: tx.users.add(user(COUNTER)))
    spawn = multiprocessing.get_context("spawn")
    results, barrier = spawn.Queue(), spawn.Barrier(PROCESSES)
    processes = [spawn.Process(target=_open, args=(url, barrier, results)) for _ in range(PROCESSES)]
    for process in processes:
        process.start()
    answers = {results.get(timeout=120) for _ in processes}
    for process in processes:
        process.join(30)
    assert len(answers) == 1, answers
    assert len(database.read(lambda tx: tx.projects.of_user(COUNTER))) == 1


def test_a_failed_write_leaves_nothing(database: SqlDatabase) -> None:
    def work(tx: Transaction) -> None:
        tx.users.add(user(COUNTER))
        raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        database.write(work)
    assert database.read(lambda tx: tx.users.get(COUNTER)) is None


def test_a_name_belongs_to_one_account_and_moments_keep_their_zone(database: SqlDatabase) -> None:
    database.write(lambda tx: tx.users.add(user(COUNTER, name="Ａ", key="a")))
    with pytest.raises(NameTakenError):
        database.write(lambda tx: tx.users.add(user(UserId(random_id()), key="a")))
    found = database.read(lambda tx: tx.users.by_name_key("a"))
    assert found is not None
    assert (found.created, found.created.tzinfo) == (NOW, UTC)


def test_removing_a_person_removes_sessions_and_their_children(database: SqlDatabase) -> None:
    def session(session_id: str, parent: str | None) -> LoginSession:
        return LoginSession(
            id=SessionId(session_id),
            user_id=COUNTER,
            kind=SessionKind.PORTAL if parent is None else SessionKind.NOTEBOOK,
            secret_hash=session_id,
            parent=SessionId(parent) if parent else None,
            created=NOW,
            expires=NOW + timedelta(days=1),
        )

    def fill(tx: Transaction) -> None:
        tx.users.add(user(COUNTER))
        for session_id, parent in (("p1", None), ("c1", "p1"), ("p2", None), ("c2", "p2")):
            tx.sessions.add(session(session_id, parent))

    database.write(fill)
    database.write(lambda tx: tx.sessions.revoke(SessionId("p1")))
    ids = [SessionId(name) for name in ("p1", "c1", "p2", "c2")]
    assert database.read(lambda tx: tx.sessions.living(ids, now=NOW)) == {"p2", "c2"}
    database.write(lambda tx: tx.users.delete(COUNTER))
    assert database.read(lambda tx: tx.sessions.living(ids, now=NOW)) == set()


def test_migrations_are_reversible_on_every_database(database: SqlDatabase) -> None:
    migrate_engine(database.engine, revision="base")
    migrate_engine(database.engine)
    database.write(lambda tx: tx.users.add(user(COUNTER)))
    assert database.read(lambda tx: tx.users.get(COUNTER)) is not None
