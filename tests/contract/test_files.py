"""What every way of reaching a home's files must do; each test runs through openat2 and through the walk."""

import hashlib
import os
import socket
import stat
import subprocess
import threading
import time
from pathlib import Path

import pytest

from jiqi.adapters.files import HomeFiles, best_opener, open_by_kernel, open_by_walking
from jiqi.domain.files import (
    DiskFullError,
    DiskQuotaError,
    FileHiddenError,
    FileIntoItselfError,
    FileIsFolderError,
    FileKind,
    FileMissingError,
    FileNameError,
    FileNameTooLongError,
    FileNotFolderError,
    FileNotRegularError,
    FileOutsideError,
    FileSymlinkError,
    FileTakenError,
    FileTooLargeError,
    UploadOrderError,
    is_hidden,
    is_temporary,
    parse_path,
)
from jiqi.services.ports_files import Files

AWKWARD = "文件 名 <'&\">.ipynb"


@pytest.fixture(params=[open_by_kernel, open_by_walking], ids=["openat2", "walk"])
def home(request, tmp_path) -> HomeFiles:
    root = tmp_path / "homes" / "u1"
    root.parent.mkdir()
    files = HomeFiles(root, opener=request.param)
    files.make_root()
    return files


def leftovers(root: Path) -> list[str]:
    return [name for _, folders, names in os.walk(root) for name in folders + names if is_temporary(name)]


def test_this_machine_has_openat2_and_uses_it():
    assert best_opener() is open_by_kernel


def test_home_files_is_what_the_port_asks_for(home):
    files: Files = home
    assert files.stat("").kind is FileKind.FOLDER


def test_a_written_file_is_read_back_and_open_to_the_group(home):
    before = os.umask(0o077)
    try:
        home.mkdir("课程")
        entry = home.write(f"课程/{AWKWARD}", b"hello")
    finally:
        os.umask(before)
    assert (entry.name, entry.size, entry.kind) == (AWKWARD, 5, FileKind.FILE)
    assert home.read(f"课程/{AWKWARD}", limit=5)[1] == b"hello"
    assert stat.S_IMODE((home.root / "课程").stat().st_mode) == 0o2770
    assert stat.S_IMODE((home.root / "课程" / AWKWARD).stat().st_mode) == 0o660
    assert stat.S_IMODE(home.root.stat().st_mode) == 0o2770


def test_another_uid_of_the_same_group_can_write_what_was_made(home, tmp_path):
    gid = 54321
    for folder in (tmp_path.parent.parent, tmp_path.parent, tmp_path, tmp_path / "homes"):
        folder.chmod(folder.stat().st_mode | 0o011)
    os.chown(home.root, -1, gid)
    home.root.chmod(0o2770)
    home.mkdir("p")
    home.write("p/a.txt", b"by the web")
    code = "open('p/a.txt', 'a').write('!'); open('p/b.txt', 'w').write('kernel')"
    subprocess.run(
        ["python3", "-c", code],
        cwd=home.root,
        user=12345,
        group=gid,
        extra_groups=[],
        umask=0o007,
        check=True,
    )
    assert home.read("p/a.txt", limit=100)[1] == b"by the web!"
    assert (home.root / "p" / "b.txt").stat().st_gid == gid
    home.write("p/b.txt", b"web again")
    assert (home.root / "p" / "b.txt").stat().st_gid == gid


def test_with_an_owner_new_files_belong_to_him(home):
    files = HomeFiles(home.root, owner=12345)
    files.mkdir("d")
    files.write("d/a", b"")
    files.copy("d", "e")
    owners = {(home.root / name).stat().st_uid for name in ("d", "d/a", "e", "e/a")}
    assert owners == {12345}


