"""Users' applications behind a real tornado server, as the tests of web/jupyter use them."""

import asyncio
import contextlib
import functools
import json
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
from tests.api.jupyter_host import Host, now
from tornado.httpclient import HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.websocket import WebSocketClientConnection, websocket_connect

from jiqi.adapters.db.database import SqlDatabase
from jiqi.adapters.db.tables import metadata
from jiqi.adapters.home_files import DiskHomes
from jiqi.config import Settings, load
from jiqi.domain.accounts import ApiToken, LoginSession, Role, SessionKind, User
from jiqi.domain.ids import SessionId, TokenId, UserId, random_id
from jiqi.services.authentication import Authentication, Principal, new_secret, secret_hash
from jiqi.services.kernels import KernelService
from jiqi.web.jupyter import wire
from jiqi.web.jupyter.apps import UserApps
from jiqi.web.jupyter.handlers import xsrf_secret
from jiqi.web.pool import Pool

SECRET = b"the installation's secret"
PATIENCE = 30.0


def on_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run a coroutine test on a loop of its own."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), 120))

    return run


class Bus:
    """Events inside one process, as RedisEvents carries them between processes."""

    def __init__(self) -> None:
        self.receivers: list[tuple[str, Callable[[str], None]]] = []

    def publish(self, topic: str, body: str) -> None:
        for wanted, receive in list(self.receivers):
            if wanted == topic:
                receive(body)

    def subscribe(self, topic: str, receive: Callable[[str], None]) -> None:
        self.receivers.append((topic, receive))


class Quiet:
    """A relay nobody needs: the stand-in host polls."""

    def nudge(self) -> None:
        pass


@dataclass
class Person:
    """A user with a login and a token; `http` sends the cookie."""

    user: User
    cookie: str
    session: SessionId
    token: str
    token_id: TokenId
    http: httpx.AsyncClient
    origin: str

    @property
    def base(self) -> str:
        return f"/user/{self.user.id}"

    @property
    def xsrf(self) -> str:
        raw = xsrf_secret(SECRET, Principal(user=self.user, session_id=self.session))
        return f"2|00000000|{raw.hex()}|{int(time.time())}"

    async def call(self, method: str, path: str, *, body: Any = None, **headers: str) -> httpx.Response:
        """Ask the own application as a page does: cookie and XSRF token."""
        given = {"X-XSRFToken": self.xsrf, **{k.replace("_", "-"): v for k, v in headers.items()}}
        content = None if body is None else json.dumps(body)
        return await self.http.request(method, self.base + path, content=content, headers=given)

    async def ok(self, method: str, path: str, *, body: Any = None) -> Any:
        answer = await self.call(method, path, body=body)
        assert answer.is_success, (answer.status_code, answer.text)
        return answer.json() if answer.content else None

    async def session_of(self, path: str, **more: Any) -> dict[str, Any]:
        body = {
            "path": path,
            "name": path.rpartition("/")[2],
            "type": "notebook",
            "kernel": {"name": "torch-cpu"},
        }
        model: dict[str, Any] = await self.ok("POST", "/api/sessions", body={**body, **more})
        return model

    async def socket(
        self, kernel_id: str, *, session: str | None = None, v1: bool = True, **more: Any
    ) -> "Channels":
        session = session or secrets.token_hex(16)
        url = f"ws{self.origin[4:]}{self.base}/api/kernels/{kernel_id}/channels?session_id={session}"
        return await channels(
            url, session=session, v1=v1, headers={"Cookie": f"jiqi_nb={self.cookie}", **more}
        )


async def channels(url: str, *, session: str, v1: bool, headers: dict[str, str]) -> "Channels":
    request = HTTPRequest(url, headers=headers, request_timeout=PATIENCE, connect_timeout=PATIENCE)
    protocols = [wire.V1] if v1 else None
    connection = await websocket_connect(request, subprotocols=protocols, max_message_size=1 << 30)
    return Channels(connection, session=session, v1=v1)


