"""The Celery tasks: their bodies only leave a note, because SQL says what is to be done."""

from collections.abc import Callable
from datetime import timedelta

import structlog
from celery import Celery

from jiqi.domain.ids import KernelId, is_kernel_id
from jiqi.services.kernels import WAKE
from jiqi.worker.celery_app import CTL, SWEEP

log = structlog.get_logger()
SWEEP_EVERY = timedelta(seconds=60)


def register_wake(app: Celery, wake: Callable[[KernelId], None]) -> None:
    """Let `jiqi.wake(kernel_id)` call `wake`, which must return at once."""

    @app.task(name=WAKE)
    def wake_task(kernel_id: str) -> None:
        if is_kernel_id(kernel_id):
            wake(KernelId(kernel_id))


def register_sweep(app: Celery, sweep: Callable[[], None]) -> None:
    """Let `jiqi.sweep` call `sweep`, and let beat ask for it every minute."""

    @app.task(name=SWEEP)
    def sweep_task() -> None:
        sweep()

    app.conf.beat_schedule = {
        "sweep": {
            "task": SWEEP,
            "schedule": SWEEP_EVERY,
            # A round that nobody took within its minute is replaced by the next.
            "options": {"queue": CTL, "expires": SWEEP_EVERY.total_seconds()},
        }
    }
