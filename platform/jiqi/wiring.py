"""The composition root: settings to adapters to services; nothing else knows concrete classes."""

import contextlib
import os
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime

from jiqi.adapters.db.database import SqlDatabase
from jiqi.adapters.outbox_relay import OutboxRelay
from jiqi.adapters.redis_events import RedisEvents
from jiqi.config import Settings
from jiqi.services.kernels import KernelService
from jiqi.worker.celery_app import celery_app


def utc_now() -> datetime:
    """Return the time in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, kw_only=True)
class Base:
    """What every process has."""

    settings: Settings
    database: SqlDatabase
    events: RedisEvents
    relay: OutboxRelay
    kernels: KernelService

    def close(self) -> None:
        """Stop threads and close connections."""
        self.relay.close()
        self.events.close()
        self.database.close()


def base(settings: Settings) -> Base:
    """Connect (lazily) to the database and the broker; threads are not started yet."""
    database = SqlDatabase(settings.database_url)
    app = celery_app(settings.redis_url)

    def publish(queue: str, task: str, argument: str) -> None:
        app.send_task(task, args=[argument], queue=queue, retry=False)

    def connect() -> None:
        with app.producer_or_acquire() as producer:
            producer.connection.ensure_connection(max_retries=1, timeout=2)

    relay = OutboxRelay(database=database, publish=publish, connect=connect)
    return Base(
        settings=settings,
        database=database,
        events=RedisEvents(settings.redis_url),
        relay=relay,
        kernels=KernelService(database=database, relay=relay, clock=utc_now),
    )


def cookie_secret(settings: Settings) -> bytes:
    """Return the installation's secret, making it once with mode 0600."""
    path = settings.secret_file
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        # Written whole under another name and linked: a process that starts beside this one never reads half.
        making = path.with_name(f".{path.name}-{secrets.token_hex(6)}")
        with open(making, "x", opener=_private) as file:
            file.write(secrets.token_hex(32))
        with contextlib.suppress(FileExistsError):
            os.link(making, path)
        making.unlink()
    return path.read_text().encode()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
