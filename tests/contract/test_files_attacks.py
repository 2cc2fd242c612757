"""Whatever path is asked for and whatever is swapped meanwhile, nothing outside a home is read or changed."""

import contextlib
import itertools
import threading
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jiqi.adapters.files import HomeFiles, open_by_kernel, open_by_walking
from jiqi.domain.errors import JiqiError

OPENERS = pytest.mark.parametrize("opener", [open_by_kernel, open_by_walking], ids=["openat2", "walk"])
SECRET = b"SECRET of another person"


def make_place(base: Path) -> tuple[Path, Path]:
    """Return (home, the neighbour's home); the home holds links of every kind."""
    home, other = base / "homes" / "u1", base / "homes" / "u2"
    (other / "d").mkdir(parents=True)
    (other / "secret").write_bytes(SECRET)
    (other / "d" / "secret").write_bytes(SECRET)
    (home / "d" / "e").mkdir(parents=True)
    (home / "d" / "f").write_bytes(b"mine")
    (home / "out").symlink_to("../u2")
    (home / "abs").symlink_to(other)
    (home / "etc").symlink_to("/etc")
    (home / "root").symlink_to("/")
    (home / "proc").symlink_to("/proc/self/cwd")
    (home / "d" / "up").symlink_to("../..")
    (home / "d" / "secret").symlink_to("../../u2/secret")
    (home / "loop").symlink_to("loop")
    return home, other


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(p.relative_to(folder)): (p.stat().st_ino, p.read_bytes() if p.is_file() else b"")
        for p in folder.rglob("*")
    }


NAMES = st.sampled_from(
    [
        "..",
        ".",
        "",
        "d",
        "e",
        "f",
        "up",
        "out",
        "abs",
        "etc",
        "root",
        "proc",
        "loop",
        "secret",
        "passwd",
        "u2",
        "u1",
        "homes",
        "%2e%2e",
        "..%2f",
        "..\\",
        "\x00",
        "..\x00",
        "x" * 300,
        "�",
        "~",
        "new",
        "ｅ",
        "．．",
    ]
)
PATHS = st.one_of(
    st.lists(NAMES, max_size=6).map("/".join),
    st.lists(NAMES, max_size=6).map(lambda names: "/" + "/".join(names)),
    st.lists(NAMES, max_size=6).map("\\".join),
    st.text(max_size=30),
)


@OPENERS
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(st.integers(0, 10), PATHS, PATHS), min_size=1, max_size=6))
def test_no_path_leads_out(tmp_path_factory, opener, steps):
    base = tmp_path_factory.mktemp("place")
    home, other = make_place(base)
    before = snapshot(other)
    files = HomeFiles(home, opener=opener)
    seen: list[bytes] = []
    operations = (
        lambda p, _: files.stat(p),
        lambda p, _: files.entries(p),
        lambda p, _: seen.append(files.read(p, limit=10_000)[1]),
        lambda p, _: files.write(p, b"evil"),
        lambda p, _: files.write_part(p, b"evil", number=1, last=False),
        lambda p, _: files.mkdir(p, parents=True),
        files.rename,
        files.copy,
        lambda p, _: files.delete(p),
        lambda p, _: files.hash(p),
        lambda p, q: files.copy(q, p, overwrite=True),
    )
    for which, path, second in steps:
        # Every refusal is one of ours: an OSError or ValueError here would be a bare 500 above.
        with contextlib.suppress(JiqiError):
            operations[which](path, second)
        assert all(SECRET not in data and b"root:" not in data for data in seen)
    assert snapshot(other) == before
    assert {p.name for p in base.iterdir()} == {"homes"}
    assert {p.name for p in (base / "homes").iterdir()} == {"u1", "u2"}
    for path in home.rglob("*"):
        if path.is_file() and not path.is_symlink():
            assert SECRET not in path.read_bytes()


@OPENERS
def test_a_folder_swapped_for_a_link_during_the_operation_gives_nothing_away(tmp_path, opener):
    home, other = make_place(tmp_path)
    before = snapshot(other)
    files = HomeFiles(home, opener=opener)
    (home / "x").mkdir()
    (home / "x" / "secret").write_bytes(b"mine")
    (home / "evil").symlink_to("../u2")
    done = threading.Event()
    swaps = 0

    def swap() -> None:
        nonlocal swaps
        while not done.is_set():
            (home / "x").rename(home / "aside")
            (home / "evil").rename(home / "x")
            (home / "x").rename(home / "evil")
            (home / "aside").rename(home / "x")
            swaps += 1

    thread = threading.Thread(target=swap)
    thread.start()
    outcomes = {"done": 0, "refused": 0}
    operations = (
        lambda _: files.read("x/secret", limit=1000)[1],
        lambda n: files.write(f"x/new{n % 7}", b"evil"),
        lambda n: files.delete(f"x/new{n % 7}"),
        lambda _: files.entries("x"),
        lambda _: files.rename("x/secret", "x/secret2"),
        lambda _: files.rename("x/secret2", "x/secret"),
        lambda n: files.mkdir(f"x/dir{n % 5}", exist_ok=True),
        lambda _: files.delete("x/d"),
        lambda n: files.copy("x", f"copy{n}"),
        lambda n: files.delete(f"copy{n}"),
    )
    try:
        until = time.monotonic() + 2.0
        for count in itertools.count():
            if time.monotonic() > until:
                break
            for operation in operations:
                try:
                    result = operation(count)
                except JiqiError:
                    outcomes["refused"] += 1
                else:
                    outcomes["done"] += 1
                    assert result != SECRET
    finally:
        done.set()
        thread.join()
    assert snapshot(other) == before
    assert swaps > 100
    assert min(outcomes.values()) > 50, outcomes
    assert all(SECRET not in p.read_bytes() for p in home.rglob("*") if p.is_file() and not p.is_symlink())
