"""A real jupyter_server application over one home, on a real socket, as the tests of contents use it."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from jupyter_server.serverapp import ServerApp
from jupyter_server.utils import url_path_join
from nbformat.v4 import new_notebook
from tornado.httpclient import AsyncHTTPClient, HTTPResponse
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port

from jiqi.adapters.files import HomeFiles
from jiqi.web.jupyter.contents import HomeContents
from jiqi.web.jupyter.contents_handlers import contents_routes
from jiqi.web.jupyter.contents_models import ContentsLimits
from jiqi.web.jupyter.contents_services import ContentsServices
from jiqi.web.jupyter.contents_trust import NotaryPlace
from jiqi.web.jupyter.contents_worker import ParsingPool
from jiqi.web.pool import Pool

TOKEN = "t0ken"


@dataclass
class Answer:
    status: int
    reason: str
    headers: Any
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """A client with the token."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._http = AsyncHTTPClient(
            force_instance=True, defaults={"request_timeout": 120}, max_body_size=1 << 30
        )

    async def __call__(self, method: str, path: str, *, body: Any = None, **headers: str) -> Answer:
        names = {k.replace("_", "-"): v for k, v in headers.items()}
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        response: HTTPResponse = await self._http.fetch(
            self.base + path,
            method=method,
            body=content,
            headers={"Authorization": f"token {TOKEN}", "Accept-Language": "en", **names},
            allow_nonstandard_methods=True,
            raise_error=False,
            decompress_response=False,
            follow_redirects=False,
        )
        return Answer(response.code, response.reason, response.headers, response.body or b"")

    async def contents(
        self, method: str, path: str, *, query: str = "", body: Any = None, **headers: str
    ) -> Answer:
        return await self(method, f"/api/contents/{quote(path)}{query}", body=body, **headers)

    def close(self) -> None:
        self._http.close()


@dataclass
class Running:
    """What a test sees of one user's application."""

    client: Client
    home: Path
    manager: HomeContents
    services: ContentsServices
    port: int


def services_for(
    place: Path, *, parsing: ParsingPool, pool: Pool, room: Any = None, **limits: int
) -> ContentsServices:
    """Make a home below `place` and what its contents need."""
    files = HomeFiles(place / "home")
    place.mkdir(parents=True, exist_ok=True)
    files.make_root()
    spool = place / "spool"
    spool.mkdir()
    return ContentsServices(
        files=files,
        notary=NotaryPlace(file=place / "notary" / "signatures.db", secret=place.name.encode() * 4),
        run_in_pool=pool.run,
        parsing=parsing,
        room=room or (lambda: None),
        limits=ContentsLimits(**limits),
        spool=spool,
    )


@contextlib.asynccontextmanager
async def running(services: ContentsServices, *, stock: bool = False) -> AsyncIterator[Running]:
    """Serve one user's application; `stock` keeps jupyter_server's own handlers."""
    app = ServerApp(
        contents_manager_class=HomeContents,
        open_browser=False,
        base_url="/user/u1/",
        root_dir=str(services.files.root),
        log_level="ERROR",
        ip="127.0.0.1",
    )
    app.contents_services = services
    app.config.IdentityProvider.token = TOKEN
    app.initialize(argv=[], find_extensions=False, new_httpserver=False)
    if not stock:
        app.web_app.add_handlers(
            ".*$", [(url_path_join(app.base_url, route), handler) for route, handler in contents_routes]
        )
    server = HTTPServer(app.web_app, max_body_size=512 * 1024 * 1024)
    socket, port = bind_unused_port()
    server.add_socket(socket)
    client = Client(f"http://127.0.0.1:{port}/user/u1")
    try:
        yield Running(client, services.files.root, app.contents_manager, services, port)
    finally:
        client.close()
        server.stop()
        await server.close_all_connections()
        app.clear_instance()


def file_model(text: str) -> dict:
    return {"type": "file", "format": "text", "content": text}


def notebook_model(notebook=None) -> dict:
    return {"type": "notebook", "format": "json", "content": notebook or new_notebook()}


class Lag:
    """The longest time that the event loop was not free."""

    def __init__(self) -> None:
        self.worst = 0.0
        self._task: asyncio.Task[None] | None = None

    async def _measure(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            before = loop.time()
            await asyncio.sleep(0.005)
            self.worst = max(self.worst, loop.time() - before - 0.005)

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._measure())
        await asyncio.sleep(0.02)
        self.worst = 0.0
        return self

    async def __aexit__(self, *_exception: object) -> None:
        if self._task is not None:
            self._task.cancel()
