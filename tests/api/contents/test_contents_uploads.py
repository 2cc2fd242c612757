"""Raw uploads: streamed with flat memory, refused before the first byte, and never half there."""

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import time
from dataclasses import replace

import psutil
import pytest
from tests.api.contents.contents_server import Lag
from tornado import web
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port

from jiqi.adapters.files import HomeFiles
from jiqi.domain.errors import ForbiddenError, JiqiError
from jiqi.domain.files import is_temporary
from jiqi.web import uploads
from jiqi.web.pool import Pool

pytestmark = pytest.mark.anyio
MB = 1024 * 1024


class ApiBase(web.RequestHandler):
    """Stands where the portal's base handler stands: it knows who asks and tells errors by code."""

    async def prepare(self) -> None:
        if self.request.headers.get("X-User") != "u1":
            error = ForbiddenError()
            self.set_status(error.status)
            await self.finish({"code": error.code})

    def _handle_request_exception(self, error: BaseException) -> None:
        if isinstance(error, JiqiError):
            if self._finished:
                return
            self.set_status(error.status)
            self.finish({"code": error.code, "params": error.params})
        else:
            super()._handle_request_exception(error)


class Uploads:
    """A small application with one upload route."""

    def __init__(self, home: HomeFiles) -> None:
        self.home, self.room, self.limit = home, None, uploads.UPLOAD_BYTES
        self.pool = Pool(threads=4)

    async def target(self, handler: web.RequestHandler, project: str, path: str) -> uploads.UploadTarget:
        target = uploads.UploadTarget(
            files=self.home, path=f"{project}/{path}", room=self.room, limit=self.limit
        )
        if handler.get_query_argument("folders", ""):
            target = replace(target, make_folders=True)
        if handler.request.headers.get("If-None-Match") == "*":
            target = replace(target, overwrite=False)
        return target

    @contextlib.asynccontextmanager
    async def serve(self):
        handler = uploads.upload_handler(ApiBase, target_of=self.target, run_in_pool=self.pool.run)
        server = HTTPServer(web.Application([(r"/api/v1/projects/([^/]+)/files/(.+)", handler)]))
        bound, self.port = bind_unused_port()
        server.add_socket(bound)
        try:
            yield self
        finally:
            server.stop()
            await server.close_all_connections()
            self.pool.close()

    async def open(self, path: str, *, length: int | None, **headers: str):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        lines = [f"PUT /api/v1/projects/p/files/{path} HTTP/1.1", "Host: 127.0.0.1", "X-User: u1"]
        lines += [f"{k.replace('_', '-')}: {v}" for k, v in headers.items()]
        lines.append("Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}")
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        return reader, writer

    async def put(self, path: str, data: bytes, **headers: str):
        reader, writer = await self.open(path, length=len(data), **headers)
        writer.write(data)
        await writer.drain()
        return await answer(reader, writer)


async def answer(reader, writer):
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        int(x.split(b":")[1]) for x in head.split(b"\r\n") if x.lower().startswith(b"content-length")
    )
    body = await reader.readexactly(length)
    writer.close()
    return int(head.split()[1]), json.loads(body)


@pytest.fixture
async def app(tmp_path):
    home = HomeFiles(tmp_path / "u1")
    home.make_root()
    home.mkdir("p")
    async with Uploads(home).serve() as app:
        yield app


def leftovers(app) -> list[str]:
    return [p.name for p in app.home.root.rglob("*") if is_temporary(p.name)]


async def until(condition, *, seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "did not come about"
        await asyncio.sleep(0.01)


async def test_a_file_is_uploaded_and_replaced(app):
    name = "%E6%96%87%E4%BB%B6%20%E5%90%8D%20%3C'%26%22%3E.ipynb"
    status, body = await app.put(name, b"one")
    assert (status, body["path"], body["size"]) == (201, "p/文件 名 <'&\">.ipynb", 3)
    assert (await app.put(name, b""))[0] == 201
    assert app.home.read("p/文件 名 <'&\">.ipynb", limit=9)[1] == b""
    status, body = await app.put(name, b"two", If_None_Match="*")
    assert (status, body["code"]) == (409, "file.exists")
    assert (await app.put("new/deep/a.txt", b"x"))[1]["code"] == "file.not_found"
    assert (await app.put("new/deep/a.txt?folders=1", b"x"))[0] == 201
    assert leftovers(app) == []


async def test_a_chunked_body_without_a_length_is_taken_and_bounded(app):
    app.limit = 1000
    for size, code in ((900, None), (1100, "file.too_large")):
        reader, writer = await app.open("a", length=None)
        for _ in range(size // 100):
            writer.write(b"64\r\n" + b"x" * 100 + b"\r\n")
        writer.write(b"0\r\n\r\n")
        status, body = await answer(reader, writer)
        assert (status, body.get("code")) == (201 if code is None else 413, code)
    assert app.home.stat("p/a").size == 900
    assert leftovers(app) == []


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("..%2F..%2Fu2%2Fx", "file.outside"),
        ("%2e%2e/x", "file.outside"),
        ("a%00b", "file.bad_name"),
        ("x" * 300, "file.name_too_long"),
        (".hidden", "file.hidden"),
        ("link/x", "file.symlink"),
        ("link", "file.symlink"),
        ("pipe", "file.not_regular"),
        ("folder", "file.is_folder"),
        ("none/x", "file.not_found"),
    ],
)
async def test_a_bad_place_is_refused_by_its_code(app, tmp_path, path, code):
    (tmp_path / "u2").mkdir()
    (app.home.root / "p" / "link").symlink_to(tmp_path / "u2")
    os.mkfifo(app.home.root / "p" / "pipe")
    app.home.mkdir("p/folder")
    status, body = await app.put(path, b"evil")
    assert (status, body["code"]) == (404 if code == "file.not_found" else 400, code)
    assert list((tmp_path / "u2").iterdir()) == []


