"""Starting and restarting: the standby becomes the kernel, quickly, fresh and once."""

from __future__ import annotations

import time
from pathlib import Path

from tests.kernels.processes import Control, Forkserver, Kernel, alive, wait_until


def test_hello_tells_what_is_preloaded(shared: Forkserver) -> None:
    hello = shared.control.ask("hello")
    assert (hello["ok"], hello["protocol"]) == (True, 1)
    assert set(hello["preloaded"]) == {"numpy"}
    assert 0 < hello["preload_seconds"] < 30
    assert hello["pid"] == shared.process.pid


def test_a_start_from_the_standby_takes_under_a_tenth_of_a_second(shared: Forkserver) -> None:
    shared.disconnect()
    shared.wait_for_standby()
    reply = shared.start()
    assert reply["cold"] is False
    assert reply["shadowed"] == []
    assert reply["seconds"] < 0.1
    assert reply["kernel_info"]["status"] == "ok"
    assert reply["kernel_info"]["protocol_version"].startswith("5.")
    assert shared.connect().text("import numpy; print(1 + 1)") == "2\n"


def test_the_kernel_has_its_place_and_environment(shared: Forkserver) -> None:
    work = shared.home / "项目 一"
    work.mkdir(exist_ok=True)
    kernel = shared.kernel(cwd=str(work), env={"HOME": str(shared.home), "COURSE": "微积分"})
    code = "import os; print(os.getcwd(), os.environ['COURSE'], os.path.expanduser('~'), _dh[0], In[:1], sep='|')"
    assert kernel.text(code) == f"{work}|微积分|{shared.home}|{work}|['']\n"


def test_a_file_in_the_working_directory_can_be_imported(kernel: Kernel, shared: Forkserver) -> None:
    (shared.home / "mine_abc.py").write_text("answer = 42\n")
    assert kernel.text("import mine_abc; mine_abc.answer") == "42"


def test_the_same_generation_is_started_once(shared: Forkserver) -> None:
    spec = shared.spec()
    first = shared.control.ask("start", **spec)
    other = Control(shared.run / "k" / "ctl")
    again = other.ask("start", **spec)
    older = other.ask("start", **{**spec, "generation": 0})
    other.close()
    assert first["pid"] == again["pid"] == older["pid"]


def test_two_clients_that_ask_at_once_get_one_kernel(server: Forkserver) -> None:
    other = Control(server.run / "k" / "ctl")
    spec = server.spec()
    mine, theirs = server.control.send("start", **spec), other.send("start", **spec)
    assert server.control.reply(mine)["pid"] == other.reply(theirs)["pid"]
    other.close()


def test_another_kernel_is_refused(shared: Forkserver, kernel: Kernel) -> None:
    reply = shared.control.ask("start", **{**shared.spec(), "kernel_id": "k2"})
    assert (reply["ok"], reply["code"]) == (False, "other_kernel")
    assert kernel.text("print(1)") == "1\n"


def test_a_restart_keeps_the_sockets_names_and_forgets_the_variables(shared: Forkserver) -> None:
    kernel = shared.kernel()
    kernel.text("x = 1")
    pid = shared.control.ask("status")["kernel"]["pid"]
    shared.wait_for_standby()
    asked = time.monotonic()
    reply = shared.start()
    seconds = time.monotonic() - asked
    assert seconds < 0.5
    assert reply["pid"] != pid
    assert not alive(pid)
    # The client of before goes on: same paths, same key.
    wait_until(lambda: kernel.client.is_alive() is not None, what="the client")
    content, _ = kernel.run("x")
    assert content["ename"] == "NameError"
    assert content["execution_count"] == 1


def test_two_kernels_never_draw_the_same_numbers(shared: Forkserver) -> None:
    code = "import random, numpy; print(random.random(), numpy.random.rand(), numpy.random.default_rng().random())"
    drawn = [shared.kernel().text(code).split() for _ in range(3)]
    assert len({number for numbers in drawn for number in numbers}) == 9


def test_the_kernel_holds_no_descriptor_of_the_forkserver(shared: Forkserver) -> None:
    client = Control(shared.run / "k" / "ctl")
    shared.wait_for_standby()
    pid = shared.kernel().text("import os; print(os.getpid())").strip()

    def sockets(process: int | str) -> set[str]:
        folder = Path(f"/proc/{process}/fd")
        return {target for link in folder.iterdir() if (target := str(link.readlink())).startswith("socket:")}

    assert not sockets(pid) & sockets(shared.process.pid)
    client.close()


def test_history_begins_empty_and_stays_in_memory(kernel: Kernel, shared: Forkserver) -> None:
    kernel.text("1 + 1")
    lines = [line.split(": ", 1)[1] for line in kernel.text("%history -g -l 9").splitlines()]
    assert lines == ["1 + 1", "%history -g -l 9"]
    assert not list(shared.run.rglob("history.sqlite"))


def test_a_client_with_another_key_is_not_heard(shared: Forkserver) -> None:
    kernel = shared.kernel()
    stranger = Kernel(shared.prefix, ready=False, key="00" * 32)
    stranger.client.execute("stolen = 1")
    stranger.close()
    assert kernel.text("'stolen' in globals()") == "False"


def test_what_a_start_needs_is_checked_before_the_standby_is_spent(shared: Forkserver) -> None:
    shared.wait_for_standby()
    gone = shared.control.ask("start", **{**shared.spec(), "cwd": "/nonexistent"})
    long = shared.control.ask("start", **{**shared.spec(), "prefix": "/tmp/" + "x" * 120})
    bad = shared.control.ask("start", **{**shared.spec(), "env": {"A": 1}})
    assert [reply["code"] for reply in (gone, long, bad)] == ["no_cwd", "prefix_too_long", "bad_request"]
    assert shared.control.ask("status")["standby"] is True
