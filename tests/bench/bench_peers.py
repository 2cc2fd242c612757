"""The same click against JupyterHub 6.1 with its simple local spawner and the same kernel environment, alternately.

JupyterHub and its proxy are installed into an environment of this bench's own. A new user logs in, his server is
spawned, a notebook session is started over REST, and the first output of a torch cell is awaited. Target: ours ≤ 1/15.
"""

import argparse
import asyncio
import contextlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
from tests.bench.bench_click import CELL, click
from tests.bench.report import report, say, spread
from tests.harness.click import PROTOCOL, first_output
from tests.harness.stack import ROOT, free_port, stack
from tests.harness.warm import wait_warm
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

CACHE = ROOT / ".cache" / "bench-peers"
HUB = ["jupyterhub==6.1.1", "jupyterlab==4.6.6", "jupyter_server==2.21.1"]


def install() -> Path:
    """Return the environment's bin folder, made once: JupyterHub and the torch-cpu image's own packages."""
    bin_dir = CACHE / "venv" / "bin"
    if not (CACHE / "done").exists():
        say("installing JupyterHub, its proxy and the kernel environment (once)")
        subprocess.run([sys.executable, "-m", "venv", str(CACHE / "venv")], check=True)
        lock = ROOT / "kernels" / "images" / "torch-cpu" / "requirements.lock"
        pip = [str(bin_dir / "pip"), "install", "-q"]
        subprocess.run([*pip, "-r", str(lock)], check=True)
        subprocess.run([*pip, *HUB], check=True)
        npm = shutil.which("npm") or str(ROOT / ".venv" / "bin" / "npm")
        subprocess.run(
            [npm, "install", "--prefix", str(CACHE / "node"), "configurable-http-proxy@5.3.0"], check=True
        )
        (CACHE / "done").touch()
    return bin_dir


@contextlib.contextmanager
def hub(bin_dir: Path) -> Iterator[str]:
    """Yield the address of a JupyterHub on free ports."""
    work = Path(tempfile.mkdtemp(prefix="hub-"))
    port, proxy_api, hub_port = free_port(), free_port(), free_port()
    proxy = CACHE / "node" / "node_modules" / ".bin" / "configurable-http-proxy"
    (work / "config.py").write_text(
        "\n".join(
            [
                "c = get_config()",
                f"c.JupyterHub.bind_url = 'http://127.0.0.1:{port}'",
                f"c.JupyterHub.hub_port = {hub_port}",
                f"c.ConfigurableHTTPProxy.api_url = 'http://127.0.0.1:{proxy_api}'",
                f"c.ConfigurableHTTPProxy.command = {[str(proxy)]!r}",
                "c.JupyterHub.authenticator_class = 'dummy'",
                "c.Authenticator.allow_all = True",
                "c.JupyterHub.spawner_class = 'simple'",
                "c.Spawner.args = ['--allow-root']",
                "c.JupyterHub.log_level = 'WARN'",
            ]
        )
    )
    env = os.environ | {"PATH": f"{bin_dir}{os.pathsep}{os.environ['PATH']}"}
    with (work / "hub.log").open("wb") as out:
        process = subprocess.Popen(
            [str(bin_dir / "jupyterhub"), "-f", str(work / "config.py")],
            cwd=work,
            env=env,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(address, process, work / "hub.log")
        yield address
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=30)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        shutil.rmtree(work, ignore_errors=True)


def _wait(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(log.read_text()[-3000:])
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"{address}/hub/health", timeout=2).status_code == 200:
                return
        time.sleep(0.2)
    raise TimeoutError(log.read_text()[-3000:])


async def hub_click(address: str) -> float:
    """Return the seconds from a new user's first GET to the first torch output; his server is stopped afterwards."""
    name = f"u{uuid.uuid4().hex[:8]}"
    began = time.perf_counter()
    async with httpx.AsyncClient(base_url=address, timeout=120, follow_redirects=True) as client:
        login = await client.get("/hub/login")
        token = _field(login.text)
        form = {"username": name, "password": "x", "_xsrf": token}
        await client.post("/hub/login?next=%2Fhub%2Fspawn", data=form)
        base = f"/user/{name}"
        # A page, not an API call: it walks the OAuth redirects that give the server's own cookie.
        while "jupyter-config-data" not in (await client.get(f"{base}/lab")).text:
            await asyncio.sleep(0.05)
        xsrf = _cookie(client, "_xsrf", f"{base}/")
        body = {"path": "x.ipynb", "name": "x.ipynb", "type": "notebook", "kernel": {"name": "python3"}}
        made = await client.post(f"{base}/api/sessions", json=body, headers={"X-XSRFToken": xsrf})
        made.raise_for_status()
        kernel = made.json()["kernel"]["id"]
        url = f"{address.replace('http', 'ws', 1)}{base}/api/kernels/{kernel}/channels?session_id={uuid.uuid4().hex}"
        cookies = "; ".join(
            f"{c.name}={c.value}" for c in client.cookies.jar if base.startswith(c.path.rstrip("/"))
        )
        socket = await websocket_connect(
            HTTPRequest(url, headers={"Cookie": cookies, "Origin": address}, request_timeout=60),
            subprotocols=[PROTOCOL],
        )
        text = await first_output(socket, CELL, timeout=120)
        taken = time.perf_counter() - began
        assert text.startswith("27.0"), text
        socket.close()
        hub_xsrf = _cookie(client, "_xsrf", "/hub/")
        await client.delete(f"/hub/api/users/{name}/server", headers={"X-XSRFToken": hub_xsrf})
    return taken


def _field(page: str) -> str:
    found = re.search(r'name="_xsrf"\s+value="([^"]*)"', page)
    assert found is not None, page[:1000]
    return found.group(1)


def _cookie(client: httpx.AsyncClient, name: str, path: str) -> str:
    return next((str(c.value) for c in client.cookies.jar if c.name == name and c.path == path), "")


def main() -> None:
    """Run alternately and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=5)
    options = parser.parse_args()
    bin_dir = install()
    ours: list[float] = []
    theirs: list[float] = []
    with stack(pool="torch-cpu/none=1") as running, hub(bin_dir) as address:
        for number in range(options.n + 1):
            peer = asyncio.run(hub_click(address))
            wait_warm(running, 1)
            mine = asyncio.run(click(running))["total"]
            say(f"{number}: ours {mine:.3f} s, JupyterHub {peer:.3f} s")
            if number:  # both have started cold once
                ours.append(mine)
                theirs.append(peer)
    value, peer = statistics.median(ours), statistics.median(theirs)
    note = f"ours {spread(ours)}; JupyterHub {spread(theirs)}; {json.dumps(HUB)}"
    report(
        bench="peers",
        value=value,
        unit="s",
        ratio=value / peer,
        target=1 / 15,
        ok=value / peer <= 1 / 15,
        n=len(ours),
        note=note,
    )


if __name__ == "__main__":
    main()
