"""jiqi up: the broker, the database's schema, then web, agent and scheduler as children, until a signal."""

import http.client
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any
from urllib.parse import urlsplit

import jiqi
from jiqi import console
from jiqi.config import Settings
from jiqi.supervisor import instance, listening, valkey
from jiqi.supervisor.children import Child
from jiqi.supervisor.engine import Engine
from jiqi.supervisor.tether import SUPERVISOR

_READY_SECONDS = 60.0
_STOP_SECONDS = 10.0


def run(settings: Settings) -> int:
    """Run until SIGINT or SIGTERM; return the exit status."""
    held = instance.take(settings.state)
    if held is None:
        found = instance.running(settings.state)
        console.say("run.already", url=found.portal_url if found else settings.portal_url)
        return 0
    try:
        engine = None if settings.host == "process" else Engine().version()
        isolated = engine is not None or settings.host == "docker"
        problem = listening.problem(
            settings.listen, settings.port, internal_port=settings.internal_port, isolated=isolated
        )
        if problem is not None:
            code, facts = problem
            console.refuse(code, **facts)
            return 1
        return Up(settings, held, engine=engine).run()
    finally:
        held.close()


def environment(settings: Settings, *, isolated: bool) -> dict[str, str]:
    """Return the children's environment: this one's, with what was decided once for all of them."""
    package = str(Path(jiqi.__file__).resolve().parents[1])
    paths = [package, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)),
        "JIQI_HOST": settings.host if settings.host != "auto" else "docker" if isolated else "process",
        SUPERVISOR: str(os.getpid()),
    }


class Up:
    """One run of the supervisor."""

    def __init__(self, settings: Settings, held: instance.Instance, *, engine: str | None) -> None:
        self._settings = settings
        self._held = held
        self._engine = engine
        self._logs = settings.state / "logs"
        self._environ = environment(settings, isolated=engine is not None or settings.host == "docker")
        self._broker: Child | None = None
        self._children: dict[str, Child] = {}
        self._signals, far = socket.socketpair()
        self._signals.setblocking(False)
        far.setblocking(False)
        self._far = far
        self._stop = 0

    def run(self) -> int:
        """Start, serve, stop."""
        self._catch_signals()
        self._tell("starting")
        try:
            facts = self._start()
            if facts is not None:
                self._announce(facts)
                while not self._stop:
                    self._wait(1.0)
                    self._look()
        finally:
            self._tell("stopping")
            self._end()
        if facts is None:
            return 0 if self._stop else 1
        self._count_kernels()
        return 0

    def _start(self) -> Mapping[str, Any] | None:
        settings = self._settings
        if valkey.socket_of(settings.redis_url) is not None and "JIQI_REDIS_URL" not in os.environ:
            self._broker = valkey.server(settings.redis_url, logs=self._logs)
            self._broker.start()
        # Web first: it is what a person waits for. It brings the schema up too, one of the two waiting for the
        # other; the agent and the scheduler need it done.
        self._begin("web")
        facts = self._prepare()
        if facts is None:
            return None
        if self._broker is not None and not valkey.wait(settings.redis_url, seconds=10):
            console.refuse("broker.down", log=self._logs / "valkey.log")
            return None
        self._begin("agent")
        ready = self._web_ready()
        self._begin("scheduler")
        if not ready:
            if not self._stop:
                console.refuse("web.not_ready", seconds=int(_READY_SECONDS), log=self._logs / "web.log")
            return None
        return facts

    def _prepare(self) -> Mapping[str, Any] | None:
        """Bring the schema up in a process of its own, so that this one stays small."""
        log = self._logs / "prepare.log"
        self._logs.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as errors:
            done = subprocess.run(
                [sys.executable, "-m", "jiqi", "prepare"],
                env=self._environ,
                stdout=subprocess.PIPE,
                stderr=errors,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                check=False,
            )
        if done.returncode != 0:
            lines = log.read_text(errors="replace").strip().splitlines()
            console.refuse("database.not_migrated", line=lines[-1] if lines else "", log=log)
            return None
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found

    def _begin(self, name: str) -> None:
        child = Child(
            name=name,
            command=[sys.executable, "-m", "jiqi", name],
            log=self._logs / f"{name}.log",
            environ=self._environ,
        )
        child.start()
        self._children[name] = child

    def _web_ready(self) -> bool:
        end = time.monotonic() + _READY_SECONDS
        while time.monotonic() < end and not self._stop:
            self._wait(0.05)
            self._look()
            if web_answers(self._settings):
                return True
        return False

    def _look(self) -> None:
        for child in (self._broker, *self._children.values()):
            ended = child.look() if child is not None else None
            if ended is not None and not self._stop:
                console.say(
                    "up.crashed",
                    to=sys.stderr,
                    name=ended.name,
                    code=ended.code,
                    pause=f"{ended.pause:g}",
                    line=ended.last_line,
                )

    def _announce(self, facts: Mapping[str, Any]) -> None:
        settings = self._settings
        self._tell("ready")
        console.say("up.title", version=jiqi.__version__)
        console.say("up.open", url=settings.portal_url)
        if facts.get("admin_link"):
            console.say("up.admin", url=facts["admin_link"])
        if self._environ["JIQI_HOST"] == "docker":
            console.say("up.isolated", version=self._engine or "?")
        else:
            console.say("up.not_isolated")
        command = listening.ssh_command(settings.port)
        if command:
            console.say("run.ssh", command=command)
        console.say("up.hint", logs=self._logs)

    def _end(self) -> None:
        console.say("up.stopping")
        for child in self._children.values():
            child.signal(signal.SIGTERM)
        until = time.monotonic() + _STOP_SECONDS
        for child in self._children.values():
            if not child.stop(until=until):
                console.say("up.killed", name=child.name)
        if self._broker is not None:
            self._broker.signal(signal.SIGTERM)
            self._broker.stop(until=time.monotonic() + 3)

    def _count_kernels(self) -> None:
        from jiqi import wiring

        base = wiring.base(self._settings)
        live = base.database.read(lambda tx: tx.kernels.live_per_node())
        base.database.close()
        count = sum(live.values())
        console.say("up.kernels", n=count) if count else console.say("up.stopped")

    def _tell(self, stage: str) -> None:
        settings = self._settings
        self._held.tell(
            instance.Running(pid=os.getpid(), stage=stage, portal_url=settings.portal_url, port=settings.port)
        )

    def _catch_signals(self) -> None:
        def stop(number: int, frame: FrameType | None) -> None:
            del number, frame
            self._stop += 1
            if self._stop > 1:  # a second Ctrl-C does not wait
                for child in self._children.values():
                    child.signal(signal.SIGKILL)

        signal.set_wakeup_fd(self._far.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGHUP, stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def _wait(self, seconds: float) -> None:
        """Sleep until a signal, a child's end among them, or `seconds`."""
        ready, _, _ = select.select([self._signals], [], [], seconds)
        if ready:
            self._signals.recv(4096)


def web_answers(settings: Settings) -> bool:
    """Say whether this installation's web process answers its health check."""
    address = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.listen, settings.listen)  # noqa: S104
    connection = http.client.HTTPConnection(address, settings.port, timeout=2)
    try:
        connection.request("GET", "/healthz", headers={"Host": urlsplit(settings.portal_url).netloc})
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
