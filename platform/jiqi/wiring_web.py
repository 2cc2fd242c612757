"""The web process's composition root."""

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path

import redis
import structlog

from jiqi import __version__, wiring
from jiqi.adapters.db.migrating import migrate
from jiqi.adapters.home_files import DiskHomes
from jiqi.adapters.passwords import Argon2Passwords
from jiqi.adapters.tutorial_files import TutorialFiles
from jiqi.config import Settings
from jiqi.domain.errors import JiqiError
from jiqi.services.accounts import Accounts
from jiqi.services.admin_links import AdminLinks
from jiqi.services.authentication import Authentication
from jiqi.services.bringing import Bringing
from jiqi.services.disk import Disk
from jiqi.services.entering import Entering
from jiqi.services.hosts import Hosts
from jiqi.services.lessons import Lessons
from jiqi.services.people import People
from jiqi.services.projects import ProjectService
from jiqi.services.tokens import Tokens
from jiqi.web.built_pages import BuiltPages
from jiqi.web.call import Services
from jiqi.web.handlers import WebState
from jiqi.web.health import Checks
from jiqi.web.jupyter.apps import UserApps
from jiqi.web.messages import text
from jiqi.web.metrics import Metrics
from jiqi.web.pool import Pool
from jiqi.web.routing import application
from jiqi.web.server import Served, WebServer, serve
from jiqi.web.site import site
from jiqi.web.studio import Studio
from jiqi.web.uploading import upload_route
from jiqi.wiring import Base, utc_now

log = structlog.get_logger()
_PASSWORD_THREADS = 2


@dataclass(frozen=True, kw_only=True)
class Web:
    """A web process, wired."""

    base: Base
    services: Services
    server: WebServer

    def close(self) -> None:
        """Stop threads and close connections."""
        self.base.close()


def services(base: Base, *, homes: DiskHomes, lessons: Path, cache: Path) -> Services:
    """Return the use cases of the portal."""
    settings, database = base.settings, base.database
    passwords = Argon2Passwords()
    catalogue = TutorialFiles(lessons, cache=cache)
    hosts = Hosts(database=database, clock=utc_now)
    disk = Disk(homes=homes, clock=utc_now)
    return Services(
        site=site(settings, version=__version__),
        accounts=Accounts(
            database=database, passwords=passwords, clock=utc_now, registration=settings.registration
        ),
        links=AdminLinks(database=database, passwords=passwords, clock=utc_now),
        authentication=Authentication(database=database, clock=utc_now),
        tokens=Tokens(database=database, clock=utc_now),
        people=People(database=database, kernels=base.kernels),
        entering=Entering(database=database, clock=utc_now),
        lessons=Lessons(catalogue=catalogue),
        projects=ProjectService(
            database=database,
            homes=homes,
            catalogue=catalogue,
            kernels=base.kernels,
            hosts=hosts,
            disk=disk,
            clock=utc_now,
        ),
        bringing=Bringing(database=database, homes=homes, disk=disk, clock=utc_now),
        kernels=base.kernels,
        hosts=hosts,
        disk=disk,
    )


def web(settings: Settings) -> Web:
    """Build the web process on a database of the current schema; nothing listens and no thread runs yet."""
    base = wiring.base(settings)
    homes = DiskHomes(settings)
    cases = services(base, homes=homes, lessons=settings.tutorials, cache=settings.state / "lessons")
    pool, passwords = Pool(), Pool(threads=_PASSWORD_THREADS, name="passwords")
    metrics = Metrics()
    apps = UserApps(
        settings,
        cookie_secret=wiring.cookie_secret(settings),
        database=base.database,
        kernels=base.kernels,
        authentication=cases.authentication,
        clock=utc_now,
        pool=pool,
        homes=homes,
        room=cases.disk.room,
        events=base.events,
    )
    metrics.watch("jiqi_websockets", "Open websockets", lambda: len(apps.shared.sockets))
    metrics.watch("jiqi_user_apps", "Jupyter applications in memory", lambda: len(apps))
    metrics.watch("jiqi_pool_calls", "Calls that run or wait in the pool", lambda: pool.calls)
    metrics.watch("jiqi_password_calls", "Password hashes that run or wait", lambda: passwords.calls)
    state = WebState(
        settings=settings,
        services=cases,
        pool=pool,
        passwords=passwords,
        metrics=metrics,
        pages=BuiltPages(settings.frontend),
        clock=utc_now,
    )
    client = redis.Redis.from_url(settings.redis_url, socket_timeout=1, socket_connect_timeout=1, retry=None)
    checks = Checks(
        database=base.database,
        ping=lambda: bool(client.ping()),
        services=cases,
        state=settings.state,
        pool=Pool(threads=4, waiting=100, name="checks"),
    )
    main = application(state, checks=checks, boot=Studio(apps).boot, more=[upload_route(homes, pool)])
    served = Served(settings=settings, state=state, main=main, apps=apps, database=base.database)
    return Web(base=base, services=cases, server=WebServer(served))


def run_web(settings: Settings) -> None:
    """Serve until a signal; a condition with a code ends the process with its words, not with a trace."""
    try:
        migrate(settings)
        wired = web(settings)
        try:
            asyncio.run(serve(wired.server, began=wired.base.relay.start))
        finally:
            wired.close()
    except JiqiError as error:
        log.error("web_refused", code=error.code, **error.params)  # noqa: TRY400  (words, not a trace)
        for language in ("zh-CN", "en"):
            sys.stderr.write(f"{text(error.code, error.params, language=language)} [{error.code}]\n")
        sys.exit(1)
