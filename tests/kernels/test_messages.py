"""What goes over the wire: numbers and origins on IOPub, input, interrupts, comms, output of forked children."""

from __future__ import annotations

import time
from typing import Any

from tests.kernels.processes import PATIENCE, Forkserver, Kernel, drain, printed, wait_until


def numbers(messages: list[dict[str, Any]]) -> list[int]:
    return [
        message["metadata"]["jiqi"]["n"] for message in messages if message["msg_type"] != "iopub_welcome"
    ]


def test_execute_input_says_its_cell_and_document(kernel: Kernel) -> None:
    metadata = {"cellId": "a1b2", "jiqi": {"doc": "d-7"}}
    message = kernel.client.session.msg("execute_request", {"code": "1", "silent": False}, metadata=metadata)
    kernel.client.shell_channel.send(message)
    found = kernel.until("execute_input")
    assert {key: found["metadata"]["jiqi"][key] for key in ("cell", "doc")} == {"cell": "a1b2", "doc": "d-7"}
    assert found["content"] == {"code": "1", "execution_count": 1}


def test_odd_request_metadata_is_left_out(kernel: Kernel) -> None:
    for metadata in ({"cellId": 5, "jiqi": "x"}, {"cellId": "c" * 9999, "jiqi": {"doc": None}}):
        kernel.client.shell_channel.send(
            kernel.client.session.msg("execute_request", {"code": ""}, metadata=metadata)
        )
        assert set(kernel.until("execute_input")["metadata"]["jiqi"]) == {"n"}


def test_iopub_is_numbered_without_a_gap_in_the_order_of_the_wire(kernel: Kernel) -> None:
    code = """
import sys, threading
from IPython.display import display
def talk(name):
    for i in range(200):
        print(name, i, flush=True); display({'text/plain': name}, raw=True)
threads = [threading.Thread(target=talk, args=(name,)) for name in 'abc']
[thread.start() for thread in threads]; [thread.join() for thread in threads]
print('end', file=sys.stderr)
"""
    _, messages = kernel.run(code)
    found = numbers(messages)
    assert len(found) > 600
    assert found == list(range(found[0], found[0] + len(found)))


def test_each_generation_counts_from_one(shared: Forkserver) -> None:
    kernel = shared.kernel()
    kernel.text("print('x')")
    first = shared.kernel()
    drain(first.client)
    _, messages = first.run("1")
    assert numbers(messages)[0] < 40


def test_output_of_a_forked_child_is_numbered_too(kernel: Kernel) -> None:
    code = """
import multiprocessing
context = multiprocessing.get_context('fork')
workers = [context.Process(target=lambda: print('from a child', flush=True)) for _ in range(2)]
[worker.start() for worker in workers]; [worker.join() for worker in workers]
print([worker.exitcode for worker in workers])
"""
    reply, messages = kernel.run(code)
    assert reply["status"] == "ok"
    wait_until(
        lambda: messages.extend(drain(kernel.client)) or printed(messages).count("from a child") == 2,
        what="children",
    )
    assert "[0, 0]" in printed(messages)
    assert sorted(numbers(messages)) == list(
        range(numbers(messages)[0], numbers(messages)[0] + len(messages))
    )


def test_a_large_display_arrives_whole_and_signed(kernel: Kernel) -> None:
    _, messages = kernel.run(
        "from IPython.display import display\ndisplay({'text/plain': 'x' * 8_000_000}, raw=True)"
    )
    data = [message for message in messages if message["msg_type"] == "display_data"]
    assert len(data[0]["content"]["data"]["text/plain"]) == 8_000_000


def test_input_asks_and_gets_an_answer(kernel: Kernel) -> None:
    asked: list[str] = []

    def answer(message: dict[str, Any]) -> None:
        asked.append(message["content"]["prompt"])
        kernel.client.input("小明")

    messages: list[dict[str, Any]] = []
    reply = kernel.client.execute_interactive(
        "print('你好', input('名字？'))",
        allow_stdin=True,
        stdin_hook=answer,
        output_hook=messages.append,
        timeout=PATIENCE,
    )
    assert (asked, reply["content"]["status"]) == (["名字？"], "ok")
    assert printed(messages) == "你好 小明\n"


