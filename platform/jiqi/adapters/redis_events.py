"""Wake-ups over Redis publish/subscribe: fast when Redis answers, silently absent when it does not."""

import threading
import time
from collections.abc import Callable

import redis
import structlog

log = structlog.get_logger()
CHANNEL = "jiqi:"
_TIMEOUT = 0.25
_PAUSE_AFTER_ERROR = 1.0


class RedisEvents:
    """Publishes in the caller's thread with a short timeout; after an error it stays quiet for a second."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._client = redis.Redis.from_url(
            url, socket_timeout=_TIMEOUT, socket_connect_timeout=_TIMEOUT, retry=None, decode_responses=True
        )
        self._stop = threading.Event()
        self._broken_until = 0.0
        self._threads: list[threading.Thread] = []

    def publish(self, topic: str, body: str) -> None:
        """Tell whoever listens; never blocks for more than a moment and never raises."""
        if time.monotonic() < self._broken_until:
            return
        try:
            self._client.publish(CHANNEL + topic, body)
        except (redis.RedisError, OSError):
            self._broken_until = time.monotonic() + _PAUSE_AFTER_ERROR
            log.warning("event_lost", topic=topic)

    def subscribe(self, topic: str, receive: Callable[[str], None]) -> None:
        """Call `receive(body)` in a thread of its own for each event of `topic`, for ever, across outages."""
        thread = threading.Thread(
            target=self._listen, args=(topic, receive), name=f"events-{topic}", daemon=True
        )
        self._threads.append(thread)
        thread.start()

    def close(self) -> None:
        """End the listening threads within a second."""
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=2)
        self._client.close()

    def _listen(self, topic: str, receive: Callable[[str], None]) -> None:
        while not self._stop.is_set():
            try:
                with redis.Redis.from_url(
                    self._url, socket_connect_timeout=2, decode_responses=True
                ) as client:
                    self._follow(client, topic, receive)
            except (redis.RedisError, OSError):
                self._stop.wait(_PAUSE_AFTER_ERROR)

    def _follow(self, client: "redis.Redis", topic: str, receive: Callable[[str], None]) -> None:
        with client.pubsub(ignore_subscribe_messages=True) as pubsub:  # type: ignore[no-untyped-call]
            pubsub.subscribe(CHANNEL + topic)
            while not self._stop.is_set():
                message = pubsub.get_message(timeout=0.5)
                if message is not None and message["type"] == "message":
                    receive(message["data"])
