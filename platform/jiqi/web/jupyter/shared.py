"""What all users' Jupyter applications of one web process share; an application itself holds nothing that SQL does not."""

import resource
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import zmq
import zmq.asyncio
from jupyter_events import EventLogger
from jupyter_server import DEFAULT_EVENTS_SCHEMA_PATH

from jiqi.domain.accounts import User
from jiqi.services.authentication import Authentication
from jiqi.services.kernels import KernelService
from jiqi.services.ports import Clock, Database
from jiqi.web.jupyter.follower import Follower
from jiqi.web.jupyter.kernelspecs import Environments
from jiqi.web.jupyter.open_sockets import OpenSockets
from jiqi.web.pool import Pool

# libzmq's default of 1023 sockets ends near 200 websockets.
MAX_SOCKETS = 65536
_SCHEMAS = ("contents_service", "kernel_actions")


class Announcements(Protocol):
    """Wake-ups between processes, both ways; `receive` is called in a thread of its own."""

    def publish(self, topic: str, body: str) -> None:
        """Tell whoever listens."""

    def subscribe(self, topic: str, receive: Callable[[str], None]) -> None:
        """Call `receive(body)` for each event of `topic`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """The ground that the applications stand on."""

    state: Path
    portal_url: str
    notebook_url: str
    cookie_secret: bytes
    database: Database
    kernels: KernelService
    authentication: Authentication
    clock: Clock
    pool: Pool
    follower: Follower
    sockets: OpenSockets
    environments: Environments
    context: zmq.asyncio.Context
    event_logger: EventLogger
    contents: Callable[["Shared", User], Any]
    """Returns the contents manager of one user."""
    announce: Callable[[str, str], None]
    """Tells the other web processes, without waiting."""

    def own(self, user: User) -> Path:
        """Return the folder of one user's Jupyter state (settings, workspaces, trust), which no kernel sees."""
        return self.state / "users" / user.id


def raise_open_files() -> int:
    """Raise this process's limit of open files to the hard limit and return it: a kernel's websocket needs ten."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def new_context() -> zmq.asyncio.Context:
    """Return the one context of the process."""
    context = zmq.asyncio.Context()
    context.set(zmq.MAX_SOCKETS, MAX_SOCKETS)
    return context


def new_event_logger() -> EventLogger:
    """Return the one event logger of the process. Nobody may listen to it: it speaks of all users."""
    logger = EventLogger()
    for name in _SCHEMAS:
        logger.register_event_schema(DEFAULT_EVENTS_SCHEMA_PATH / name / "v1.yaml")
    return logger
