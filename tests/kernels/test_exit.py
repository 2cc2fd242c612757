"""Ends: every exit is reported with its code or signal, and nothing that a kernel started outlives it."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from tests.kernels.processes import Control, Forkserver, alive, wait_until


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import os; os._exit(7)", (7, None)),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", (None, int(signal.SIGSEGV))),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", (None, int(signal.SIGKILL))),
        ("exit()", (0, None)),
    ],
)
def test_an_exit_is_reported_with_its_code_or_signal(
    server: Forkserver, code: str, expected: tuple[int | None, int | None]
) -> None:
    server.kernel().client.execute(code)
    event = server.control.event("exited")
    assert (event["kernel_id"], event["generation"]) == ("k1", 1)
    assert (event["code"], event["signal"]) == expected
    status = server.control.ask("status")
    assert status["kernel"] is None
    assert status["last_exit"] == {"generation": 1, "code": expected[0], "signal": expected[1]}


def test_a_stock_client_can_shut_the_kernel_down(server: Forkserver) -> None:
    server.kernel().client.shutdown()
    event = server.control.event("exited")
    assert (event["code"], event["signal"]) == (0, None)


def test_a_generation_that_ended_is_not_started_again(server: Forkserver) -> None:
    server.kernel().client.execute("import os; os._exit(1)")
    server.control.event("exited")
    reply = server.control.ask("start", **{**server.spec(), "generation": 1})
    assert reply["code"] == "exited"
    assert server.kernel(generation=2).text("print(5)") == "5\n"


def test_stop_runs_exit_functions_within_its_grace(server: Forkserver) -> None:
    kernel = server.kernel()
    kernel.text("import atexit; _ = atexit.register(lambda: open('left.txt', 'w').write('done'))")
    reply = server.control.ask("stop", grace=10)
    assert (reply["ok"], reply["code"], reply["signal"]) == (True, 0, None)
    assert (server.home / "left.txt").read_text() == "done"


def test_stop_kills_what_ignores_it_after_the_grace(server: Forkserver) -> None:
    kernel = server.kernel()
    kernel.text("import signal; _ = signal.signal(signal.SIGUSR2, signal.SIG_IGN)")
    reply = server.control.ask("stop", grace=0.3)
    assert reply["signal"] == signal.SIGKILL
    assert server.control.ask("stop")["signal"] == signal.SIGKILL


def test_what_a_kernel_started_ends_with_it(server: Forkserver) -> None:
    kernel = server.kernel()
    code = """
import subprocess
plain = subprocess.Popen(["sleep", "600"])
escaped = subprocess.run("setsid sleep 600 >/dev/null 2>&1 & echo $!", shell=True, capture_output=True, text=True)
print(plain.pid, escaped.stdout)
"""
    pids = [int(pid) for pid in kernel.text(code).split()]
    assert all(alive(pid) for pid in pids)
    server.start()
    wait_until(lambda: not any(alive(pid) for pid in pids), what="the processes to end")


def test_background_jobs_live_while_the_kernel_does(server: Forkserver) -> None:
    kernel = server.kernel()
    pid = int(
        kernel.text(
            "import subprocess; print(subprocess.run('setsid sleep 600 >/dev/null 2>&1 & echo $!', shell=True, capture_output=True, text=True).stdout)"
        )
    )
    assert kernel.text("import time; time.sleep(0.5); print(1)") == "1\n"
    assert alive(pid)
    server.control.ask("stop")
    wait_until(lambda: not alive(pid), what="the job to end")


def test_a_workers_end_by_sigterm_is_not_the_kernels(server: Forkserver) -> None:
    code = """
import atexit, multiprocessing, os, time
_ = atexit.register(lambda: open('exits.txt', 'a').write(f'{os.getpid()} '))
worker = multiprocessing.get_context('fork').Process(target=time.sleep, args=(600,))
worker.start(); worker.terminate(); worker.join(5)
print(worker.exitcode)
"""
    assert server.kernel().text(code) == "-15\n"
    assert not (server.home / "exits.txt").exists()


def test_a_killed_standby_is_replaced(server: Forkserver) -> None:
    server.wait_for_standby()
    listing = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    standby = int(listing.read_text().split()[0])
    os.kill(standby, signal.SIGKILL)
    wait_until(lambda: not alive(standby), what="the standby to die")
    assert server.kernel().text("print(2)") == "2\n"


def test_a_standby_that_dies_while_it_is_handed_over_costs_the_start_nothing(server: Forkserver) -> None:
    """It is halted, so that it takes the request without answering, and then killed."""
    server.wait_for_standby()
    listing = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    standby = int(listing.read_text().split()[0])
    os.kill(standby, signal.SIGSTOP)
    number = server.control.send("start", **server.spec())
    second = Control(server.run / "k" / "ctl")
    wait_until(lambda: (second.ask("status")["kernel"] or {}).get("pid") == standby, what="the handing over")
    os.kill(standby, signal.SIGKILL)
    reply = server.control.reply(number)
    assert reply["ok"], reply
    assert reply["pid"] != standby
    assert server.connect().text("print(3)") == "3\n"


def test_the_kernel_ends_with_the_forkserver(server: Forkserver) -> None:
    pid = server.start()["pid"]
    server.process.kill()
    wait_until(lambda: not alive(pid), what="the kernel to end")
    server.process.wait()
    server.process.terminate = lambda: None  # type: ignore[method-assign]
    server.process.wait = lambda _seconds=None: 0  # type: ignore[method-assign, assignment]
