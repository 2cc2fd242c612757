"""Users' Jupyter applications in this process: found or built as requests come, dropped when nobody uses them.

The web server gives every request below `/user/` of the notebook origin to `UserApps.find_handler`.
"""

import asyncio
import contextlib
import hashlib
import hmac
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import structlog
from tornado import httputil
from tornado.routing import Router
from tornado.web import Application

from jiqi.config import Settings
from jiqi.domain.accounts import User
from jiqi.domain.ids import KernelId, UserId, is_id
from jiqi.services.authentication import Authentication, Principal
from jiqi.services.kernels import KernelService
from jiqi.services.ports import Clock, Database
from jiqi.services.ports_homes import Homes
from jiqi.web.jupyter.arrival import recognise, take_keys
from jiqi.web.jupyter.contents import HomeContents
from jiqi.web.jupyter.contents_services import ContentsServices
from jiqi.web.jupyter.contents_trust import NotaryPlace
from jiqi.web.jupyter.contents_worker import ParsingPool
from jiqi.web.jupyter.door import Entering, NeedsLoginError, not_yours, refusals
from jiqi.web.jupyter.follower import Follower
from jiqi.web.jupyter.kernelspecs import Environments
from jiqi.web.jupyter.lab_handlers import package_routes
from jiqi.web.jupyter.open_sockets import OpenSockets
from jiqi.web.jupyter.shared import Announcements, Shared, new_context, new_event_logger, raise_open_files
from jiqi.web.jupyter.stdlog import jupyter_log
from jiqi.web.jupyter.user_app import SOCKETS_TOPIC, UserApp, log_request
from jiqi.web.pool import Pool

log = structlog.get_logger()

IDLE_SECONDS = 600.0
_SWEEP_SECONDS = 60.0
_SPOOL_SECONDS = 86400.0
_KERNELS_TOPIC = "kernels"
_PATH = re.compile(r"/user/([^/]+)(?:/|\Z)")


