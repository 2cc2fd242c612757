"""Links, pipes and mounts that a kernel may put into a home lead nowhere and stop nothing."""

import os
import socket
import subprocess
import time
from pathlib import Path

import pytest

from jiqi.domain.files import (
    FileIsFolderError,
    FileKind,
    FileMissingError,
    FileNotFolderError,
    FileNotRegularError,
    FileOutsideError,
    FileSymlinkError,
)


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
