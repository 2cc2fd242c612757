"""Several web processes on one database and one kernel: none owns it, any may die, a third may join."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

from tests.api.jupyter_ground import Channels, Person, hosting, on_loop
from tests.harness.stack import free_port

ROOT = Path(__file__).resolve().parents[2]


class Web:
    """One web process."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self.process, self.port = process, port
        self.origin = f"http://127.0.0.1:{port}"

    def of(self, person: Person) -> Person:
        """The same person through this process."""
        return replace(person, origin=self.origin)

    async def kill(self, number: int) -> None:
        self.process.send_signal(number)
        await self.process.wait()


@contextlib.asynccontextmanager
async def web(state: Path) -> AsyncIterator[Web]:
    port = free_port()
    path = os.pathsep.join(str(ROOT / part) for part in ("platform", "kernels/runtime", "."))
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.api.jupyter_process",
        str(state),
        str(port),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
        cwd=ROOT,
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"serving\n"
    running = Web(process, port)
    try:
        yield running
    finally:
        if process.returncode is None:
            await running.kill(signal.SIGTERM)


async def number(socket: Channels, value: int) -> None:
    assert await socket.text(f"print(x + {value})") == f"{100 + value}\n"


@on_loop
async def test_two_processes_share_a_kernel_one_is_killed_and_a_third_joins_while_it_is_busy(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path) as (ground, _), web(tmp_path) as first, web(tmp_path) as second:
        me = ground.person()
        kernel = (await me.session_of("proj/a.ipynb"))["kernel"]["id"]
        a, b = await first.of(me).socket(kernel), await second.of(me).socket(kernel)
        await a.run("x = 100")
        for value in range(50):
            await number(a if value % 2 else b, value)
        c = await second.of(me).socket(kernel)
        await asyncio.gather(*(number(socket, value) for socket, value in ((a, 1), (b, 2), (c, 3))))
        await first.kill(signal.SIGKILL)
        await number(b, 5)
        b.execute("import time\nprint('on')\nfor _ in range(600): time.sleep(0.1)")
        await b.until(lambda m: m["kind"] == "stream")
        async with web(tmp_path) as third:
            d = await third.of(me).socket(kernel)
            await second.kill(signal.SIGTERM)
            assert (await me.call("POST", f"/api/kernels/{kernel}/interrupt")).status_code == 204
            await d.until(lambda m: m["kind"] == "error")
            await d.status("idle")  # before that, what is sent is aborted with the cell that failed
            await number(d, 7)


@on_loop
async def test_a_restart_and_an_end_asked_of_one_process_reach_the_websockets_of_another(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path) as (ground, _), web(tmp_path) as other:
        me = ground.person()
        session = await me.session_of("proj/a.ipynb")
        kernel = session["kernel"]["id"]
        there = await other.of(me).socket(kernel)
        await there.run("x = 1")
        await me.ok("POST", f"/api/kernels/{kernel}/restart")
        await there.status("restarting")
        await there.status("idle")
        assert await there.text("print('x' in globals())") == "False\n"
        await me.call("DELETE", f"/api/sessions/{session['id']}")
        assert (await there.status("dead"))["metadata"]["jiqi"]["reason"] == "user"


@on_loop
async def test_simultaneous_opens_in_two_processes_give_one_kernel(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _), web(tmp_path) as other:
        me = ground.person()
        person = replace(other.of(me), http=me.http)
        url = f"{other.origin}{me.base}/api/sessions"
        body = {"path": "p/a.ipynb", "type": "notebook", "kernel": {"name": "torch-cpu"}}

        async def there() -> dict:
            answer = await person.http.post(url, json=body, headers={"Authorization": f"token {me.token}"})
            return answer.json()

        sessions = await asyncio.gather(
            me.session_of("p/a.ipynb"), there(), me.session_of("p/a.ipynb"), there()
        )
        assert len({s["kernel"]["id"] for s in sessions}) == 1
