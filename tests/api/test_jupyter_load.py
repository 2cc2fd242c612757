"""What users cost the process, and what one user's outputs cost the others."""

import asyncio
import gc
import json
import resource
import time
from pathlib import Path

from tests.api.contents.contents_server import Lag
from tests.api.jupyter_ground import hosting, on_loop, serving

from jiqi.services.authentication import Principal
from jiqi.web.jupyter.channels import KernelConnection
from jiqi.web.jupyter.shared import MAX_SOCKETS


def resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


@on_loop
async def test_a_hundred_users_cost_little_and_are_dropped_when_idle(tmp_path: Path) -> None:
    async with serving(tmp_path) as ground:
        people = [ground.person() for _ in range(105)]
        principals = [Principal(user=p.user, session_id=p.session) for p in people]
        for person in people[:5]:
            await person.ok("GET", "/api/contents?content=1")
            await person.ok("GET", "/api/sessions")
        gc.collect()
        before, cpu = resident(), 0.0
        for principal in principals[5:]:
            await asyncio.sleep(0)
            started = time.thread_time()
            app = await ground.apps.app(principal)
            await app.kernels.refresh()
            cpu += time.thread_time() - started
        gc.collect()
        each = (resident() - before) / 100
        print(f"\nper user: {each * 1000:.0f} kB, {cpu * 10:.2f} ms of the loop")
        assert each <= 1.0
        assert cpu / 100 <= 0.030
        assert len(ground.apps) == 105
        assert ground.apps.drop_idle(seconds=0) == 105
        assert len(ground.apps) == 0


@on_loop
async def test_the_process_raises_its_limits(tmp_path: Path) -> None:
    async with serving(tmp_path) as ground:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        assert soft == hard
        import zmq

        assert ground.apps.shared.context.get(zmq.MAX_SOCKETS) == MAX_SOCKETS
        me, other = ground.person(), ground.person()
        await me.ok("GET", "/api/status")
        await other.ok("GET", "/api/status")
        contexts = {app.kernels.context for app in ground.apps._apps.values()}
        loggers = {app.contents.event_logger for app in ground.apps._apps.values()}
        assert len(contexts) == len(loggers) == 1


@on_loop
async def test_an_output_over_32_megabytes_is_told_and_stalls_nobody(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me, other = ground.person(), ground.person()
        socket = await me.socket((await me.session_of("proj/a.ipynb"))["kernel"]["id"])
        await other.ok("GET", "/api/status")
        code = "from IPython.display import display, HTML\ndisplay(HTML('x' * 150_000_000))\nprint('after')"
        msg_id = socket.execute(code)
        took: list[float] = []

        async def ask() -> None:
            while True:
                started = time.perf_counter()
                await other.ok("GET", "/api/status")
                took.append(time.perf_counter() - started)

        asking = asyncio.create_task(ask())
        async with Lag() as lag:
            seen = await socket.until(
                lambda m: (
                    m["parent"] == msg_id
                    and m["kind"] == "status"
                    and m["content"]["execution_state"] == "idle"
                )
            )
        asking.cancel()
        text = "".join(m["content"]["text"] for m in seen if m["kind"] == "stream")
        assert "after" in text or "这里少了" in text
        print(
            f"\nloop lag {lag.worst * 1000:.0f} ms, slowest request {max(took) * 1000:.0f} ms of {len(took)}"
        )
        assert lag.worst < 0.5
        assert await socket.text("print('still')") == "still\n"


@on_loop
async def test_a_browser_that_does_not_read_gets_a_mark_and_the_process_holds_little(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()
        kernel = (await me.session_of("proj/a.ipynb"))["kernel"]["id"]
        slow = await me.socket(kernel)
        (connection,) = [s for s in ground.apps.shared.sockets._open if isinstance(s, KernelConnection)]
        stream = slow.connection.protocol.stream
        stream.io_loop.remove_handler(stream.socket)  # the browser's side stops reading
        quick = await me.socket(kernel)
        worst = 0

        async def watch() -> None:
            nonlocal worst
            while True:
                worst = max(worst, connection.outgoing.waiting)
                await asyncio.sleep(0.002)

        watching = asyncio.create_task(watch())
        await quick.run("for i in range(80): print(str(i) * 500_000, flush=True)", seconds=60)
        watching.cancel()
        assert 1_000_000 < worst < 18_000_000
        stream._state = None
        stream._add_io_state(stream.io_loop.READ)
        seen = await slow.until(lambda m: "gap" in m["metadata"].get("jiqi", {}))
        gap = seen[-1]["metadata"]["jiqi"]["gap"]
        assert gap["kind"] == "slow"
        assert gap["messages"] > 10
        assert "来不及接收" in seen[-1]["content"]["text"]
        kinds = [json.dumps(m["content"]) for m in seen if m["kind"] == "status"]
        assert any("busy" in kind for kind in kinds)