async def test_a_stranger_is_refused_before_the_body(app):
    reader, writer = await app.open("a", length=1 << 30, X_User="u2")
    status, body = await answer(reader, writer)
    assert (status, body["code"]) == (403, "forbidden")
    assert not (app.home.root / "p" / "a").exists()


async def test_length_and_quota_are_looked_at_before_the_first_byte(app):
    app.room = 10 * MB
    for length, code, status in (
        (uploads.UPLOAD_BYTES + 1, "file.too_large", 413),
        (11 * MB, "disk.quota", 507),
    ):
        reader, writer = await app.open("a", length=length, Expect="100-continue")
        assert (await answer(reader, writer)) == (status, {"code": code, "params": (await params(code, app))})
    # Without Expect the client is already sending: it is listened to for a while, then answered.
    out = await sent(app, path="a", size=1 << 30)
    assert b" 507 " in out
    assert b"disk.quota" in out
    assert leftovers(app) == []


async def sent(app, *, path: str, size: int) -> bytes:
    """Send zeros from another process, as a browser does: all of the body, or until sending fails, then read."""
    client = await asyncio.create_subprocess_exec(
        "python3", "-c", SENDER, str(app.port), path, str(size), stdout=asyncio.subprocess.PIPE
    )
    return (await client.communicate())[0]


async def params(code, app):
    if code == "file.too_large":
        return {"path": "p/a", "limit": uploads.UPLOAD_BYTES, "limit_text": "2 GB"}
    return {"path": "p/a", "room": app.room, "room_text": "10 MB"}


async def test_the_quota_counts_what_is_replaced(app):
    app.home.write("p/a", b"x" * 900)
    app.room = 200
    assert (await app.put("a", b"y" * 1000))[0] == 201
    assert (await app.put("a", b"y" * 1300))[1]["code"] == "disk.quota"
    assert app.home.read("p/a", limit=9999)[1] == b"y" * 1000


async def test_an_upload_cut_in_the_middle_leaves_nothing_and_keeps_the_old_file(app):
    app.home.write("p/a", b"old")
    for reset in (False, True):
        _, writer = await app.open("a", length=100 * MB)
        writer.write(b"x" * (5 * MB))
        await writer.drain()
        await until(lambda: leftovers(app))
        if reset:
            raw = writer.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            writer.transport.abort()
        else:
            writer.close()
        await until(lambda: not leftovers(app))
        assert app.home.read("p/a", limit=9)[1] == b"old"


async def test_a_client_that_falls_silent_is_hung_up_on(app, monkeypatch):
    monkeypatch.setattr(uploads, "STALL_SECONDS", 0.3)
    reader, writer = await app.open("a", length=10 * MB)
    writer.write(b"x" * (2 * MB))
    assert await asyncio.wait_for(reader.read(), timeout=10) == b""
    writer.close()
    await until(lambda: not leftovers(app))
    assert not (app.home.root / "p" / "a").exists()


async def test_a_large_upload_is_streamed_with_flat_memory_and_a_free_loop(app):
    """600 MB of zeros; the rule for 2 GB is the same, only longer."""
    size = 600 * MB
    before = psutil.Process().memory_info().rss
    peak = before
    async with Lag() as lag:
        sending = asyncio.create_task(sent(app, path="big", size=size))
        while not sending.done():
            peak = max(peak, psutil.Process().memory_info().rss)
            await asyncio.sleep(0.01)
    assert b" 201 " in sending.result()
    print(f"peak +{(peak - before) / MB:.0f} MB, loop lag {lag.worst * 1000:.0f} ms")
    assert app.home.stat("p/big").size == size
    assert peak - before < 40 * MB
    assert lag.worst < 0.4


SENDER = """
import contextlib, socket, sys
port, path, size = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
s = socket.create_connection(("127.0.0.1", port))
head = f"PUT /api/v1/projects/p/files/{path} HTTP/1.1\\r\\nHost: x\\r\\nX-User: u1\\r\\nContent-Length: {size}\\r\\n\\r\\n"
s.sendall(head.encode())
block = bytes(1 << 20)
with contextlib.suppress(OSError):
    for _ in range(size >> 20):
        s.sendall(block)
answer = b""
with contextlib.suppress(OSError):
    while b"}" not in answer and (piece := s.recv(1000)):
        answer += piece
print(answer.decode())
"""


@pytest.fixture
def small_disk(tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(place)], check=True)
    yield place
    subprocess.run(["umount", str(place)], check=True)


async def test_a_full_disk_in_the_middle_is_told_and_leaves_nothing(small_disk):
    home = HomeFiles(small_disk / "u1")
    home.make_root()
    home.mkdir("p")
    home.write("p/a", b"old")
    async with Uploads(home).serve() as app:
        status, body = await app.put("a", b"x" * (8 * MB))
        assert (status, body["code"]) == (507, "disk.full")
        assert home.read("p/a", limit=9)[1] == b"old"
        await until(lambda: not leftovers(app))