def interrupted(server: Forkserver, kernel: Kernel, code: str) -> dict[str, Any]:
    request = kernel.client.execute(f"print('begun', flush=True)\n{code}")
    assert kernel.until("stream")["content"]["text"].startswith("begun")
    assert server.control.ask("interrupt")["ok"]
    while True:
        reply = kernel.client.get_shell_msg(timeout=PATIENCE)
        if reply["parent_header"]["msg_id"] == request:
            return dict(reply["content"])


def test_interrupt_ends_a_sleep_a_loop_and_a_shell_line(shared: Forkserver, kernel: Kernel) -> None:
    for code in (
        "import time; time.sleep(600)",
        "while True: pass",
        "import subprocess; subprocess.run(['sleep', '600'])",
    ):
        began = time.monotonic()
        assert interrupted(shared, kernel, code)["ename"] == "KeyboardInterrupt"
        assert time.monotonic() - began < 5
    interrupted(shared, kernel, "!sleep 600")
    assert kernel.text("print('still here')") == "still here\n"


def test_interrupt_is_heard_between_calls_into_c(shared: Forkserver, kernel: Kernel) -> None:
    code = "import numpy\na = numpy.ones((700, 700))\nwhile True: a = a @ a / 700"
    assert interrupted(shared, kernel, code)["ename"] == "KeyboardInterrupt"


def test_interrupt_ends_input(shared: Forkserver, kernel: Kernel) -> None:
    request = kernel.client.execute("input('?')", allow_stdin=True)
    assert kernel.client.get_stdin_msg(timeout=PATIENCE)["msg_type"] == "input_request"
    shared.control.ask("interrupt")
    reply = kernel.client.get_shell_msg(timeout=PATIENCE)
    assert (reply["parent_header"]["msg_id"], reply["content"]["ename"]) == (request, "KeyboardInterrupt")


def test_interrupt_of_an_idle_kernel_changes_nothing(shared: Forkserver, kernel: Kernel) -> None:
    kernel.text("x = 3")
    assert shared.control.ask("interrupt")["ok"]
    assert kernel.text("print(x)") == "3\n"


def test_a_widget_speaks_both_ways(kernel: Kernel) -> None:
    _, messages = kernel.run("import ipywidgets\ns = ipywidgets.IntSlider(value=3)\ns")
    opened = [message for message in messages if message["msg_type"] == "comm_open"]
    model = next(m for m in opened if m["content"]["data"]["state"].get("_model_name") == "IntSliderModel")
    data = {"method": "update", "state": {"value": 8}, "buffer_paths": []}
    content = {"comm_id": model["content"]["comm_id"], "data": data}
    kernel.client.shell_channel.send(kernel.client.session.msg("comm_msg", content))
    wait_until(lambda: kernel.text("print(s.value)") == "8\n", what="the slider to move")


def test_completion_and_inspection_answer(kernel: Kernel) -> None:
    kernel.text("import numpy as np")
    request = kernel.client.complete("np.linsp", 8)
    reply = kernel.client.get_shell_msg(timeout=PATIENCE)
    assert reply["parent_header"]["msg_id"] == request
    assert any(match.endswith("linspace") for match in reply["content"]["matches"])
    kernel.client.inspect("np.linspace", 11)
    assert "evenly spaced" in kernel.client.get_shell_msg(timeout=PATIENCE)["content"]["data"]["text/plain"]


def test_no_tcp_port_is_opened(shared: Forkserver, kernel: Kernel) -> None:
    code = "import psutil; print([c.laddr for c in psutil.Process().net_connections('inet')])"
    assert kernel.text(code) == "[]\n"


def test_heartbeat_beats_while_a_cell_runs(kernel: Kernel) -> None:
    kernel.client.execute("sum(range(10**8))")
    kernel.client.hb_channel.unpause()
    wait_until(kernel.client.hb_channel.is_beating, what="a beat")
    assert kernel.text("print(1)") == "1\n"
