"""A kernel host by itself, without database, broker or agent: places, orders, and code run in kernels."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from jupyter_client.blocking import BlockingKernelClient
from tests.integration.agent_world import CHANNELS, TINY, describe

from jiqi import wiring_workers
from jiqi.adapters import mounts
from jiqi.adapters.homes import ensure_home
from jiqi.config import Settings, load
from jiqi.domain.ids import KernelId, UserId, random_id
from jiqi.domain.kernels import Environment, Network
from jiqi.services.hosting_base import new_name
from jiqi.services.ports_hosts import KernelHost, Order, Place, PoolKey, Started

KEY = "ab" * 32


@dataclass
class Ground:
    """One host; `places` are removed at the end."""

    settings: Settings
    host: KernelHost
    places: list[Place] = field(default_factory=list)

    def environment(self) -> Environment:
        """Return the tiny environment as the host has it."""
        return next(e for e in self.host.environments() if e.name == TINY)

    def place(self, network: Network = Network.NONE) -> Place:
        """Make a place and wait until it is ready."""
        key = PoolKey(environment=TINY, network=self.host.network(network))
        place = self.host.create(new_name(), key, environment=self.environment(), home=None, urgent=True)
        self.places.append(place)
        self.host.await_ready(place, seconds=120, cancelled=lambda: False)
        return place

    def person(self) -> UserId:
        """Make a home."""
        user_id = UserId(random_id())
        ensure_home(self.settings, user_id)
        return user_id

    def order(self, user_id: UserId, **changes: Any) -> Order:
        """Say what to start."""
        order = Order(
            kernel_id=KernelId("0b9c4df3-6bee-4f97-8555-94410fd7993f"),
            user_id=user_id,
            environment=TINY,
            generation=1,
            key=KEY,
            folder="",
            safe=False,
        )
        return replace(order, **changes)

    def claimed(
        self, user_id: UserId | None = None, network: Network = Network.NONE
    ) -> tuple[Place, Order, Started]:
        """Make a place with a home and a kernel."""
        user_id = user_id or self.person()
        place = self.place(network)
        self.host.attach(place, user_id)
        order = self.order(user_id)
        return place, order, self.host.start(place, order, seconds=60)

    def remove(self, place: Place) -> None:
        """Remove everything of a place."""
        self.host.unwatch(place.name)
        self.host.stop(place, grace=0)
        self.host.detach(place.name)
        self.host.discard(place.name)


@contextmanager
def host_ground(kind: str) -> Iterator[Ground]:
    """Make a host of this kind, and take it apart."""
    state = Path(tempfile.mkdtemp(prefix="jiqi-state-"))
    run = Path(tempfile.mkdtemp(prefix="jq", dir="/tmp"))
    describe(state / "root", ())
    for folder in (state, run):
        folder.chmod(0o711)

    settings = load(
        {
            "JIQI_STATE": str(state),
            "JIQI_ROOT": str(state / "root"),
            "JIQI_RUN": str(run),
            "JIQI_HOST": kind,
            "JIQI_NODE": "n1",
            "JIQI_KERNEL_PYTHON": sys.executable,
        }
    )
    host = wiring_workers.kernel_host(settings)
    host.prepare()
    ground = Ground(settings, host)
    try:
        yield ground
    finally:
        host.close()
        left = wiring_workers.teardown(settings)
        assert not left
        assert not [m for m in mounts.mounted() if m.point.startswith((str(state), str(run)))]
        shutil.rmtree(state)
        shutil.rmtree(run, ignore_errors=True)


@contextmanager
def connected(started: Started) -> Iterator[BlockingKernelClient]:
    """Connect to a kernel over its five sockets."""
    client = BlockingKernelClient()
    client.load_connection_info(
        {
            "transport": "ipc",
            "ip": started.prefix,
            "key": KEY.encode(),
            "signature_scheme": "hmac-sha256",
            **{f"{name}_port": number for number, name in enumerate(CHANNELS, 1)},
        }
    )
    client.start_channels(hb=False)
    try:
        client.wait_for_ready(timeout=30)
        yield client
    finally:
        client.stop_channels()


def run(started: Started, code: str, *, seconds: float = 30) -> str:
    """Run a cell and return what it printed, or `error: …`."""
    printed: list[str] = []

    def receive(message: dict[str, Any]) -> None:
        if message["msg_type"] == "stream":
            printed.append(message["content"]["text"])

    with connected(started) as client:
        reply = client.execute_interactive(code, output_hook=receive, timeout=seconds)
    if reply["content"]["status"] != "ok":
        return f"error: {reply['content']['ename']}: {reply['content']['evalue']}"
    return "".join(printed).strip()
