"""A browser's part of one click, over plain HTTP and a websocket: GET, POST, ticket, page, channels, first output."""

import asyncio
import itertools
import json
import re
import time
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx
from tests.harness.stack import Stack
from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

_BOOT = re.compile(r'<script type="application/json" id="jiqi-boot"[^>]*>(.*?)</script>', re.DOTALL)
PROTOCOL = "v1.kernel.websocket.jupyter.org"


@dataclass
class Page:
    """One opened notebook: a client per origin and the page's boot data."""

    portal: httpx.AsyncClient
    notebook: httpx.AsyncClient
    boot: dict[str, Any]
    times: dict[str, float] = field(default_factory=dict)

    @property
    def kernel_id(self) -> str:
        """The id of the notebook's kernel."""
        return str(self.boot["session"]["kernel"]["id"])

    async def close(self) -> None:
        """Close both clients."""
        await self.portal.aclose()
        await self.notebook.aclose()


def xsrf(client: httpx.AsyncClient) -> dict[str, str]:
    """Return the header that an unsafe portal request needs."""
    return {"X-Jiqi-XSRF": client.cookies.get("jiqi_xsrf") or ""}


async def open_lesson(
    stack: Stack, lesson: str = "first-minute", *, portal: httpx.AsyncClient | None = None
) -> Page:
    """Click a lesson's link as a browser would, up to the page with its boot data."""
    times: dict[str, float] = {}
    began = time.perf_counter()

    def lap(name: str) -> None:
        times[name] = time.perf_counter() - began

    portal = portal or httpx.AsyncClient(base_url=stack.portal, timeout=90)
    notebook = httpx.AsyncClient(base_url=stack.notebook, timeout=90)
    page = await portal.get(f"/open/{lesson}")
    page.raise_for_status()
    lap("get")
    answer = await portal.post("/api/v1/open", json={"lesson": lesson, "lang": "zh-CN"}, headers=xsrf(portal))
    answer.raise_for_status()
    lap("open")
    enter = answer.json()["enter"]
    boot = await enter_page(notebook, enter)
    lap("page")
    return Page(portal=portal, notebook=notebook, boot=boot, times=times)


async def enter_page(notebook: httpx.AsyncClient, enter: dict[str, str]) -> dict[str, Any]:
    """Take the ticket to the notebook's origin and return the boot data of the page behind it."""
    form = {"ticket": enter["ticket"], "next": enter["next"]}
    moved = await notebook.post(enter["action"], data=form)
    assert moved.status_code == 303, moved.text
    page = await notebook.get(moved.headers["location"])
    page.raise_for_status()
    found = _BOOT.search(page.text)
    assert found is not None, page.text[:2000]
    boot: dict[str, Any] = json.loads(found.group(1))
    return boot


async def channels(stack: Stack, page: Page) -> WebSocketClientConnection:
    """Open the kernel's websocket as the page's inline script does."""
    cookie = "; ".join(f"{name}={value}" for name, value in page.notebook.cookies.items())
    url = (
        stack.notebook.replace("http", "ws", 1)
        + f"{page.boot['base_url']}api/kernels/{page.kernel_id}/channels?session_id={uuid.uuid4().hex}"
    )
    request = HTTPRequest(url, headers={"Cookie": cookie, "Origin": stack.notebook}, request_timeout=90)
    return await websocket_connect(request, subprotocols=[PROTOCOL], max_message_size=64 << 20)


def execute_request(code: str, *, cell: str = "step-03") -> bytes:
    """Return one execute request in the v1 websocket protocol."""
    header = {
        "msg_id": uuid.uuid4().hex,
        "session": uuid.uuid4().hex,
        "username": "",
        "msg_type": "execute_request",
        "version": "5.3",
        "date": datetime.now(UTC).isoformat(),
    }
    content = {
        "code": code,
        "silent": False,
        "store_history": True,
        "user_expressions": {},
        "allow_stdin": True,
    }
    parts = [json.dumps(part).encode() for part in (header, {}, {"cellId": cell}, content)]
    return serialize("shell", parts)


def serialize(channel: str, parts: list[bytes]) -> bytes:
    """Return a v1 websocket frame: the offsets' count, the offsets, the channel, the parts (all little-endian)."""
    pieces = [channel.encode(), *parts]
    count = len(pieces) + 1
    offsets = [8 * (1 + count)]
    for piece in pieces:
        offsets.append(offsets[-1] + len(piece))
    return b"".join([count.to_bytes(8, "little"), *(o.to_bytes(8, "little") for o in offsets), *pieces])


def deserialize(frame: bytes) -> tuple[str, list[Any]]:
    """Return (channel, [header, parent header, metadata, content])."""
    count = int.from_bytes(frame[:8], "little")
    offsets = [int.from_bytes(frame[8 * (i + 1) : 8 * (i + 2)], "little") for i in range(count)]
    pieces = [frame[a:b] for a, b in itertools.pairwise(offsets)]
    return pieces[0].decode(), [json.loads(piece) for piece in pieces[1:5]]


async def run(
    socket: WebSocketClientConnection, code: str, *, timeout: float = 60
) -> list[tuple[str, dict[str, Any]]]:
    """Run `code`; return every (type, content) on IOPub of it until the kernel is idle again."""
    request = execute_request(code)
    mine = deserialize(request)[1][0]["msg_id"]
    await socket.write_message(request, binary=True)
    got: list[tuple[str, dict[str, Any]]] = []
    async with asyncio.timeout(timeout):
        while True:
            frame = await socket.read_message()
            if frame is None:
                raise ConnectionError(f"closed {socket.close_code} {socket.close_reason}")
            if not isinstance(frame, bytes):
                continue
            channel, (header, parent, _, content) = deserialize(frame)
            if channel != "iopub" or parent.get("msg_id") != mine:
                continue
            got.append((header["msg_type"], content))
            if header["msg_type"] == "status" and content["execution_state"] == "idle":
                return got


async def first_output(socket: WebSocketClientConnection, code: str, *, timeout: float = 60) -> str:
    """Run `code` and return its first text as soon as it arrives. Raises AssertionError on an error output."""
    request = execute_request(code)
    mine = deserialize(request)[1][0]["msg_id"]
    await socket.write_message(request, binary=True)
    async with asyncio.timeout(timeout):
        while True:
            frame = await socket.read_message()
            if frame is None:
                raise ConnectionError(f"closed {socket.close_code} {socket.close_reason}")
            if not isinstance(frame, bytes):
                continue
            _, (header, parent, _, content) = deserialize(frame)
            if parent.get("msg_id") != mine:
                continue
            assert header["msg_type"] != "error", content
            if header["msg_type"] == "stream":
                return str(content["text"])
