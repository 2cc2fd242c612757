"""Running a Celery worker in this process, with threads, until a signal ends it."""

import logging
import time
import warnings

import structlog
from celery import Celery, signals
from celery.platforms import SecurityWarning
from celery.worker import state

log = structlog.get_logger()
_PAUSE = 2.0


def serve(app: Celery, *, queue: str, threads: int, name: str) -> None:
    """Take tasks from `queue` until SIGTERM or SIGINT; a broker that is away is waited for."""
    signals.setup_logging.connect(_leave_logging_alone)
    app.conf.worker_redirect_stdouts = False
    # Two lines a wake-up say nothing that the kernel's own events do not.
    for noisy in ("celery.worker.strategy", "celery.app.trace"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    # It warns of root and pickle; only JSON is accepted, and mounting homes needs root.
    warnings.filterwarnings("ignore", category=SecurityWarning)
    while True:
        try:
            worker = app.Worker(
                queues=[queue],
                pool="threads",
                concurrency=threads,
                hostname=f"{name}@{queue}",
                without_mingle=True,
                without_gossip=True,
                without_heartbeat=True,
                quiet=True,
            )
            worker.start()
        except Exception:
            log.exception("celery_worker_error")
        if state.should_stop is not None or state.should_terminate is not None:
            return
        time.sleep(_PAUSE)


def _leave_logging_alone(**_options: object) -> None:
    """Be there: with a receiver of this signal, Celery configures no logging of its own."""
