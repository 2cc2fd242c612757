"""The web process's listeners and its life: start, serve, and a graceful end at SIGTERM."""

import asyncio
import errno
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import structlog
from tornado import web
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets

from jiqi.config import Settings
from jiqi.domain.errors import JiqiError
from jiqi.services.ports import Database
from jiqi.web.handlers import WebState
from jiqi.web.health import internal_application
from jiqi.web.jupyter.apps import UserApps
from jiqi.web.routing import Front

log = structlog.get_logger()
# Streaming handlers raise this for themselves; everything else sends small JSON.
_BODY_MOST: Final = 4 * 1024 * 1024
_HEADERS_MOST: Final = 32 * 1024
_IDLE_SECONDS: Final = 75.0
_END_SECONDS: Final = 10.0


class PortInUseError(JiqiError):
    """Another program listens on the port."""

    code = "port.in_use"
    status = 503


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """Everything that one web process serves."""

    settings: Settings
    state: WebState
    main: web.Application
    apps: UserApps
    database: Database


def listen(address: str, port: int) -> list[socket.socket]:
    """Return bound sockets. Raises PortInUseError."""
    try:
        return bind_sockets(port, address=address)
    except OSError as error:
        if error.errno in {errno.EADDRINUSE, errno.EACCES, errno.EADDRNOTAVAIL}:
            raise PortInUseError(port=port, address=address) from error
        raise


class WebServer:
    """Two listeners on one loop."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._tasks: list[asyncio.Task[None]] = []
        self._servers: list[HTTPServer] = []
        self.port = 0
        self.internal_port = 0

    async def start(self) -> None:
        """Bind first, so that a taken port is told before anything is begun. Raises PortInUseError."""
        served, settings = self._served, self._served.settings
        public = listen(settings.listen, settings.port)
        try:
            internal = listen("127.0.0.1", settings.internal_port)
        except PortInUseError:
            for bound in public:
                bound.close()
            raise
        self.port, self.internal_port = public[0].getsockname()[1], internal[0].getsockname()[1]
        metrics = served.state.metrics
        self._tasks.append(asyncio.get_running_loop().create_task(metrics.measure_lag()))
        served.apps.start()
        front = Front(served.main, site=served.state.services.site, users=served.apps.find_handler)
        self._serve(front, public)
        inside = internal_application(metrics=metrics, database=served.database, pool=served.state.pool)
        self._serve(inside, internal)
        log.info("web_started", port=self.port, internal_port=self.internal_port)

    def _serve(self, what: Front | web.Application, sockets: list[socket.socket]) -> None:
        server = HTTPServer(
            what,
            max_body_size=_BODY_MOST,
            max_header_size=_HEADERS_MOST,
            idle_connection_timeout=_IDLE_SECONDS,
            xheaders=bool(self._served.settings.trusted_proxies),
            trusted_downstream=list(self._served.settings.trusted_proxies) or None,
        )
        server.add_sockets(sockets)
        self._servers.append(server)

    async def close(self) -> None:
        """Take no more, close websockets (clients come back to another process), let running requests end."""
        for server in self._servers:
            server.stop()
        await self._served.apps.close()
        for task in self._tasks:
            task.cancel()
        for server in self._servers:
            with suppress(TimeoutError):
                await asyncio.wait_for(server.close_all_connections(), _END_SECONDS)
        self._served.state.pool.close()
        self._served.state.passwords.close()
        log.info("web_stopped")


async def serve(server: WebServer, *, began: Callable[[], None] = lambda: None) -> None:
    """Serve until SIGTERM or SIGINT. Raises PortInUseError."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await server.start()
    began()
    await stop.wait()
    await server.close()
