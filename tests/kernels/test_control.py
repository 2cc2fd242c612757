"""The control socket lies where user code can write: no client of it can end the forkserver or block another."""

from __future__ import annotations

import contextlib
import json
import os
import socket

from tests.kernels.processes import PATIENCE, Control, Forkserver, wait_until

from jiqi_kernel.clients import MAX_CLIENTS, MAX_UNREAD
from jiqi_kernel.protocol import MAX_LINE


def raw(server: Forkserver) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(PATIENCE)
    # EAGAIN is a full backlog: the forkserver accepts one connection a turn.
    wait_until(lambda: connection.connect_ex(str(server.run / "k" / "ctl")) == 0, what="a connection")
    return connection


def is_closed(client: socket.socket) -> bool:
    try:
        return client.recv(1) == b""
    except OSError:
        return True


def test_lines_that_are_no_requests_are_answered(shared: Forkserver) -> None:
    with raw(shared) as client:
        reader = client.makefile("rb")
        for line, code in [
            (b"{", "bad_json"),
            (b"\xff\xfe", "bad_json"),
            (b"[" * 100_000, "bad_json"),
            (b"[1]", "bad_request"),
            (b'{"id":[],"op":"hello"}', "bad_request"),
            (b'{"id":1,"op":"dance"}', "unknown_op"),
            (b'{"id":1,"op":"start","generation":true}', "bad_request"),
            (b'{"id":1,"op":"start","generation":1,"kernel_id":"a\\u0000"}', "bad_request"),
            (b'{"id":1,"op":"stop","grace":1e999}', "bad_request"),
            (b'{"id":1,"op":"stop","grace":NaN}', "bad_request"),
        ]:
            client.sendall(line + b"\n")
            reply = json.loads(reader.readline())
            assert (reply["ok"], reply["code"]) == (False, code), line[:40]
        client.sendall(b'\n\n{"id":"text","op":"hello"}\n')
        assert json.loads(reader.readline())["id"] == "text"
        reader.close()


def test_odd_paths_and_variables_are_refused_and_cost_nothing(shared: Forkserver) -> None:
    shared.wait_for_standby()
    for changes, code in [
        ({"prefix": "/tmp/\ud800"}, "bad_request"),
        ({"env": {"A=B": "1"}}, "bad_request"),
        ({"env": {"": "1"}}, "bad_request"),
        ({"env": {"A": "\udfff"}}, "bad_request"),
        ({"user_base": ["x"]}, "bad_request"),
        ({"cwd": "/" + "x" * 300}, "no_cwd"),
        ({"cwd": "/dev/null"}, "no_cwd"),
        ({"prefix": "/proc/s"}, "no_prefix"),
    ]:
        reply = shared.control.ask("start", **shared.spec(**changes))
        assert (reply["ok"], reply["code"]) == (False, code), changes
    assert shared.control.ask("status")["standby"]
    assert shared.kernel(user_base="/" + "y" * 300).text("print(1)") == "1\n"


def test_a_stop_while_starting_is_answered(server: Forkserver) -> None:
    starting = server.control.send("start", **server.spec())
    stopping = server.control.send("stop", grace=0)
    replies = [server.control.read() for _ in range(3)]
    answers = {reply["id"]: reply["ok"] for reply in replies if "id" in reply}
    assert answers[stopping] is True
    assert starting in answers
    assert server.kernel().text("print(1)") == "1\n"


def test_a_surrogate_in_an_id_comes_back(shared: Forkserver) -> None:
    with raw(shared) as client:
        client.sendall(b'{"id":"\\ud800","op":"hello"}\n')
        assert client.recv(65536)
    assert shared.control.ask("hello")["ok"]


def test_an_oversized_line_costs_its_sender_the_connection(shared: Forkserver) -> None:
    with raw(shared) as client:
        # The forkserver may close while bytes are still on their way, which resets the connection.
        with contextlib.suppress(OSError):
            client.sendall(b"x" * (MAX_LINE + 70_000))
            assert json.loads(client.makefile("rb").read())["code"] == "line_too_long"
        assert is_closed(client)
    assert shared.control.ask("hello")["ok"]


def test_a_client_that_never_reads_is_dropped(shared: Forkserver) -> None:
    with raw(shared) as client:
        client.setblocking(False)
        sent = 0
        request = b'{"id":1,"op":"hello"}\n' * 100

        def is_dropped() -> bool:
            nonlocal sent
            try:
                sent += client.send(request)
            except BlockingIOError:
                return False
            except OSError:
                return True
            return False

        wait_until(is_dropped, what="the connection to be dropped")
        assert sent > MAX_UNREAD / 100
    assert shared.control.ask("hello")["ok"]


def test_many_connections_do_not_shut_out_the_next(shared: Forkserver) -> None:
    crowd = [raw(shared) for _ in range(MAX_CLIENTS * 2)]
    late = Control(shared.run / "k" / "ctl")
    assert late.ask("hello")["ok"]
    late.close()
    for client in crowd:
        client.close()
    shared.control.close()
    shared.control = Control(shared.run / "k" / "ctl")


def test_half_a_line_blocks_nobody(shared: Forkserver) -> None:
    with raw(shared) as client:
        client.sendall(b'{"id":1,"op":')
        assert shared.control.ask("hello")["ok"]


def test_the_socket_comes_back_when_user_code_removes_or_replaces_it(server: Forkserver) -> None:
    path = server.run / "k" / "ctl"
    path.unlink()
    wait_until(path.exists, what="the socket")
    path.unlink()
    path.write_text("mine")
    wait_until(path.is_socket, what="the socket")
    fresh = Control(path)
    assert fresh.ask("hello")["ok"]
    fresh.close()
    assert oct(path.stat().st_mode & 0o777) == "0o770"


def test_user_code_that_asks_for_a_stop_only_stops_its_own_kernel(server: Forkserver) -> None:
    kernel = server.kernel()
    code = f"""
import socket
s = socket.socket(socket.AF_UNIX); s.connect({str(server.run / "k" / "ctl")!r}); s.sendall(b'{{"id":1,"op":"stop"}}\\n')
import time; time.sleep(60)
"""
    kernel.client.execute(code)
    assert server.control.event("exited")["signal"] == 9
    assert server.kernel().text("print(4)") == "4\n"


def test_interrupt_without_a_kernel_says_so(server: Forkserver) -> None:
    assert server.control.ask("interrupt")["code"] == "no_kernel"
    assert server.control.ask("stop")["ok"]
    assert os.getpid() != server.control.ask("hello")["pid"]
