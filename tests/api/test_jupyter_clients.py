"""Stock clients by URL and token: an independent one from PyPI, and the requests that VS Code's extension sends."""

import asyncio
import json
import re
import secrets
import uuid
from pathlib import Path

import httpx
import pytest
from jupyter_kernel_client import JupyterKernelClient
from tests.api.jupyter_ground import channels, hosting, on_loop

ROOT = Path(__file__).resolve().parents[2]


@on_loop
async def test_jupyter_kernel_client_runs_a_cell_by_url_and_token(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()

        def work() -> tuple[dict, str, str]:
            with JupyterKernelClient(server_url=f"{ground.origin}{me.base}", token=me.token) as client:
                reply = client.execute("x = '即启'\nprint(x)\n6 * 7")
                client.restart()
                after = client.execute("print('x' in globals())")
                return reply, client.id, after["outputs"][0]["text"]

        reply, kernel, after = await asyncio.to_thread(work)
        assert reply["status"] == "ok"
        assert reply["execution_count"] == 1
        assert [o.get("text") or o["data"]["text/plain"] for o in reply["outputs"]] == ["即启\n", "42"]
        assert after == "False\n"
        ended = await me.ok("GET", f"/api/kernels/{kernel}")
        assert ended["execution_state"] == "dead"


@pytest.mark.parametrize("page", ["clients.md", "en/clients.md"])
def test_the_program_in_the_documentation_runs_as_written(
    tmp_path: Path, page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program = re.search(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text("utf-8"), re.DOTALL)
    assert program is not None

    @on_loop
    async def scene() -> None:
        async with hosting(tmp_path) as (ground, _):
            me = ground.person()
            text = program[1].replace(
                "http://127.0.0.1:8000/user/<id>", f"{ground.origin}{me.base}".rstrip("/")
            )
            text = re.sub("<(?:令牌|token)>", me.token, text).replace(
                "import torch; torch.__version__", "6 * 7"
            )
            await asyncio.to_thread(exec, text, {})

    scene()
    assert "'text/plain': '42'" in capsys.readouterr().out


@on_loop
async def test_the_requests_of_vs_codes_jupyter_extension(tmp_path: Path) -> None:
    """As in `jupyterKernelSessionFactory.ts` and `@jupyterlab/services`: a backing file, a session, the channels."""
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()
        headers = {"Authorization": f"token {me.token}", "Content-Type": "application/json"}
        async with httpx.AsyncClient(base_url=ground.origin + me.base, headers=headers, timeout=30) as code:
            # Adding the server: is it one, and what does it have?
            assert (await code.get("/api")).json()["version"]
            for path in ("/api/status", "/api/kernels", "/api/sessions", "/api/terminals"):
                assert (await code.get(f"{path}?1700000000000")).status_code == (
                    404 if "terminals" in path else 200
                )
            specs = (await code.get("/api/kernelspecs?1700000000000")).json()
            assert specs["default"] == "torch-cpu"
            assert specs["kernelspecs"]["torch-cpu"]["spec"]["display_name"] == "torch 环境"
            assert specs["kernelspecs"]["torch-cpu"]["spec"]["language"] == "python"
            # A backing file of an unused name.
            made = (await code.post("/api/contents", content=json.dumps({"type": "notebook"}))).json()
            name = f"demo-jvsc-{uuid.uuid4()}.ipynb"
            renamed = await code.patch(f"/api/contents/{made['path']}", content=json.dumps({"path": name}))
            assert renamed.json()["path"] == name
            # The session, with a path that need not be a file.
            path = f"demo-jvsc-{uuid.uuid4()}{secrets.token_hex(4)}.ipynb"
            body = {"path": path, "kernel": {"name": "torch-cpu"}, "name": path, "type": "notebook"}
            session = (await code.post("/api/sessions", content=json.dumps(body))).json()
            kernel = session["kernel"]["id"]
            listed = (await code.get("/api/sessions")).json()
            assert [(s["path"], s["type"]) for s in listed] == [(path, "notebook")]
            url = f"ws{ground.origin[4:]}{me.base}/api/kernels/{kernel}/channels?session_id={uuid.uuid4()}"
            socket = await channels(f"{url}&token={me.token}", session="vs", v1=True, headers={})
            info = socket.send("kernel_info_request", {})
            reply = (await socket.until(lambda m: m["parent"] == info and m["kind"] == "kernel_info_reply"))[
                -1
            ]
            assert reply["content"]["language_info"]["name"] == "python"
            assert await socket.text("print('VS Code')") == "VS Code\n"
            assert (await code.post(f"/api/kernels/{kernel}/interrupt")).status_code == 204
            assert (await code.post(f"/api/kernels/{kernel}/restart")).status_code == 200
            await socket.status("idle")
            assert await socket.text("print('again')") == "again\n"
            assert (await code.delete(f"/api/sessions/{session['id']}")).status_code == 204
            assert (await code.delete(f"/api/contents/{name}")).status_code == 204
            assert (await code.get("/api/sessions")).json() == []


@on_loop
async def test_a_console_joins_the_kernel_of_a_notebook(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()
        session = await me.session_of("proj/a.ipynb")
        kernel = {"kernel": {"id": session["kernel"]["id"]}, "type": "console"}
        joined = await me.session_of("console-1", **kernel)
        assert joined["kernel"]["id"] == session["kernel"]["id"]
        loose = await me.ok("POST", "/api/kernels", body={"name": "torch-cpu", "path": "proj"})
        assert len(await me.ok("GET", "/api/sessions")) == 1
        given = await me.session_of("console-2", kernel={"id": loose["id"]}, type="console")
        assert (given["path"], given["kernel"]["id"]) == ("console-2", loose["id"])
        assert len(await me.ok("GET", "/api/sessions")) == 2