def test_the_execute_bit_survives_a_save(home):
    home.write("run.sh", b"1")
    (home.root / "run.sh").chmod(0o750)
    home.write("run.sh", b"2")
    assert stat.S_IMODE((home.root / "run.sh").stat().st_mode) == 0o770


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("..", FileOutsideError),
        ("a/../../b", FileOutsideError),
        ("./a", FileOutsideError),
        ("/etc/passwd", FileOutsideError),
        ("a//b", FileNameError),
        ("a/", FileNameError),
        ("a\0b", FileNameError),
        ("\udc80", FileNameError),
        ("x" * 300, FileNameTooLongError),
        ("文" * 86, FileNameTooLongError),
        ("a/" * 3000 + "b", FileNameTooLongError),
    ],
)
def test_a_path_that_cannot_be_meant_is_refused_by_its_code(home, path, error):
    for operation in (home.stat, home.open, home.hash, home.entries, home.mkdir, home.delete, home.writer):
        with pytest.raises(error):
            operation(path)
    home.write("real", b"")
    for first, second in ((path, "new"), ("real", path)):
        with pytest.raises(error):
            home.rename(first, second)
        with pytest.raises(error):
            home.copy(first, second)


def test_percent_signs_and_backslashes_are_ordinary_characters(home):
    for name in ("%2e%2e", "..\\..\\x", "...", "a\nb", "-rf", "~", "$HOME", "文" * 85):
        home.write(name, b"1")
        assert home.read(name, limit=9)[1] == b"1"
        assert (home.root / name).is_file()


def test_names_are_kept_as_given(home):
    composed, decomposed = "\u00e9", "e\u0301"
    home.write(composed, b"1")
    home.write(decomposed, b"2")
    assert {e.name for e in home.entries("").entries} == {composed, decomposed}


def test_hidden_is_any_name_with_a_leading_dot():
    assert is_hidden(parse_path("a/.ipynb_checkpoints/b"))
    assert not is_hidden(parse_path("a.b/c"))
    assert FileHiddenError(path="x").code == "file.hidden"


@pytest.fixture
def outside(home) -> Path:
    other = home.root.parent / "u2"
    other.mkdir()
    (other / "secret").write_bytes(b"SECRET")
    (other / "folder").mkdir()
    (other / "folder" / "inner").write_bytes(b"SECRET")
    return other


@pytest.mark.parametrize("target", ["../u2", "/etc", "absolute", "."])
def test_a_link_is_never_followed_neither_on_the_way_nor_at_the_end(home, outside, target):
    real = str(outside) if target == "absolute" else target
    (home.root / "link").symlink_to(real)
    (home.root / "file").symlink_to(f"{real}/secret")
    before = sorted(p.name for p in outside.rglob("*"))
    for path in ("link/secret", "link/passwd", "file"):
        for operation in (home.open, home.hash, home.writer):
            with pytest.raises(FileSymlinkError):
                operation(path)
    for operation in (home.entries,):
        with pytest.raises(FileSymlinkError):
            operation("link")
    home.write("mine", b"1")
    for call in (
        lambda: home.mkdir("link/new"),
        lambda: home.rename("mine", "link/new"),
        lambda: home.rename("link/secret", "got"),
        lambda: home.copy("link", "got"),
        lambda: home.copy("link/secret", "got"),
        lambda: home.delete("link/secret"),
        lambda: home.write_part("link/x", b"1", number=1, last=False),
        lambda: home.write_part("file", b"1", number=1, last=False),
    ):
        with pytest.raises(FileSymlinkError):
            call()
    assert sorted(p.name for p in outside.rglob("*")) == before
    assert (outside / "secret").read_bytes() == b"SECRET"


def test_a_link_itself_is_shown_renamed_and_removed(home, outside):
    (home.root / "link").symlink_to(outside)
    assert [(e.name, e.kind, e.writable) for e in home.entries("").entries] == [
        ("link", FileKind.SYMLINK, False)
    ]
    home.rename("link", "moved")
    home.delete("moved")
    assert home.entries("").entries == ()
    assert (outside / "folder" / "inner").read_bytes() == b"SECRET"


def test_pipes_sockets_and_folders_are_not_opened(home):
    os.mkfifo(home.root / "pipe")
    unix = socket.socket(socket.AF_UNIX)
    unix.bind(str(home.root / "sock"))
    unix.close()
    home.mkdir("folder")
    started = time.monotonic()
    for name, error in (
        ("pipe", FileNotRegularError),
        ("sock", FileNotRegularError),
        ("folder", FileIsFolderError),
    ):
        for operation in (home.open, home.writer):
            with pytest.raises(error):
                operation(name)
    assert time.monotonic() - started < 1
    home.write("file", b"")
    for operation in (home.entries, lambda _: home.write("file/x", b""), lambda _: home.mkdir("file/x")):
        with pytest.raises(FileNotFolderError):
            operation("file")
    home.delete("pipe")
    home.delete("sock")
    assert {e.name for e in home.entries("").entries} == {"folder", "file"}


