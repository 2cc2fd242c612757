"""The Celery application: JSON only, ids only, short timeouts, no results."""

from celery import Celery

CTL = "ctl"
SWEEP = "jiqi.sweep"


def celery_app(redis_url: str) -> Celery:
    """Return an application whose broker is `redis_url` (`redis://…` or `unix://…`)."""
    app = Celery("jiqi", set_as_current=False)
    app.conf.update(
        broker_url=broker_url(redis_url),
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        task_default_queue=CTL,
        task_acks_late=False,  # a wake-up that was lost is found by the agent's own poll
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_send_task_events=False,
        worker_enable_remote_control=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "socket_timeout": 5,
            "socket_connect_timeout": 2,
            "polling_interval": 0.05,
            "global_keyprefix": "jiqi.",
        },
        timezone="UTC",
    )
    return app


def broker_url(redis_url: str) -> str:
    """Return the broker's URL in Celery's spelling: it says `redis+socket` for a Unix socket."""
    return redis_url.replace("unix://", "redis+socket://", 1)
