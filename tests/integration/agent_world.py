"""One node's world for tests: settings, database, broker, people, and the agent as a process that can be killed."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import docker
from jupyter_client.blocking import BlockingKernelClient

from jiqi import wiring, wiring_workers
from jiqi.adapters import mounts
from jiqi.adapters.claims import FileClaims
from jiqi.adapters.db import tables
from jiqi.adapters.homes import ensure_home
from jiqi.config import Settings, load
from jiqi.domain.accounts import Role, User
from jiqi.domain.ids import KernelId, NodeId, UserId, random_id
from jiqi.domain.kernels import Kernel, Status
from jiqi.services.kernels import OpenRequest
from jiqi.services.ports_hosts import Claim, Place
from jiqi.supervisor import valkey

ROOT = Path(__file__).resolve().parents[2]
TINY = "tiny"
CHANNELS = ("shell", "iopub", "stdin", "control", "hb")
TINY_TAG = f"jiqi/{TINY}:1"
# The real image with numpy alone preloaded: a fork server in half a second instead of four.
_TINY = """
name = "tiny"
version = "1"
framework = "numpy"
preload = ["numpy"]
memory_mb = 300
shm_mb = 16
cpus = 1.0
[display]
zh = "小"
en = "Tiny"
"""


def torch_image() -> str:
    """Return the tag of the torch image of this checkout."""
    text = (ROOT / "kernels/images/torch-cpu/image.toml").read_text()
    version = next(line.split('"')[1] for line in text.splitlines() if line.startswith("version"))
    return f"jiqi/torch-cpu:{version}"


def wait_until(condition: Callable[[], Any], *, seconds: float = 60, what: str = "") -> Any:
    """Return the first truthy value of `condition`."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < end, f"waited {seconds} s for {what or condition}"
        time.sleep(0.01)


