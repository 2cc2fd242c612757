"""The two websockets of an application: a kernel's channels, and events that stay silent."""

import asyncio
from typing import Any

from jupyter_server.auth.decorator import ws_authenticated
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from jupyter_server.services.kernels.websocket import KernelWebsocketHandler
from tornado import web, websocket

from jiqi.domain.errors import BadInputError, NotFoundError
from jiqi.domain.ids import KernelId, is_kernel_id
from jiqi.services.authentication import Principal
from jiqi.web.jupyter import wire
from jiqi.web.jupyter.channels import KernelConnection
from jiqi.web.jupyter.handlers import Ours
from jiqi.web.jupyter.kernels import FollowedKernels

_SESSION_MOST = 128
_BAD_MESSAGE = 1007


class Pinged:
    """tornado's own pings, in seconds: jupyter_server's mixin counts in milliseconds, and tornado reads the same names."""

    ping_interval = 30.0
    ping_timeout = 30.0


class ChannelsHandler(Ours, Pinged, KernelWebsocketHandler):  # type: ignore[misc]
    """`api/kernels/<id>/channels`; the handshake waits for a kernel that is on its way, up to a minute."""

    connection: KernelConnection | None = None

    async def pre_get(self) -> None:
        """Find the kernel. Raises NotFoundError, KernelGoneError, KernelSlowError."""
        if not self.authorizer.is_authorized(self, self.current_user, "execute", "kernels"):
            raise web.HTTPError(403)
        session_id = self.get_argument("session_id", "")
        if len(session_id.encode()) > _SESSION_MOST or "\0" in session_id:
            raise BadInputError(where="session_id", limit=_SESSION_MOST)
        if not is_kernel_id(self.kernel_id):
            raise NotFoundError(kernel=self.kernel_id)
        kernels: FollowedKernels = self.settings["kernel_manager"]
        kernel = await kernels.ready(KernelId(self.kernel_id))
        self.connection = KernelConnection(parent=kernel, websocket_handler=self)
        if session_id:
            self.connection.session.session = session_id

    @ws_authenticated
    async def get(self, kernel_id: str) -> None:
        """Shake hands."""
        self.kernel_id = kernel_id
        await self.pre_get()
        await super(KernelWebsocketHandler, self).get(kernel_id=kernel_id)

    async def open(self, kernel_id: str) -> None:
        """Connect to the kernel; messages of the client wait meanwhile."""
        del kernel_id
        assert self.connection is not None  # noqa: S101  (made before the handshake)
        self.connection.begin(self.arrival.principal)
        self.application.announce(self.connection.key)
        await self.connection.connect()

    def on_message(self, ws_message: bytes | str) -> None:
        """Carry a message to the kernel; what is no message ends the connection."""
        if self.connection is None:
            return
        try:
            self.connection.handle_incoming_message(ws_message)
        except wire.MalformedError:
            self.connection.end(_BAD_MESSAGE, "not a Jupyter message")

    def on_close(self) -> None:
        """Let go."""
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.disconnect()

    def write_message(self, message: Any, binary: bool = False) -> Any:  # noqa: FBT001, FBT002  (tornado's signature)
        """Send; on a socket that is closing, a future that says so instead of an exception."""
        try:
            return super().write_message(message, binary)
        except websocket.WebSocketClosedError as error:
            return _failed(error)

    def select_subprotocol(self, subprotocols: list[str]) -> str | None:
        """Take the newer protocol when it is offered."""
        return wire.V1 if wire.V1 in subprotocols else None


class EventsHandler(Ours, Pinged, WebSocketMixin, websocket.WebSocketHandler, JupyterHandler):  # type: ignore[misc]
    """`api/events/subscribe`: accepted, so that JupyterLab is content, and silent: the process's events are of all users."""

    auth_resource = "events"
    principal: Principal

    def set_default_headers(self) -> None:
        """A websocket's answer has no page's headers."""

    @ws_authenticated
    async def get(self) -> None:
        """Shake hands."""
        await super().get()

    def open(self) -> None:
        """Register, so that it is closed when the login ends."""
        self.principal = self.arrival.principal
        self.shared.sockets.add(self)

    def end(self, code: int, reason: str) -> None:
        """Close."""
        self.close(code, reason)

    def on_message(self, message: bytes | str) -> None:
        """Hear nothing."""

    def on_close(self) -> None:
        """Forget."""
        self.shared.sockets.remove(self)


def _failed(error: Exception) -> "asyncio.Future[None]":
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    future.set_exception(error)
    return future
