"""Users' applications against the real agent: outbox, Celery, Valkey and kernels of the process host."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from tests.api.jupyter_ground import SECRET, Ground, on_loop
from tests.integration.agent_world import World, world
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port

from jiqi import wiring
from jiqi.adapters.home_files import DiskHomes
from jiqi.services.authentication import Authentication
from jiqi.web.jupyter.apps import UserApps
from jiqi.web.pool import Pool

pytestmark = pytest.mark.slow


@contextlib.asynccontextmanager
async def served(there: World) -> AsyncIterator[Ground]:
    """The web side of a world."""
    socket, port = bind_unused_port()
    settings = msgspec.structs.replace(there.settings, notebook_url=f"http://127.0.0.1:{port}", port=port)
    base, pool = there.base, Pool()
    authentication = Authentication(database=base.database, clock=wiring.utc_now)
    apps = UserApps(
        settings,
        cookie_secret=SECRET,
        database=base.database,
        kernels=base.kernels,
        authentication=authentication,
        clock=wiring.utc_now,
        pool=pool,
        homes=DiskHomes(settings),
        room=lambda _: None,
        events=base.events,
    )
    apps.start()
    server = HTTPServer(apps)
    server.add_socket(socket)
    ground = Ground(settings, base.database, apps, settings.notebook_url, authentication)
    try:
        yield ground
    finally:
        for person in ground.people:
            await person.http.aclose()
        await apps.close()
        server.stop()
        await server.close_all_connections()
        pool.close()


def test_a_session_lives_and_dies_by_the_agent(tmp_path: Path) -> None:
    del tmp_path
    with world("process", pool="tiny/egress=1") as there:
        there.await_agent(there.start_agent(), warm=1)
        _life(there)


@on_loop
async def _life(there: World) -> None:
    async with served(there) as ground:
        me = ground.again(await asyncio.to_thread(there.person))
        body = {"kernel": {"name": "python3"}}
        loop = asyncio.get_running_loop()
        started = loop.time()
        first, second = await asyncio.gather(
            me.session_of("p/a.ipynb", **body), me.session_of("p/a.ipynb", **body)
        )
        assert first["kernel"]["id"] == second["kernel"]["id"]
        kernel = first["kernel"]["id"]
        socket = await me.socket(kernel)
        assert await socket.text("import os; x = 1; print(os.getcwd().rpartition('/')[2])") == "p\n"
        print(f"\nPOST of a session to the first output: {loop.time() - started:.3f} s")
        started = loop.time()
        assert (await me.ok("POST", f"/api/kernels/{kernel}/restart"))["execution_state"] == "idle"
        print(f"restart: {loop.time() - started:.3f} s")
        await socket.status("idle")
        assert await socket.text("print('x' in globals())") == "False\n"
        socket.execute("import time\nprint('on')\nfor _ in range(600): time.sleep(0.1)")
        await socket.until(lambda m: m["kind"] == "stream")
        assert (await me.call("POST", f"/api/kernels/{kernel}/interrupt")).status_code == 204
        await socket.until(lambda m: m["kind"] == "error")
        await socket.status("idle")
        socket.execute("import os; os._exit(3)")
        dead = await socket.status("dead")
        assert dead["metadata"]["jiqi"]["reason"] == "exited"
        model = await me.ok("GET", f"/api/kernels/{kernel}")
        assert (model["execution_state"], model["reason"]) == ("dead", "exited")
        again = await me.session_of("p/a.ipynb", **body)
        assert again["kernel"]["id"] != kernel
        reopened = await me.socket(again["kernel"]["id"])
        assert await reopened.text("print(2)") == "2\n"
        assert (await me.call("DELETE", f"/api/sessions/{again['id']}")).status_code == 204
        assert await me.ok("GET", "/api/kernels") == []