@dataclass
class World:
    """A node without or with an agent."""

    settings: Settings
    base: wiring.Base
    env: dict[str, str]
    broker: Any
    agents: list[subprocess.Popen[bytes]] = field(default_factory=list)
    adopted_before: int = 0

    # People and kernels

    def person(self, role: Role = Role.MEMBER) -> User:
        """Add somebody with a home in which a few files lie."""
        now = wiring.utc_now()
        user = User(
            id=UserId(random_id()),
            name="某人",
            name_key=None,
            role=role,
            password_hash=None,
            language="zh-CN",
            created=now,
            last_seen=now,
        )
        self.base.database.write(lambda tx: tx.users.add(user))
        home = ensure_home(self.settings, user.id)
        for name in ("p/a.ipynb", "p/数据 1.csv", "p/deep/er/x.bin"):
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(os.urandom(5000))
        if os.getuid() == 0:
            for path in home.rglob("*"):
                os.chown(path, self.settings.kernel_uid, self.settings.kernel_gid)
        return user

    def open(self, user: User, document: str = "p/a.ipynb", environment: str = TINY) -> Kernel:
        """Ask for a kernel, as the web process does."""
        return self.base.kernels.open(user, OpenRequest(environment=environment, document=document))

    def kernel(self, kernel_id: KernelId) -> Kernel:
        """Return the record."""
        found = self.base.database.read(lambda tx: tx.kernels.get(kernel_id))
        assert found is not None
        return found

    def until(self, kernel_id: KernelId, *statuses: Status, seconds: float = 60) -> Kernel:
        """Wait for one of the statuses."""

        def there() -> Kernel | None:
            kernel = self.kernel(kernel_id)
            return kernel if kernel.status in statuses else None

        try:
            found: Kernel = wait_until(there, seconds=seconds)
        except AssertionError:
            raise AssertionError(f"{self.kernel(kernel_id)}\n{self.log()}") from None
        return found

    def ready(self, kernel_id: KernelId, *, seconds: float = 60) -> Kernel:
        """Wait until the kernel can be used; fail at once when it ended."""
        kernel = self.until(kernel_id, Status.READY, Status.FAILED, Status.STOPPED, seconds=seconds)
        assert kernel.status is Status.READY, f"{kernel}\n{self.log()}"
        return kernel

    def stopped(self, kernel_id: KernelId, *, seconds: float = 60) -> Kernel:
        """Wait until the kernel is over."""
        return self.until(kernel_id, Status.STOPPED, Status.FAILED, seconds=seconds)

    # The agent

    def start_agent(self, **environ: str) -> subprocess.Popen[bytes]:
        """Start an agent."""
        env = self.env | {"KILL_FILE": str(self.settings.state / "kill_at")} | environ
        path = self.settings.state / "agent.log"
        self.adopted_before = self.log().count("agent_ready") if path.exists() else 0
        with path.open("ab") as log:
            agent = subprocess.Popen(
                [sys.executable, "-m", "tests.integration.agent_process"],
                env=env,
                cwd=ROOT,
                stderr=log,
                stdout=log,
            )
        self.agents.append(agent)
        return agent

    def kill_at(self, step: str) -> None:
        """Let the agent that runs, or comes next, be killed -9 right after this step."""
        (self.settings.state / "kill_at").write_text(step)

    def await_killed(self, agent: subprocess.Popen[bytes], *, seconds: float = 60) -> None:
        """Wait until the agent died of its own SIGKILL."""
        wait_until(lambda: agent.poll() is not None, seconds=seconds, what=self.log)
        assert agent.returncode == -signal.SIGKILL, self.log()
        self.agents.remove(agent)

    def await_agent(self, agent: subprocess.Popen[bytes], *, warm: int = 0) -> None:
        """Wait until the node's row says that it can start kernels, and for `warm` filled places."""
        wait_until(lambda: self.fresh_node() or agent.poll() is not None, what="a beat")
        assert agent.poll() is None, self.log()
        wait_until(lambda: self.log().count("agent_ready") > self.adopted_before, what="adoption")
        if warm:
            wait_until(lambda: self.log().count("pool_filled") >= warm, seconds=180, what=self.log)

    def await_pool(self) -> None:
        """Wait until every wanted place is filled: as many unclaimed places as the settings say, all ready."""

        def is_filled() -> bool:
            rows = {k.warm for k in self.base.database.read(lambda tx: tx.kernels.live_of_node(NodeId("n1")))}
            warm = [place for place in self.places() if place.name not in rows]
            log = self.log()
            filled = [line for line in log.splitlines() if "pool_filled" in line]
            ready = [place for place in warm if any(place.name in line for line in filled)]
            return len(ready) >= sum(self.settings.pool.values())

        wait_until(is_filled, seconds=120, what=self.log)

    def fresh_node(self) -> Any:
        """Return the node's row when it is not older than a beat."""
        nodes = self.base.database.read(lambda tx: tx.nodes.all())
        limit = wiring.utc_now() - timedelta(seconds=4)
        return next((node for node in nodes if node.beat > limit and node.environments), None)

    def end_agent(self, agent: subprocess.Popen[bytes], *, number: int = signal.SIGTERM) -> None:
        """End an agent and wait for it."""
        agent.send_signal(number)
        agent.wait(timeout=20)
        self.agents.remove(agent)

    def log(self) -> str:
        """Return what the agents wrote."""
        return (self.settings.state / "agent.log").read_text(errors="replace")

    # Talking to a kernel

    @contextmanager
    def client(self, kernel: Kernel) -> Iterator[BlockingKernelClient]:
        """Connect to a ready kernel over its sockets."""
        client = BlockingKernelClient()
        client.load_connection_info(
            {
                "transport": "ipc",
                "ip": kernel.prefix,
                "key": kernel.key.encode(),
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

    def run(self, kernel: Kernel, code: str, *, seconds: float = 30) -> str:
        """Run a cell and return what it printed; fail when it raised."""
        printed: list[str] = []

        def receive(message: dict[str, Any]) -> None:
            if message["msg_type"] == "stream":
                printed.append(message["content"]["text"])

        with self.client(kernel) as client:
            reply = client.execute_interactive(code, output_hook=receive, timeout=seconds)
        assert reply["content"]["status"] == "ok", reply["content"]
        return "".join(printed).strip()

    def has_logged(self, event: str, word: str) -> bool:
        """Say whether an agent logged an event with this word in it."""
        return any(event in line and word in line for line in self.log().splitlines())

    # What must not change or stay

    def hashes(self, user: User) -> dict[str, str]:
        """Return a hash of every file of a home."""
        home = self.settings.homes / user.id
        return {
            str(path.relative_to(home)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(home.rglob("*"))
            if path.is_file() and not path.is_symlink() and not path.name.startswith(".")
        }

    def mounted(self) -> list[str]:
        """Return the mounts of this world, without the shared folder's own."""
        own = str(self.settings.state / "mounts")
        under = (own + "/", str(self.settings.run) + "/")
        return [mount.point for mount in mounts.mounted() if mount.point.startswith(under)]

    def claims(self) -> list[Claim]:
        """Return the claims on disk."""
        return FileClaims(self.settings.state / "claims").all()

    def places(self) -> list[Place]:
        """Return this world's containers or processes, as the host finds them."""
        host = wiring_workers.kernel_host(self.settings)
        try:
            return host.places()
        finally:
            host.close()

    def pids(self, place: Place) -> list[int]:
        """Return the host's numbers of a place's processes; none when it is gone."""
        if self.settings.host == "process":
            return [int(place.ref[1:].partition("-")[0])] if place in self.places() else []
        client = docker.APIClient()
        try:
            top = client.top(place.ref)
        except docker.errors.APIError:
            return []
        finally:
            client.close()
        return [int(row[top["Titles"].index("PID")]) for row in top["Processes"]]

    def containers(self) -> list[str]:
        """Return the ids of this world's containers."""
        label = f"jiqi.installation={self.settings.installation}"
        client = docker.from_env()
        try:
            return [
                c.id for c in client.containers.list(all=True, filters={"label": label}, ignore_removed=True)
            ]
        finally:
            client.close()


@contextmanager
def world(
    host: str, *, pool: str = f"{TINY}/none=1", images: tuple[str, ...] = (), **env: str
) -> Iterator[World]:
    """Make a world with a broker, and take it apart."""
    state = Path(tempfile.mkdtemp(prefix="jiqi-state-"))
    run = Path(tempfile.mkdtemp(prefix="jq", dir="/tmp"))
    root = state / "root"
    describe(root, images)
    for folder in (state, run):
        folder.chmod(0o711)
    variables = {
        "JIQI_STATE": str(state),
        "JIQI_ROOT": str(root),
        "JIQI_RUN": str(run),
        "JIQI_HOST": host,
        "JIQI_NODE": "n1",
        "JIQI_POOL": pool,
        "JIQI_KERNEL_PYTHON": sys.executable,
        "JIQI_CAPACITY": "8",
        **env,
    }
    settings = load(variables)
    broker = valkey.server(settings.redis_url, logs=_made(state / "logs"))
    broker.start()
    assert valkey.wait(settings.redis_url, seconds=10)
    base = wiring.base(settings)
    tables.metadata.create_all(base.database.engine)
    base.relay.start()
    # The program must find its own code and nothing of the tests' settings by chance.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("JIQI_")}
    made = World(
        settings=settings,
        base=base,
        env=inherited | variables | {"PYTHONPATH": f"{ROOT / 'platform'}:{ROOT}"},
        broker=broker,
    )
    try:
        yield made
    finally:
        for agent in made.agents:
            agent.kill()
            agent.wait()
        base.close()
        broker.signal(signal.SIGTERM)
        broker.stop(until=time.monotonic() + 5)
        left = wiring_workers.teardown(settings)
        assert not left, left
        assert not made.mounted()
        shutil.rmtree(state)
        shutil.rmtree(run, ignore_errors=True)


def tag_tiny() -> None:
    """Let Docker know the tiny environment."""
    client = docker.from_env()
    try:
        name, _, tag = TINY_TAG.partition(":")
        assert client.images.get(torch_image()).tag(name, tag)
    finally:
        client.close()


def describe(root: Path, images: tuple[str, ...]) -> None:
    """Write the image files of a checkout that has the tiny environment and `images`."""
    folder = root / "kernels" / "images"
    (folder / TINY).mkdir(parents=True)
    (folder / TINY / "image.toml").write_text(_TINY)
    for name in images:
        (folder / name).symlink_to(ROOT / "kernels" / "images" / name)
    (root / "kernels" / "runtime").symlink_to(ROOT / "kernels" / "runtime")


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