class UserApps(Router):
    """A tornado router; `start` once on the loop, `close` at the end."""

    def __init__(
        self,
        settings: Settings,
        *,
        cookie_secret: bytes,
        database: Database,
        kernels: KernelService,
        authentication: Authentication,
        clock: Clock,
        pool: Pool,
        homes: Homes,
        room: Callable[[User], int | None],
        events: Announcements,
    ) -> None:
        """Build nothing per user yet. `room` says how many bytes a person may still add; it is called in the pool."""
        raise_open_files()
        self._homes, self._room, self._events = homes, room, events
        self._parsing = ParsingPool(run_in_pool=pool.run)
        self._spool = settings.state / "spool"
        self.shared = Shared(
            state=settings.state,
            portal_url=settings.portal_url,
            notebook_url=settings.notebook_url,
            cookie_secret=cookie_secret,
            database=database,
            kernels=kernels,
            authentication=authentication,
            clock=clock,
            pool=pool,
            follower=Follower(database=database, pool=pool),
            sockets=OpenSockets(authentication=authentication, pool=pool),
            environments=Environments(database=database, pool=pool, clock=clock),
            context=new_context(),
            event_logger=new_event_logger(),
            contents=self._contents,
            announce=self._announce,
        )
        self._apps: dict[UserId, UserApp] = {}
        self._refusing: Application = refusals()
        self._packages: Application | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._announcing: set[asyncio.Task[None]] = set()
        # One nonce a process: its own announcements come back to it.
        self._nonce = hashlib.sha256(str(id(self)).encode() + str(time.time_ns()).encode()).hexdigest()[:12]

    def start(self) -> None:
        """Begin to follow kernels and to watch logins. On the loop."""
        loop = asyncio.get_running_loop()
        self._spool.mkdir(mode=0o700, parents=True, exist_ok=True)
        _forget_old(self._spool)
        self._events.subscribe(
            _KERNELS_TOPIC, lambda body: _soon(loop, self.shared.follower.wake, KernelId(body))
        )
        self._events.subscribe(SOCKETS_TOPIC, lambda body: _soon(loop, self._moved, body))
        for work in (self.shared.follower.run(), self.shared.sockets.run(), self._sweep()):
            self._tasks.append(loop.create_task(work))

    async def close(self) -> None:
        """Let go of every kernel and close every websocket; kernels run on."""
        for task in self._tasks:
            task.cancel()
        self.shared.sockets.close_all()
        for app in self._apps.values():
            app.kernels.detach()
        self._apps.clear()
        self._parsing.close()

    def __len__(self) -> int:
        return len(self._apps)

    # Requests.

    def find_handler(
        self, request: httputil.HTTPServerRequest, **kwargs: Any
    ) -> httputil.HTTPMessageDelegate:
        """Return who answers a request below `/user/`."""
        del kwargs
        if self._packages is None:
            self._packages = Application(package_routes(), log_function=log_request)
        if self._packages.default_router.find_handler(request) is not None:
            return self._packages.find_handler(request)
        return Entering(request, admit=self._admit, refusing=self._refusing)

    async def _admit(self, request: httputil.HTTPServerRequest) -> Application:
        keys = take_keys(request)
        found = _PATH.match(request.path)
        user_id = found.group(1) if found is not None else ""
        arrival = await self.shared.pool.run(recognise, self.shared.authentication, keys)
        if arrival is None:
            raise NeedsLoginError
        if not is_id(user_id) or arrival.principal.user.id != user_id:
            raise not_yours()
        request.arrival = arrival  # type: ignore[attr-defined]
        return await self.app(arrival.principal)

    async def app(self, principal: Principal) -> UserApp:
        """Return the person's application, building it when there is none."""
        person = principal.user
        app = self._apps.get(person.id)
        if app is None:
            await self.shared.pool.run(self._homes.made, person.id)
            # Another request may have been first meanwhile.
            app = self._apps.get(person.id) or UserApp(self.shared, person)
            self._apps[person.id] = app
        app.kernels.person = person
        app.used = time.monotonic()
        return app

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            self.drop_idle()

    def drop_idle(self, *, seconds: float = IDLE_SECONDS) -> int:
        """Drop applications that nobody used for `seconds` and that no websocket goes through; return how many."""
        before = time.monotonic() - seconds
        idle = [user_id for user_id, app in self._apps.items() if app.used <= before and app.idle]
        for user_id in idle:
            self._apps.pop(user_id).kernels.detach()
        if idle:
            log.info("user_apps_dropped", count=len(idle), left=len(self._apps))
        return len(idle)

    # What applications are given.

    def _contents(self, shared: Shared, person: User) -> HomeContents:
        user_id = person.id
        services = ContentsServices(
            files=self._homes.of(user_id),
            notary=NotaryPlace(
                file=shared.own(person) / "signatures.db",
                secret=hmac.digest(shared.cookie_secret, f"notary:{user_id}".encode(), hashlib.sha256),
            ),
            run_in_pool=shared.pool.run,
            parsing=self._parsing,
            room=lambda: self._room(self._apps[user_id].kernels.person if user_id in self._apps else person),
            spool=self._spool,
        )
        return HomeContents(services=services, event_logger=shared.event_logger, log=jupyter_log)

    def _announce(self, topic: str, body: str) -> None:
        message = f"{self._nonce} {body}"
        task = asyncio.get_running_loop().create_task(
            self.shared.pool.run(self._events.publish, topic, message)
        )
        self._announcing.add(task)
        task.add_done_callback(self._announcing.discard)

    def _moved(self, body: str) -> None:
        nonce, _, session = body.partition(" ")
        if nonce != self._nonce:
            self.shared.sockets.replace(session)


def _forget_old(spool: Path) -> None:
    """Remove what a process that was killed left behind; what another one uses now is younger."""
    for left in spool.iterdir():
        with contextlib.suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > _SPOOL_SECONDS:
                left.unlink()


def _soon(loop: asyncio.AbstractEventLoop, function: Callable[[Any], None], argument: Any) -> None:
    try:
        loop.call_soon_threadsafe(function, argument)
    except RuntimeError:
        log.debug("event_after_end")
