"""A real web process in this process: its own loop in a thread, SQLite in a temporary folder, no broker, no agent.

A row stands for an agent that reported a moment ago, so that kernels can be asked for; nobody starts them.
"""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
from sqlalchemy import func, select

from jiqi import wiring_web
from jiqi.adapters.db.migrating import migrate
from jiqi.adapters.db.tables import metadata
from jiqi.config import Settings, load
from jiqi.domain.ids import NodeId
from jiqi.domain.kernels import Environment, Node
from jiqi.services.ports import Transaction

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def settings_for(state: Path, **more: str) -> Settings:
    port, internal = free_port(), free_port()
    environ = {
        "JIQI_ROOT": str(ROOT),
        "JIQI_STATE": str(state),
        "JIQI_RUN": str(state / "run"),
        "JIQI_PORT": str(port),
        "JIQI_INTERNAL_PORT": str(internal),
        "JIQI_NODE": "here",
    }
    return load({**environ, **more})


def environment(name: str) -> Environment:
    return Environment(
        name=name,
        version="1",
        digest="sha256:0",
        framework=name.partition("-")[0],
        accelerator="cpu",
        display={"zh": f"环境 {name}", "en": f"Environment {name}"},
        memory_mb=1024,
        shm_mb=64,
        cpus=1.0,
    )


@dataclass
class Portal:
    """The running process and ways to call it."""

    settings: Settings
    web: wiring_web.Web
    clients: list[httpx.Client] = field(default_factory=list)

    @property
    def url(self) -> str:
        return self.settings.portal_url

    @property
    def notebook_url(self) -> str:
        return self.settings.notebook_url

    def browser(self, **headers: str) -> "Browser":
        return Browser(self, headers)

    def report(self, *, problem: str | None = None, age: float = 0, capacity: int = 100) -> None:
        node = Node(
            id=NodeId("here"),
            kind="docker",
            isolates=True,
            capacity=capacity,
            environments=(environment("torch-cpu"), environment("paddle-cpu")),
            beat=datetime.now(UTC) + timedelta(hours=1) - timedelta(seconds=age),
            epoch="e",
            problem=problem,
        )
        if age:
            node = replace(node, beat=datetime.now(UTC) - timedelta(seconds=age))
        self.web.base.database.write(lambda tx: tx.nodes.put(node))

    def rows(self) -> dict[str, int]:
        """How many rows each table has."""
        with self.web.base.database.engine.connect() as connection:
            return {
                name: connection.execute(select(func.count()).select_from(table)).scalar_one()
                for name, table in metadata.tables.items()
            }

    def read(self, work: object) -> object:
        return self.web.base.database.read(work)  # type: ignore[arg-type,type-var]

    def files(self) -> list[str]:
        return sorted(str(p.relative_to(self.settings.state)) for p in self.settings.homes.rglob("*"))


class Browser:
    """Cookies of both origins, and the XSRF header on unsafe calls, as our pages send it."""

    def __init__(self, portal: Portal, headers: dict[str, str]) -> None:
        self.portal = portal
        self.client = httpx.Client(timeout=30, headers=headers, trust_env=False)
        portal.clients.append(self.client)

    def cookie(self, name: str, *, notebook: bool = False) -> str | None:
        domain = "127.0.0.1" if notebook else "localhost.local"
        for found in self.client.cookies.jar:
            if found.name == name and found.domain in {domain, "localhost"} - (
                {"localhost"} if notebook else set()
            ):
                return found.value
        return None

    def get(self, path: str, *, notebook: bool = False, **more: object) -> httpx.Response:
        base = self.portal.notebook_url if notebook else self.portal.url
        return self.client.get(base + path, **more)  # type: ignore[arg-type]

    def call(
        self, method: str, path: str, body: object | None = None, *, notebook: bool = False, **headers: str
    ) -> httpx.Response:
        if self.cookie("jiqi_xsrf", notebook=notebook) is None:
            self.get("/api/v1/site", notebook=notebook)
        base = self.portal.notebook_url if notebook else self.portal.url
        mark = self.cookie("jiqi_xsrf", notebook=notebook) or ""
        headers = {"Origin": base, "X-Jiqi-XSRF": mark, **headers}
        return self.client.request(method, base + "/api/v1" + path, json=body, headers=headers)

    def post(self, path: str, body: object | None = None, **more: object) -> httpx.Response:
        return self.call("POST", path, body if body is not None else {}, **more)  # type: ignore[arg-type]

    def guest(self) -> dict[str, object]:
        return self.post("/guest").json()["user"]  # type: ignore[no-any-return]

    def register(self, name: str, password: str = "correct horse") -> dict[str, object]:
        answer = self.post("/register", {"name": name, "password": password})
        assert answer.status_code == 200, answer.text
        return answer.json()["user"]  # type: ignore[no-any-return]

    def enter(self, opened: dict[str, object]) -> httpx.Response:
        """Submit the form as the opening page does."""
        enter = opened["enter"]
        return self.client.post(
            enter["action"],  # type: ignore[index]
            data={"ticket": enter["ticket"], "next": enter["next"]},  # type: ignore[index]
            headers={"Origin": self.portal.url},
        )


@contextlib.contextmanager
def running(settings: Settings) -> Iterator[Portal]:
    migrate(settings)
    web = wiring_web.web(settings)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="web", daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(web.server.start(), loop).result(30)
    web.base.relay.start()
    portal = Portal(settings, web)
    portal.report()
    try:
        yield portal
    finally:
        for client in portal.clients:
            client.close()
        asyncio.run_coroutine_threadsafe(web.server.close(), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
        web.close()


def kernel_rows(portal: Portal, user_id: str) -> int:
    def work(tx: Transaction) -> int:
        return len(tx.kernels.live_of_user(user_id))  # type: ignore[arg-type]

    return portal.web.base.database.read(work)