class Channels:
    """A client of a kernel's websocket."""

    def __init__(self, connection: WebSocketClientConnection, *, session: str, v1: bool) -> None:
        self.connection, self.session, self.v1 = connection, session, v1

    def send(
        self, kind: str, content: dict[str, Any], *, channel: str = "shell", metadata: Any = None
    ) -> str:
        msg_id = secrets.token_hex(16)
        header = {
            "msg_id": msg_id,
            "msg_type": kind,
            "session": self.session,
            "username": "u",
            "version": "5.3",
        }
        parts = [
            json.dumps(part).encode()
            for part in ({**header, "date": now().isoformat()}, {}, metadata or {}, content)
        ]
        if self.v1:
            data = wire.write(channel, parts, v1=True)
        else:
            names = ("header", "parent_header", "metadata", "content")
            message = dict(zip(names, map(json.loads, parts), strict=True))
            data = json.dumps({**message, "channel": channel, "buffers": []})
        self.connection.write_message(data, binary=isinstance(data, bytes))
        return msg_id

    def execute(self, code: str, *, metadata: Any = None, allow_stdin: bool = False) -> str:
        content = {
            "code": code,
            "silent": False,
            "store_history": True,
            "allow_stdin": allow_stdin,
            "stop_on_error": True,
        }
        return self.send("execute_request", {**content, "user_expressions": {}}, metadata=metadata)

    async def next(self, *, seconds: float = PATIENCE) -> dict[str, Any] | None:
        data = await asyncio.wait_for(self.connection.read_message(), seconds)
        if data is None:
            return None
        channel, parts = wire.read(data, v1=self.v1)
        header, parent, metadata, content = (json.loads(part) for part in parts[:4])
        return {
            "channel": channel,
            "kind": header["msg_type"],
            "header": header,
            "parent": parent.get("msg_id"),
            "metadata": metadata,
            "content": content,
            "buffers": parts[4:],
        }

    async def until(
        self, found: Callable[[dict[str, Any]], bool], *, seconds: float = PATIENCE
    ) -> list[dict[str, Any]]:
        """All messages up to the one that is looked for."""
        seen: list[dict[str, Any]] = []
        async with asyncio.timeout(seconds):
            while True:
                message = await self.next()
                assert message is not None, f"closed with {self.connection.close_code} after {seen}"
                seen.append(message)
                if found(message):
                    return seen

    async def run(self, code: str, *, seconds: float = PATIENCE, **more: Any) -> list[dict[str, Any]]:
        """Execute; return this cell's messages up to idle and reply."""
        msg_id = self.execute(code, **more)
        mine: list[dict[str, Any]] = []
        wanted = {"reply", "idle"}

        def done(message: dict[str, Any]) -> bool:
            if message["parent"] == msg_id:
                mine.append(message)
                wanted.discard("reply" if message["kind"] == "execute_reply" else "")
                if message["kind"] == "status" and message["content"]["execution_state"] == "idle":
                    wanted.discard("idle")
            return not wanted

        await self.until(done, seconds=seconds)
        return mine

    async def text(self, code: str, **more: Any) -> str:
        messages = await self.run(code, **more)
        return "".join(m["content"].get("text", "") for m in messages if m["kind"] == "stream")

    async def status(self, state: str) -> dict[str, Any]:
        seen = await self.until(lambda m: m["kind"] == "status" and m["content"]["execution_state"] == state)
        return seen[-1]

    async def closed(self, *, seconds: float = PATIENCE) -> int | None:
        """Wait for the end; return the close code."""
        async with asyncio.timeout(seconds):
            while await self.connection.read_message() is not None:
                pass
        return self.connection.close_code

    def close(self) -> None:
        self.connection.close()


@dataclass
class Ground:
    """One web process over a database."""

    settings: Settings
    database: SqlDatabase
    apps: UserApps
    origin: str
    authentication: Authentication
    people: list[Person] = field(default_factory=list)

    def person(self, *, role: Role = Role.MEMBER, language: str = "zh-CN") -> Person:
        user = User(
            id=UserId(random_id()),
            name="小明",
            name_key=None,
            role=role,
            password_hash=None,
            language=language,
            created=now(),
            last_seen=now(),
        )
        return self.again(user)

    def again(self, user: User) -> Person:
        """A login and a token, of a new user or one who is known."""
        secret, token = new_secret(), new_secret()
        later = now() + timedelta(days=1)
        session = LoginSession(
            id=SessionId(random_id()),
            user_id=user.id,
            kind=SessionKind.NOTEBOOK,
            secret_hash=secret_hash(secret),
            parent=None,
            created=now(),
            expires=later,
        )
        key = ApiToken(
            id=TokenId(random_id()),
            user_id=user.id,
            label="t",
            secret_hash=secret_hash(token),
            created=now(),
            expires=None,
        )

        def work(tx: Any) -> None:
            if tx.users.get(user.id) is None:
                tx.users.add(user)
            tx.sessions.add(session)
            tx.tokens.add(key)

        self.database.write(work)
        client = httpx.AsyncClient(base_url=self.origin, cookies={"jiqi_nb": secret}, timeout=PATIENCE)
        person = Person(user, secret, session.id, token, key.id, client, self.origin)
        self.people.append(person)
        return person

    def home(self, person: Person) -> Path:
        return self.settings.homes / person.user.id


def settings_for(place: Path, *, port: int) -> Settings:
    return load(
        {"JIQI_STATE": str(place), "JIQI_PORT": str(port), "JIQI_KERNEL_UID": "0", "JIQI_KERNEL_GID": "0"}
    )


def build(settings: Settings, events: Any) -> tuple[SqlDatabase, UserApps, Authentication, Pool]:
    database = SqlDatabase(settings.database_url)
    metadata.create_all(database.engine)
    authentication = Authentication(database=database, clock=now)
    pool = Pool(threads=8)
    apps = UserApps(
        settings,
        cookie_secret=SECRET,
        database=database,
        kernels=KernelService(database=database, relay=Quiet(), clock=now),
        authentication=authentication,
        clock=now,
        pool=pool,
        homes=DiskHomes(settings),
        room=lambda _: None,
        events=events,
    )
    return database, apps, authentication, pool


@contextlib.asynccontextmanager
async def serving(place: Path, *, events: Any = None) -> AsyncIterator[Ground]:
    """One web process, without a host."""
    socket, port = bind_unused_port()
    settings = settings_for(place, port=port)
    database, apps, authentication, pool = build(settings, events or Bus())
    apps.start()
    server = HTTPServer(apps)
    server.add_socket(socket)
    ground = Ground(settings, database, apps, settings.notebook_url, authentication)
    try:
        yield ground
    finally:
        for person in ground.people:
            await person.http.aclose()
        await apps.close()
        server.stop()
        await server.close_all_connections()
        pool.close()
        database.close()


@contextlib.asynccontextmanager
async def hosting(place: Path, **options: Any) -> AsyncIterator[tuple[Ground, Host]]:
    """One web process and a stand-in host with real kernels."""
    bus = Bus()
    async with serving(place, events=bus) as ground:
        host = Host(ground.database, publish=lambda kernel: bus.publish("kernels", kernel), **options)
        await asyncio.to_thread(host.__enter__)
        try:
            yield ground, host
        finally:
            await asyncio.to_thread(host.__exit__)


__all__ = ["Channels", "Ground", "Host", "Person", "channels", "hosting", "on_loop", "replace", "serving"]
