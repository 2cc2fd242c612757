"""Mounts, claim files and their agreement: nothing of a home is removed, and what cannot be undone is left and told."""

import errno
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.agent_world import World, wait_until, world

from jiqi.adapters import mounts
from jiqi.adapters.claims import FileClaims
from jiqi.domain.ids import KernelId, UserId, WarmName
from jiqi.domain.kernels import Status
from jiqi.services.ports_hosts import Claim, MountBusyError
from jiqi.wiring import utc_now

pytestmark = pytest.mark.docker


@pytest.fixture
def point(tmp_path: Path) -> Iterator[Path]:
    """A shared folder with a home mounted in it."""
    home, shared = tmp_path / "家 a", tmp_path / "mounts"
    inner = shared / "abcd2345" / "jiqi"
    home.mkdir()
    (home / "kept").write_text("k")
    inner.mkdir(parents=True)
    mounts.share(shared)
    mounts.bind(home, inner)
    try:
        yield inner
    finally:
        mounts.unmount(inner)
        mounts.unmount(shared)


def test_binding_and_sharing_again_change_nothing(point: Path, tmp_path: Path) -> None:
    before = mounts.mounted()
    mounts.share(tmp_path / "mounts")
    mounts.bind(tmp_path / "家 a", point)
    assert mounts.mounted() == before
    assert [m.point for m in mounts.mounted(point)] == [str(point)]
    assert (point / "kept").read_text() == "k"
    # os.path.ismount does not see it: both folders are on one file system.
    assert mounts.mounted(point)[0].root.endswith("家 a")


def test_another_home_is_never_mounted_over_the_first(point: Path, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    with pytest.raises(MountBusyError):
        mounts.bind(tmp_path / "b", point)


def test_a_mounted_point_is_not_removed_and_an_unmounted_one_only_when_empty(
    point: Path, tmp_path: Path
) -> None:
    assert not mounts.remove_point(point)
    assert (tmp_path / "家 a" / "kept").read_text() == "k"
    mounts.unmount(point)
    (point / "surprise").write_text("s")
    assert not mounts.remove_point(point)
    assert (point / "surprise").exists()
    (point / "surprise").unlink()
    assert mounts.remove_point(point)
    assert mounts.remove_point(point)


def test_a_busy_mount_is_left_after_a_bounded_time(point: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", "print('in', flush=True); input()"], cwd=point, stdin=-1, stdout=-1
    )
    assert holder.stdout is not None
    assert holder.stdout.readline()
    try:
        with pytest.raises(MountBusyError):
            mounts.unmount(point, seconds=0.2)
        assert mounts.mounted(point)
    finally:
        holder.communicate(b"\n")


def test_a_run_directory_is_small_and_executes_nothing(tmp_path: Path) -> None:
    point = tmp_path / "run"
    point.mkdir()
    mounts.bind_tmpfs(point, megabytes=1)
    mounts.bind_tmpfs(point, megabytes=1)
    try:
        (found,) = mounts.mounted(point)
        assert {"nosuid", "nodev", "noexec", "nosymfollow"} <= set(found.options.split(","))
        with pytest.raises(OSError) as full:
            (point / "x").write_bytes(bytes(2**21))
        assert full.value.errno == errno.ENOSPC
    finally:
        mounts.unmount(point)


def test_claims_are_files_that_survive_and_a_broken_one_harms_no_other(tmp_path: Path) -> None:
    claims = FileClaims(tmp_path / "claims")
    assert claims.all() == []
    claim = Claim(
        ref="c" * 64,
        name=WarmName("abcd2345"),
        kernel_id=KernelId("0b9c4df3-6bee-4f97-8555-94410fd7993f"),
        user_id=UserId("u2345678"),
        boot="b",
        made=utc_now(),
    )
    claims.put(claim)
    claims.put(claim)
    (tmp_path / "claims" / "broken.json").write_text("{")
    assert FileClaims(tmp_path / "claims").all() == [claim]
    assert (tmp_path / "claims" / f"{claim.ref}.json").stat().st_mode & 0o777 == 0o600
    claims.remove(WarmName("other234"))
    assert claims.all() == [claim]
    claims.remove(claim.name)
    claims.remove(claim.name)
    assert claims.all() == []


@pytest.fixture(scope="module")
def ground(tiny_image: None) -> Iterator[World]:
    with world("docker") as made:
        made.await_agent(made.start_agent(), warm=1)
        yield made


def test_a_busy_home_is_left_and_reported_and_taken_away_later(ground: World) -> None:
    """Somebody of the host stands in the mounted home while its kernel is released."""
    user = ground.person()
    hashes = ground.hashes(user)
    kernel = ground.ready(ground.open(user).id)
    point = ground.settings.state / "mounts" / str(kernel.warm) / "jiqi"
    holder = subprocess.Popen([sys.executable, "-c", "input()"], cwd=point, stdin=-1)
    try:
        ground.base.kernels.stop(user.id, kernel.id)
        assert ground.stopped(kernel.id, seconds=30).status is Status.STOPPED
        assert ground.has_logged("mount_busy", kernel.id)
        assert mounts.mounted(point)
        assert [claim.name for claim in ground.claims()] == [kernel.warm]
    finally:
        holder.communicate(b"\n")
    wait_until(lambda: not mounts.mounted(point) and not ground.claims(), seconds=40, what=ground.log)
    assert ground.hashes(user) == hashes
    assert not point.exists()


def test_a_mount_that_no_claim_explains_is_left_and_reported(ground: World) -> None:
    user = ground.person()
    stray = ground.settings.state / "mounts" / "stray234" / "jiqi"
    stray.mkdir(parents=True)
    mounts.bind(ground.settings.homes / user.id, stray)
    try:
        wait_until(lambda: ground.has_logged("mount_unexplained", "stray234"), seconds=40)
        assert mounts.mounted(stray)
    finally:
        mounts.unmount(stray)
    wait_until(lambda: not stray.exists(), seconds=40)
    assert ground.hashes(user)


def test_a_container_of_nobody_is_removed(ground: World) -> None:
    """As when an agent died between making a container for a kernel and anything else."""
    from jiqi import wiring_workers
    from jiqi.domain.kernels import Network
    from jiqi.services.ports_hosts import PoolKey

    ground.await_pool()
    host = wiring_workers.kernel_host(ground.settings)
    try:
        host.prepare()
        environment = next(e for e in host.environments() if e.name == "tiny")
        key = PoolKey(environment="tiny", network=Network.NONE)
        stray = host.create(WarmName("stray567"), key, environment=environment, home=None, urgent=False)
        wait_until(lambda: host.find(stray.name) is None, seconds=40, what=ground.log)
        wait_until(lambda: stray.name not in host.leftovers(), seconds=20)
    finally:
        host.close()