def test_reading_is_bounded(home):
    home.write("big", b"x" * 1001)
    with pytest.raises(FileTooLargeError) as caught:
        home.read("big", limit=1000)
    assert caught.value.params == {"path": "big", "limit": 1000, "limit_text": "1000 B"}
    with home.open("big") as file:
        assert (file.read_at(999, 10), file.read_at(2000, 10)) == (b"xx", b"")


def test_a_hash_is_that_of_the_bytes(home):
    data = os.urandom(3_000_001)
    home.write("a", data)
    assert home.hash("a") == hashlib.sha256(data).hexdigest()
    assert home.hash("a", algorithm="md5") == hashlib.md5(data).hexdigest()


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


def test_delete_removes_a_deep_folder_and_follows_no_link(home, outside):
    home.mkdir("d")
    (home.root / "d" / "link").symlink_to(outside)
    os.mkfifo(home.root / "d" / "pipe")
    for index in range(50):
        home.write(f"d/{index}", b"")
    folder = os.open(home.root / "d", os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("deeper", dir_fd=folder)
        inner = os.open("deeper", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    home.delete("d")
    assert home.entries("").entries == ()
    assert (outside / "folder" / "inner").exists()
    with pytest.raises(FileMissingError):
        home.delete("d")


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


def test_usage_counts_allocated_bytes_and_hard_links_once(home):
    home.write("a", b"x" * 100_000)
    os.link(home.root / "a", home.root / "b")
    with (home.root / "sparse").open("wb") as file:
        file.truncate(1 << 30)
    usage = home.usage()
    assert 100_000 <= usage.bytes < 200_000
    assert (usage.entries, usage.complete) == (3, True)
    assert not home.usage(limit=2).complete


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


def test_a_list_is_bounded_and_leaves_out_names_that_no_url_can_carry(home):
    for index in range(12):
        home.write(str(index), b"")
    (Path(os.fsdecode(os.fsencode(home.root) + b"/\xff\xfe"))).touch()
    listing = home.entries("", limit=10)
    assert (len(listing.entries), listing.truncated) == (10, True)
    assert len(home.entries("").entries) == 12


def test_a_missing_home_says_so(home):
    files = HomeFiles(home.root / "none")
    for call in (
        lambda: files.entries(""),
        lambda: files.open("a"),
        lambda: files.writer("a"),
        lambda: files.mkdir("a"),
    ):
        with pytest.raises(FileMissingError):
            call()


def test_no_call_keeps_a_descriptor(home):
    (home.root / "link").symlink_to("/etc")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        home.write("a", b"1")
        home.copy("a", "b", overwrite=True)
        for path in ("link/x", "none/x", "a/x", "..", "x" * 300):
            for operation in (home.open, home.writer, home.entries, home.delete, home.mkdir):
                with pytest.raises(Exception, match=r"file\."):
                    operation(path)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@pytest.fixture
def small_disk(tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], check=True)
    yield place
    subprocess.run(["umount", str(place)], check=True)


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


def test_another_mount_in_a_home_is_not_entered_nor_emptied(home, outside):
    home.mkdir("d/mnt", parents=True)
    place = home.root / "d" / "mnt"
    subprocess.run(["mount", "--bind", str(outside), str(place)], check=True)
    try:
        for operation in (home.entries, home.delete):
            with pytest.raises(FileOutsideError):
                operation("d/mnt")
        with pytest.raises(FileOutsideError):
            home.open("d/mnt/secret")
        with pytest.raises(FileOutsideError):
            home.delete("d")
        assert not home.usage().complete
    finally:
        subprocess.run(["umount", str(place)], check=True)
    assert (outside / "folder" / "inner").read_bytes() == b"SECRET"
