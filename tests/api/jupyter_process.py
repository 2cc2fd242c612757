"""A web process of its own: `python -m tests.api.jupyter_process <state> <port> [<redis url>]`, for tests with several."""

import asyncio
import sys
from pathlib import Path

from tests.api.jupyter_ground import Bus, build, settings_for
from tornado.httpserver import HTTPServer

from jiqi.adapters.redis_events import RedisEvents


async def main(state: str, port: str, redis_url: str | None = None) -> None:
    """Serve until the process is ended."""
    events = RedisEvents(redis_url) if redis_url else Bus()
    _, apps, _, _ = build(settings_for(Path(state), port=int(port)), events)
    apps.start()
    server = HTTPServer(apps)
    server.listen(int(port), "127.0.0.1")
    print("serving", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
