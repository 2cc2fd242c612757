"""Writes, moves, copies and uploads happen whole or not at all."""

import os
import stat
import threading
import time

import pytest
from tests.contract.files_ground import leftovers

from jiqi.adapters.files import HomeFiles
from jiqi.domain.files import (
    DiskFullError,
    DiskQuotaError,
    FileIntoItselfError,
    FileKind,
    FileMissingError,
    FileTakenError,
    FileTooLargeError,
    UploadOrderError,
)


def test_a_file_in_the_making_is_not_seen_and_an_abort_leaves_nothing(home):
    home.write("a", b"old")
    with home.writer("a") as writer:
        writer.write(b"new and")
        assert home.read("a", limit=99)[1] == b"old"
        assert [e.name for e in home.entries("").entries] == ["a"]
    assert home.read("a", limit=99)[1] == b"old"
    assert leftovers(home.root) == []
    writer.abort()
    with pytest.raises(FileMissingError):
        writer.write(b"late")


def test_a_limit_and_a_quota_stop_a_write_and_the_old_file_counts_as_room(home):
    home.write("a", b"x" * 100)
    with pytest.raises(FileTooLargeError), home.writer("b", limit=10) as writer:
        writer.write(b"x" * 11)
    with home.writer("b", room=10) as writer:
        writer.write(b"x" * 8)
        with pytest.raises(DiskQuotaError):
            writer.write(b"x" * 8)
    home.write("a", b"y" * 105, room=10)
    with pytest.raises(DiskQuotaError):
        home.copy("a", "b", room=50)
    assert [e.name for e in home.entries("").entries] == ["a"]
    assert leftovers(home.root) == []


def test_not_to_overwrite_means_it_even_when_the_file_appears_meanwhile(home):
    home.write("a", b"1", overwrite=False)
    with pytest.raises(FileTakenError):
        home.writer("a", overwrite=False)
    with home.writer("b", overwrite=False) as writer:
        writer.write(b"mine")
        (home.root / "b").write_bytes(b"theirs")
        with pytest.raises(FileTakenError):
            writer.commit()
    assert home.read("b", limit=9)[1] == b"theirs"
    assert leftovers(home.root) == []


def test_rename_never_replaces_and_moves_folders(home):
    home.mkdir("a/b", parents=True)
    home.write("a/b/f", b"1")
    home.write("g", b"2")
    with pytest.raises(FileTakenError):
        home.rename("g", "a/b/f")
    with pytest.raises(FileTakenError):
        home.rename("g", "a")
    with pytest.raises(FileIntoItselfError):
        home.rename("a", "a/b/c")
    with pytest.raises(FileMissingError):
        home.rename("none", "x")
    with pytest.raises(FileMissingError):
        home.rename("g", "none/x")
    assert home.rename("a/b", "c").kind is FileKind.FOLDER
    assert home.read("c/f", limit=9)[1] == b"1"
    assert home.rename("g", "g").size == 1


def test_the_home_itself_is_neither_deleted_moved_nor_written(home):
    for call in (
        lambda: home.delete(""),
        lambda: home.rename("", "x"),
        lambda: home.writer(""),
        lambda: home.mkdir(""),
    ):
        with pytest.raises(FileTakenError):
            call()


def test_a_folder_is_copied_in_one_step_without_links(home, outside):
    home.mkdir("a/b", parents=True)
    home.write("a/b/f", b"1")
    (home.root / "a" / "b" / "f").chmod(0o755)
    (home.root / "a" / "link").symlink_to(outside)
    home.copy("a", "c")
    assert {e.name for e in home.entries("c").entries} == {"b"}
    assert stat.S_IMODE((home.root / "c/b/f").stat().st_mode) == 0o775
    with pytest.raises(FileTakenError):
        home.copy("a", "c")
    with pytest.raises(FileIntoItselfError):
        home.copy("a", "a/b/c")
    with pytest.raises(DiskQuotaError):
        home.copy("a", "d", room=0)
    assert leftovers(home.root) == []
    assert {e.name for e in home.entries("").entries} == {"a", "c"}


def test_ten_imports_at_once_give_one_folder(home, tmp_path):
    source = tmp_path / "lesson"
    (source / "assets").mkdir(parents=True)
    (source / "a.ipynb").write_bytes(b"{}")
    results = []

    def bring():
        try:
            results.append(home.import_folder(source, "lesson").name)
        except FileTakenError:
            results.append(None)

    threads = [threading.Thread(target=bring) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results, key=str) == [None] * 9 + ["lesson"]
    assert leftovers(home.root) == []
    assert {e.name for e in home.entries("lesson").entries} == {"a.ipynb", "assets"}


def test_parts_of_an_upload_appear_as_one_file(home):
    home.write("a", b"old")
    home.write_part("a", b"one", number=1, last=False)
    home.write_part("a", b"two", number=2, last=False)
    assert home.read("a", limit=9)[1] == b"old"
    with pytest.raises(UploadOrderError):
        home.write_part("a", b"two", number=2, last=False)
    with pytest.raises(UploadOrderError):
        home.write_part("a", b"five", number=5, last=False)
    entry = home.write_part("a", b"end", number=-1, last=True)
    assert (entry.size, home.read("a", limit=99)[1]) == (9, b"onetwoend")
    with pytest.raises(UploadOrderError):
        home.write_part("a", b"end", number=-1, last=True)
    assert leftovers(home.root) == []


def test_a_part_over_the_limit_ends_the_upload(home):
    home.write_part("a", b"12345", number=1, last=False)
    with pytest.raises(FileTooLargeError):
        home.write_part("a", b"12345", number=2, last=False, limit=9)
    assert leftovers(home.root) == []
    home.write_part("a", b"12345", number=1, last=False)
    with pytest.raises(DiskQuotaError):
        home.write_part("a", b"12345", number=-1, last=True, room=4)
    assert home.entries("").entries == ()
    assert leftovers(home.root) == []


def test_what_a_killed_process_left_is_swept(home):
    home.mkdir("d")
    writer = home.writer("d/a")
    writer.write(b"1")
    fresh = home.writer("d/b")
    old = time.time() - 3 * 24 * 3600
    [first] = [n for n in leftovers(home.root) if (home.root / "d" / n).stat().st_size]
    os.utime(home.root / "d" / first, (old, old))
    assert home.sweep(before=time.time() - 3600) == 1
    assert len(leftovers(home.root)) == 1
    for name in leftovers(home.root):
        os.utime(home.root / "d" / name, (old, old))
    assert home.entries("d").entries == ()
    assert leftovers(home.root) == []
    fresh.abort()
    writer.abort()


def test_a_full_disk_is_told_and_nothing_is_lost(small_disk):
    home = HomeFiles(small_disk / "u1")
    home.make_root()
    home.write("a", b"old")
    with pytest.raises(DiskFullError):
        home.write("a", b"x" * 2_000_000)
    with home.writer("b") as writer:
        writer.write(b"x" * 500_000)
        with pytest.raises(DiskFullError):
            writer.write(b"x" * 700_000)
    home.write_part("c", b"x" * 100_000, number=1, last=False)
    with pytest.raises(DiskFullError):
        home.write_part("c", b"x" * 2_000_000, number=2, last=False)
    home.mkdir("d")
    home.write("d/1", b"x" * 600_000)
    with pytest.raises(DiskFullError):
        home.copy("d", "e")
    assert home.read("a", limit=99)[1] == b"old"
    assert leftovers(home.root) == []
    assert {e.name for e in home.entries("").entries} == {"a", "d"}
