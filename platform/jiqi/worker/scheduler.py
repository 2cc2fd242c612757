"""The scheduler's process: a Celery worker on `ctl`, and beat in a thread of it."""

from celery import Celery
from celery.beat import EmbeddedService, Scheduler

from jiqi.worker.celery_app import CTL
from jiqi.worker.running import serve


def run(app: Celery) -> None:
    """Serve until a signal. The schedule is kept in memory: every entry is harmless to run again."""
    beat = EmbeddedService(app, thread=True, scheduler_cls=Scheduler)
    beat.start()
    try:
        serve(app, queue=CTL, threads=2, name="scheduler")
    finally:
        beat.stop()
