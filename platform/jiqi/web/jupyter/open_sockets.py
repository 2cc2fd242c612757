"""Every open websocket of this process: found again by its session, and closed when its right is lost."""

import asyncio
from typing import Protocol

import structlog

from jiqi.services.authentication import Authentication, Principal
from jiqi.web.pool import Pool

log = structlog.get_logger()

# A lost right is noticed within this and one query, well under five seconds.
CHECK = 2.0
# Close codes of the private range, which clients can tell apart.
LOGGED_OUT = 4401
REPLACED = 4409


class OpenSocket(Protocol):
    """A websocket that can be ended from outside."""

    principal: Principal

    def end(self, code: int, reason: str) -> None:
        """Stop carrying messages at once and close with `code`."""


class OpenSockets:
    """Sockets by identity, and the newest one of each (kernel, session)."""

    def __init__(self, *, authentication: Authentication, pool: Pool) -> None:
        self._authentication = authentication
        self._pool = pool
        self._open: set[OpenSocket] = set()
        self._by_session: dict[str, OpenSocket] = {}

    def __len__(self) -> int:
        return len(self._open)

    def add(self, socket: OpenSocket, *, session: str | None = None) -> None:
        """Register; an older socket of the same session is closed, for two would share one ZMQ identity."""
        self._open.add(socket)
        if session is None:
            return
        self.replace(session, by=socket)
        self._by_session[session] = socket

    def replace(self, session: str, *, by: OpenSocket | None = None) -> None:
        """Close the socket of a session because another one, here or elsewhere, took it over."""
        older = self._by_session.pop(session, None)
        if older is not None and older is not by:
            older.end(REPLACED, "replaced by a newer connection")

    def remove(self, socket: OpenSocket, *, session: str | None = None) -> None:
        """Forget a socket; harmless when it is not there."""
        self._open.discard(socket)
        if session is not None and self._by_session.get(session) is socket:
            del self._by_session[session]

    async def run(self) -> None:
        """Close sockets whose login or token has ended, for ever."""
        while True:
            await asyncio.sleep(CHECK)
            try:
                await self.check()
            except Exception:
                log.exception("sockets_unchecked")

    async def check(self) -> None:
        """Look once."""
        sockets = list(self._open)
        keys = {(s.principal.session_id, s.principal.token_id): s.principal for s in sockets}
        if not keys:
            return
        living = await self._pool.run(self._authentication.living, list(keys.values()))
        lost = {key for key, good in zip(keys, living, strict=True) if not good}
        for socket in sockets:
            if (socket.principal.session_id, socket.principal.token_id) in lost:
                log.info("socket_revoked", user_id=socket.principal.user.id)
                socket.end(LOGGED_OUT, "login ended")

    def close_all(self) -> None:
        """Close everything, at the end of the process: clients come back to another."""
        for socket in list(self._open):
            socket.end(1001, "server is going away")
