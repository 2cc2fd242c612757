"""Kernels through a web process that owns none: run, restart, interrupt, death, three opens at once."""

import asyncio
from pathlib import Path

from tests.api.jupyter_ground import hosting, on_loop


@on_loop
async def test_a_cell_runs_and_says_which_document_and_cell_it_belongs_to(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()
        session = await me.session_of("proj/a.ipynb")
        assert session["kernel"]["execution_state"] == "idle"
        assert session["path"] == session["notebook"]["path"] == "proj/a.ipynb"
        socket = await me.socket(session["kernel"]["id"])
        messages = await socket.run("print(6*7)", metadata={"cellId": "c1", "jiqi": {"doc": "forged"}})
        kinds = [m["kind"] for m in messages]
        assert kinds.count("stream") == 1
        assert kinds[-1] in {"execute_reply", "status"}
        inputs = next(m for m in messages if m["kind"] == "execute_input")
        assert inputs["metadata"]["jiqi"]["cell"] == "c1"
        assert inputs["metadata"]["jiqi"]["doc"] == "proj/a.ipynb"
        numbers = [m["metadata"]["jiqi"]["n"] for m in messages if m["channel"] == "iopub"]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        second = await me.socket(session["kernel"]["id"])
        asked = second.execute("print(1)")
        seen = await second.until(lambda m: m["kind"] == "execute_reply")
        assert {m["parent"] for m in seen} == {asked}, (
            "nobody asked the kernel anything to open the websocket"
        )
        old = await me.socket(session["kernel"]["id"], v1=False)
        assert await old.text("print('旧')") == "旧\n"


@on_loop
async def test_three_simultaneous_opens_give_one_kernel(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()
        sessions = await asyncio.gather(*(me.session_of("proj/a.ipynb") for _ in range(3)))
        assert len({s["id"] for s in sessions}) == len({s["kernel"]["id"] for s in sessions}) == 1
        assert len(await me.ok("GET", "/api/kernels")) == 1
        assert [s["id"] for s in await me.ok("GET", "/api/sessions")] == [sessions[0]["id"]]


@on_loop
async def test_a_websocket_opened_before_the_kernel_is_ready_is_accepted_when_it_is(tmp_path: Path) -> None:
    async with hosting(tmp_path, warm=0) as (ground, host):
        host.held.set()
        me = ground.person()
        session = await me.session_of("proj/a.ipynb")
        assert session["kernel"]["execution_state"] == "starting"
        opening = asyncio.ensure_future(me.socket(session["kernel"]["id"]))
        done, _ = await asyncio.wait([opening], timeout=0.5)
        assert not done
        host.held.clear()
        assert await (await opening).text("print(1)") == "1\n"


@on_loop
async def test_a_restart_keeps_the_websocket_and_forgets_variables(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()
        kernel = (await me.session_of("proj/a.ipynb"))["kernel"]["id"]
        socket = await me.socket(kernel)
        await socket.run("x = 1")
        model = await me.ok("POST", f"/api/kernels/{kernel}/restart")
        assert (model["id"], model["execution_state"]) == (kernel, "idle")
        await socket.status("restarting")
        await socket.status("idle")
        assert await socket.text("print('x' in globals())") == "False\n"
        fresh = await me.socket(kernel)
        assert await fresh.text("print('y')") == "y\n"


@on_loop
async def test_an_interrupt_ends_the_cell_and_a_second_websocket_need_not_wait_for_it(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()
        kernel = (await me.session_of("proj/a.ipynb"))["kernel"]["id"]
        first = await me.socket(kernel)
        first.execute("import time\nprint('on')\nfor _ in range(600): time.sleep(0.1)")
        await first.until(lambda m: m["kind"] == "stream")
        loop = asyncio.get_running_loop()
        before = loop.time()
        second = await me.socket(kernel)
        assert loop.time() - before < 2
        assert (await me.ok("GET", f"/api/kernels/{kernel}"))["execution_state"] == "busy"
        assert (await me.call("POST", f"/api/kernels/{kernel}/interrupt")).status_code == 204
        for socket in (first, second):
            error = (await socket.until(lambda m: m["kind"] == "error"))[-1]
            assert error["content"]["ename"] == "KeyboardInterrupt"


@on_loop
async def test_a_process_that_meets_a_busy_kernel_finds_out_that_it_is_busy(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()
        kernel = (await me.session_of("proj/a.ipynb"))["kernel"]["id"]
        socket = await me.socket(kernel)
        socket.execute("import time\nprint('on')\ntime.sleep(600)")
        await socket.until(lambda m: m["kind"] == "stream")
        socket.close()

        async def dropped() -> bool:
            return ground.apps.drop_idle(seconds=0) == 1

        await _until(dropped)

        async def busy() -> bool:
            return (await me.ok("GET", f"/api/kernels/{kernel}"))["execution_state"] == "busy"

        await _until(busy)


@on_loop
async def test_a_death_is_told_with_its_reason_to_websockets_lists_and_later_questions(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()
        session = await me.session_of("proj/a.ipynb")
        kernel = session["kernel"]["id"]
        socket = await me.socket(kernel)
        socket.execute("import os; os._exit(3)")
        dead = await socket.status("dead")
        assert dead["metadata"]["jiqi"]["reason"] == "exited"
        assert await me.ok("GET", "/api/sessions") == [] == await me.ok("GET", "/api/kernels")
        model = await me.ok("GET", f"/api/kernels/{kernel}")
        assert (model["execution_state"], model["reason"]) == ("dead", "exited")
        again = await me.session_of("proj/a.ipynb")
        assert again["kernel"]["id"] != kernel
        assert await (await me.socket(again["kernel"]["id"])).text("print(2)") == "2\n"


@on_loop
async def test_deleting_a_session_stops_its_kernel(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()
        session = await me.session_of("proj/a.ipynb")
        assert (await me.call("DELETE", f"/api/sessions/{session['id']}")).status_code == 204
        assert (await me.call("GET", f"/api/sessions/{session['id']}")).status_code == 404
        model = await me.ok("GET", f"/api/kernels/{session['kernel']['id']}")
        assert (model["execution_state"], model["reason"]) == ("dead", "user")


@on_loop
async def test_a_session_follows_its_file_and_changes_its_kernel(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()
        session = await me.session_of("proj/a.ipynb")
        moved = await me.ok(
            "PATCH", f"/api/sessions/{session['id']}", body={"path": "proj/新.ipynb", "name": "新.ipynb"}
        )
        assert (moved["path"], moved["kernel"]["id"]) == ("proj/新.ipynb", session["kernel"]["id"])
        other = await me.ok(
            "PATCH", f"/api/sessions/{session['id']}", body={"kernel": {"name": "paddle-cpu"}}
        )
        assert other["id"] == session["id"]
        assert (other["path"], other["kernel"]["name"]) == ("proj/新.ipynb", "paddle-cpu")
        assert other["kernel"]["id"] != session["kernel"]["id"]
        assert await (await me.socket(other["kernel"]["id"])).text("print(3)") == "3\n"
        second = await me.session_of("proj/b.ipynb")
        taken = await me.call("PATCH", f"/api/sessions/{second['id']}", body={"path": "proj/新.ipynb"})
        assert (taken.status_code, taken.json()["code"]) == (409, "file.exists")


@on_loop
async def test_the_newer_of_two_websockets_of_one_session_stays(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()
        kernel = (await me.session_of("proj/a.ipynb"))["kernel"]["id"]
        older = await me.socket(kernel, session="same")
        newer = await me.socket(kernel, session="same")
        assert await older.closed() == 4409
        assert await newer.text("print(4)") == "4\n"
        await newer.run("x = input and 1")


@on_loop
async def test_an_input_is_asked_and_answered(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()
        socket = await me.socket((await me.session_of("proj/a.ipynb"))["kernel"]["id"])
        socket.execute("print('got', input('名字? '))", allow_stdin=True)
        asked = (await socket.until(lambda m: m["kind"] == "input_request"))[-1]
        assert asked["channel"] == "stdin"
        assert asked["content"]["prompt"] == "名字? "
        socket.send("input_reply", {"value": "小红"}, channel="stdin")
        said = (await socket.until(lambda m: m["kind"] == "stream" and "got" in m["content"]["text"]))[-1]
        assert "小红" in said["content"]["text"]


@on_loop
async def test_what_is_no_message_closes_the_websocket_and_harms_nobody(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()
        kernel = (await me.session_of("proj/a.ipynb"))["kernel"]["id"]
        huge_count = (2**62).to_bytes(8, "little") + b"x" * 64
        for bad in (huge_count, b"", b"\xff" * 100, "text"):
            socket = await me.socket(kernel)
            socket.connection.write_message(bad, binary=isinstance(bad, bytes))
            assert await socket.closed() == 1007
        assert (await me.call("GET", f"/api/kernels/{kernel}/channels")).status_code == 400
        assert await (await me.socket(kernel)).text("print(5)") == "5\n"


@on_loop
async def test_more_kernels_than_the_role_allows_and_unknown_environments_are_refused_with_codes(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path) as (ground, _):
        from jiqi.domain.accounts import Role

        guest = ground.person(role=Role.GUEST)
        first = await guest.session_of("p/a.ipynb")
        body = {"path": "p/b.ipynb", "type": "notebook", "kernel": {"name": "torch-cpu"}}
        refused = await guest.call("POST", "/api/sessions", body=body)
        assert (refused.status_code, refused.json()["code"]) == (409, "kernel.limit")
        assert first["kernel"]["name"] == "torch-cpu"
        me = ground.person()
        unknown = await me.call("POST", "/api/kernels", body={"name": "julia"})
        assert (unknown.status_code, unknown.json()["code"]) == (400, "environment.unknown")
        assert (await me.ok("POST", "/api/kernels", body={"name": "python3"}))["name"] == "torch-cpu"
        for path in ("../x.ipynb", "p/../../x", "a\0b", "名" * 300):
            bad = await me.call("POST", "/api/sessions", body={**body, "path": path})
            assert (bad.status_code, bad.json()["code"].partition(".")[0]) == (400, "file"), path


async def _until(happened) -> None:
    async with asyncio.timeout(10):
        while not await happened():  # what is waited for is another process's
            await asyncio.sleep(0.02)
