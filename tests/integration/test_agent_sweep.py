"""The scheduler: expired sessions and tickets go, and guests who stayed away go with their files, safely."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.integration.agent_world import ROOT, World, wait_until, world

from jiqi import wiring
from jiqi.adapters import mounts
from jiqi.adapters.homes import Homes
from jiqi.domain.accounts import LoginSession, Role, SessionKind, Ticket, TicketKind, User
from jiqi.domain.ids import SessionId, UserId, random_id
from jiqi.domain.kernels import Reason, Target
from jiqi.services.sweeping import Sweeping
from jiqi.worker.celery_app import CTL, SWEEP, celery_app


@pytest.fixture(scope="module")
def ground() -> Iterator[World]:
    with world("process", pool="tiny/egress=0") as made:
        yield made


def stay_away(ground: World, user: User, *, days: float = 7.1) -> None:
    then = wiring.utc_now() - timedelta(days=days)
    ground.base.database.write(lambda tx: tx.users.save(replace(user, last_seen=then)))


def sweeping(ground: World, claimed: set[UserId] | None = None) -> Sweeping:
    return Sweeping(
        database=ground.base.database,
        homes=Homes(ground.settings),
        clock=wiring.utc_now,
        claimed=lambda user_id: user_id in (claimed or set()),
    )


def exists(ground: World, user: User) -> bool:
    return ground.base.database.read(lambda tx: tx.users.get(user.id)) is not None


def home(ground: World, user: User) -> Path:
    return ground.settings.homes / user.id


def test_guests_go_after_seven_days_and_nobody_else(ground: World, tmp_path: Path) -> None:
    old, recent, member = ground.person(Role.GUEST), ground.person(Role.GUEST), ground.person()
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("p")
    for name, target in (("link", outside), ("up", Path("../..")), ("file", outside / "precious")):
        (home(ground, old) / name).symlink_to(target)
    (home(ground, old) / "locked").mkdir(mode=0o000)
    for user in (old, member):
        stay_away(ground, user)
    stay_away(ground, recent, days=6.9)
    sweeping(ground).sweep()
    assert not exists(ground, old)
    assert not home(ground, old).exists()
    assert exists(ground, recent)
    assert exists(ground, member)
    assert len(ground.hashes(recent)) == len(ground.hashes(member)) == 3
    assert (outside / "precious").read_text() == "p"
    assert list((ground.settings.state / "leaving").iterdir()) == []


def test_kernels_are_stopped_first_and_the_home_waits_for_them(ground: World) -> None:
    guest = ground.person(Role.GUEST)
    _node(ground)
    kernel = ground.open(guest)
    stay_away(ground, guest)
    sweep = sweeping(ground)
    sweep.sweep()
    asked = ground.kernel(kernel.id)
    assert asked.target is Target.STOPPED
    assert asked.reason is Reason.ACCOUNT
    assert exists(ground, guest)
    ended = replace(asked, ended=wiring.utc_now())
    ground.base.database.write(lambda tx: tx.kernels.save(ended))
    # Its container may still have the home, as when Docker did not answer: the claim file says so.
    sweeping(ground, {guest.id}).sweep()
    assert exists(ground, guest)
    assert ground.hashes(guest)
    sweep.sweep()
    assert not exists(ground, guest)
    assert not home(ground, guest).exists()


def _node(ground: World) -> None:
    from jiqi.domain.ids import NodeId
    from jiqi.domain.kernels import Environment, Node

    tiny = Environment(
        name="tiny", version="1", digest="d", framework="numpy", accelerator="cpu", display={},
        memory_mb=1, shm_mb=1, cpus=1,
    )  # fmt: skip
    node = Node(
        id=NodeId("n1"), kind="process", isolates=False, capacity=4, environments=(tiny,),
        beat=wiring.utc_now(), epoch="e",
    )  # fmt: skip
    ground.base.database.write(lambda tx: tx.nodes.put(node))


def test_a_crash_between_the_row_and_the_files_is_finished_later(ground: World) -> None:
    gone, stayed = ground.person(Role.GUEST), ground.person(Role.GUEST)
    homes = Homes(ground.settings)
    for user in (gone, stayed):
        homes.mark_leaving(user.id)
    ground.base.database.write(lambda tx: tx.users.delete(gone.id))
    sweeping(ground).sweep()
    assert not home(ground, gone).exists()
    assert ground.hashes(stayed)
    assert exists(ground, stayed)
    assert homes.leaving() == []


@pytest.mark.docker
def test_a_mount_inside_a_home_is_never_crossed(ground: World, tmp_path: Path) -> None:
    guest = ground.person(Role.GUEST)
    other = tmp_path / "other"
    other.mkdir()
    (other / "precious").write_text("p")
    point = home(ground, guest) / "p" / "mounted"
    point.mkdir()
    mounts.bind(other, point)
    stay_away(ground, guest)
    try:
        sweeping(ground).sweep()
        assert (other / "precious").read_text() == "p"
        assert point.exists()
    finally:
        mounts.unmount(point)
    sweeping(ground).sweep()
    assert not home(ground, guest).exists()
    assert (other / "precious").read_text() == "p"


def test_the_scheduler_sweeps_when_beat_or_anybody_asks(ground: World) -> None:
    """A real process: the task comes over the broker, and beat has it in its schedule."""
    user = ground.person()
    past = wiring.utc_now() - timedelta(seconds=1)
    session = LoginSession(
        id=SessionId(random_id()), user_id=user.id, kind=SessionKind.PORTAL, secret_hash="h" * 64, parent=None,
        created=past, expires=past,
    )  # fmt: skip
    ticket = Ticket(
        secret_hash="t" * 64, kind=TicketKind.ENTER, user_id=user.id, session_id=None, expires=past
    )

    def add(tx) -> None:
        tx.sessions.add(session)
        tx.tickets.add(ticket)

    ground.base.database.write(add)
    code = (
        "from jiqi.config import load; from jiqi.wiring_workers import run_scheduler; run_scheduler(load())"
    )
    with (ground.settings.state / "scheduler.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", code], env=ground.env, cwd=ROOT, stdout=log, stderr=log
        )
    try:
        celery_app(ground.settings.redis_url).send_task(SWEEP, queue=CTL)
        wait_until(
            lambda: ground.base.database.read(lambda tx: tx.sessions.by_hash("h" * 64)) is None,
            what=(ground.settings.state / "scheduler.log").read_text,  # type: ignore[arg-type]
        )
        assert ground.base.database.write(lambda tx: tx.tickets.take("t" * 64)) is None
    finally:
        process.terminate()
        assert process.wait(timeout=20) == 0
