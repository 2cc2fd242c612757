"""What every way of reaching a home's files must do; each test runs through openat2 and through the walk."""

import hashlib
import os
import stat
import subprocess
from pathlib import Path

import pytest

from jiqi.adapters.files import HomeFiles, best_opener, open_by_kernel
from jiqi.domain.files import (
    FileHiddenError,
    FileKind,
    FileMissingError,
    FileNameError,
    FileNameTooLongError,
    FileOutsideError,
    FileTooLargeError,
    is_hidden,
    parse_path,
)
from jiqi.services.ports_files import Files

AWKWARD = "文件 名 <'&\">.ipynb"


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


def test_usage_counts_allocated_bytes_and_hard_links_once(home):
    home.write("a", b"x" * 100_000)
    os.link(home.root / "a", home.root / "b")
    with (home.root / "sparse").open("wb") as file:
        file.truncate(1 << 30)
    usage = home.usage()
    assert 100_000 <= usage.bytes < 200_000
    assert (usage.entries, usage.complete) == (3, True)
    assert not home.usage(limit=2).complete


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
