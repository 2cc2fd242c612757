"""The client of the control socket against a server that is anybody: every answer is checked, every wait ends."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.integration.agent_world import wait_until

from jiqi.adapters.hosts import control
from jiqi.adapters.hosts.waiting import exit_by_status
from jiqi.adapters.hosts.watching import Watcher
from jiqi.domain.ids import KernelId, WarmName
from jiqi.services.ports_hosts import PlaceLostError, StartRefusedError, StartTimeoutError

KERNEL = KernelId("0b9c4df3-6bee-4f97-8555-94410fd7993f")


@contextmanager
def server(folder: Path, answer: Callable[[socket.socket], None]) -> Iterator[None]:
    """Serve one connection after the other with `answer`."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / control.NAME))
        listener.listen()

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    try:
                        answer(connection)
                    except OSError:
                        continue

        threading.Thread(target=serve, daemon=True).start()
        try:
            yield
        finally:
            listener.shutdown(socket.SHUT_RDWR)


def saying(*lines: object) -> Callable[[socket.socket], None]:
    def answer(connection: socket.socket) -> None:
        connection.recv(65536)
        for line in lines:
            connection.sendall(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")
        connection.recv(1)

    return answer


def hello(folder: Path, seconds: float = 5) -> control.Hello:
    return control.request(folder, "hello", control.Hello, seconds=seconds)


def test_an_honest_reply_is_found_between_events(tmp_path: Path) -> None:
    lines = (
        {"event": "ready"},
        b"not json\n",
        {"id": 1, "ok": True, "protocol": 1, "standby": True, "more": [1]},
    )
    with server(tmp_path, saying(*lines)):
        assert hello(tmp_path).standby


@pytest.mark.parametrize(
    "line",
    [
        {"id": 1, "ok": True, "protocol": "1", "standby": "yes"},
        {"id": 1, "ok": True},
        {"id": 1, "ok": False, "code": "no", "message": "x" * 100_000},
        {"id": 1, "ok": False, "code": {"a": 1}},
        b'{"id": 1, "ok": true, "protocol": ' + b"[" * 100_000 + b"\n",
    ],
)
def test_a_reply_of_the_wrong_shape_is_refused(tmp_path: Path, line: object) -> None:
    with server(tmp_path, saying(line)):
        with pytest.raises((StartRefusedError, StartTimeoutError)) as refused:
            hello(tmp_path, seconds=0.5)
        assert len(str(refused.value)) < 1000


@pytest.mark.parametrize("flood", [b"x" * 300_000, b"{}\n" * 1_000_000])
def test_a_flood_ends_the_connection(tmp_path: Path, flood: bytes) -> None:
    with server(tmp_path, saying(flood)), pytest.raises(PlaceLostError):
        hello(tmp_path)


def test_silence_ends_in_time_also_when_it_drips(tmp_path: Path) -> None:
    def drip(connection: socket.socket) -> None:
        while True:
            connection.sendall(b"{}\n")
            time.sleep(0.05)

    for answer in (lambda connection: connection.recv(99) and time.sleep(5), drip):
        folder = tmp_path / str(id(answer))
        folder.mkdir()
        began = time.monotonic()
        with server(folder, answer), pytest.raises(StartTimeoutError):
            hello(folder, seconds=0.5)
        assert time.monotonic() - began < 2


def test_a_link_a_file_and_nothing_are_no_socket(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    with server(real, saying({"id": 1, "ok": True, "protocol": 1, "standby": True})):
        linked, plain, empty = (tmp_path / name for name in ("linked", "plain", "empty"))
        for folder in (linked, plain, empty):
            folder.mkdir()
        (linked / control.NAME).symlink_to(real / control.NAME)
        (plain / control.NAME).write_text("")
        (tmp_path / "folder").symlink_to(real)
        for folder in (linked, plain, empty, tmp_path / "folder", tmp_path / "none"):
            with pytest.raises(control.SilentError):
                hello(folder)
        assert hello(real).standby


def test_a_description_that_is_too_large_is_not_kept() -> None:
    assert control.checked_info({"status": "ok"}) == {"status": "ok"}
    with pytest.raises(StartRefusedError):
        control.checked_info({"banner": "x" * 100_000})
    assert len(control.checked_words(["x" * 9999] * 999)) == 50


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ({"kernel": {"kernel_id": KERNEL, "generation": 2, "alive": True}}, None),
        ({"kernel": {"kernel_id": KERNEL, "generation": 3, "alive": False}}, None),
        ({"kernel": None, "last_exit": {"generation": 2, "code": None, "signal": 9}}, (None, 9)),
        ({"kernel": None, "last_exit": {"generation": 1, "code": 0, "signal": None}}, (None, None)),
        ({"kernel": None, "last_exit": None}, (None, None)),
        ({"kernel": "forged"}, None),
    ],
)
def test_how_a_kernel_ended_is_read_from_the_status(tmp_path: Path, status: dict, expected: object) -> None:
    with server(tmp_path, saying({"id": 1, "ok": True, **status})):
        gone = exit_by_status(tmp_path, kernel_id=KERNEL, generation=2)
    assert (None if gone is None else (gone.code, gone.signal)) == expected


def test_the_watcher_tells_of_exits_and_of_silence_and_drops_a_flood(tmp_path: Path) -> None:
    watcher = Watcher()
    told: list[str] = []
    steps = {name: threading.Event() for name in ("exited", "silent")}

    def answer(connection: socket.socket) -> None:
        connection.sendall(b'{"event": "ready"}\n')
        steps["exited"].wait(5)
        connection.sendall(b'{"event": "exited", "code": 1}\n')
        steps["silent"].wait(5)

    name = WarmName("abcd2345")
    try:
        with server(tmp_path, answer):
            watcher.watch(name, tmp_path, changed=lambda: told.append("changed"))
            assert watcher.names() == {name}
            assert told == []
            steps["exited"].set()
            wait_until(lambda: told == ["changed"], seconds=5)
            assert watcher.names() == {name}
            steps["silent"].set()
            wait_until(lambda: told == ["changed"] * 2, seconds=5)
            assert watcher.names() == set()
        (tmp_path / control.NAME).unlink()
        with server(tmp_path, lambda connection: connection.sendall(b"x" * 10_000_000)):
            watcher.watch(name, tmp_path, changed=lambda: told.append("flood"))
            wait_until(lambda: told[-1] == "flood" and not watcher.names(), seconds=5)
    finally:
        watcher.close()
