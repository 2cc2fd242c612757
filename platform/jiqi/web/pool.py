"""The one bounded thread pool of a web process: SQL, files and password hashes run here, never on the loop."""

import asyncio
import contextvars
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from jiqi.domain.errors import UnavailableError

P = ParamSpec("P")
T = TypeVar("T")


class PoolFullError(UnavailableError):
    """More work waits than the process can do soon; nothing was begun."""

    code = "web.busy"


class Pool:
    """`threads` workers and at most `waiting` calls in all; one too many is refused at once."""

    def __init__(self, *, threads: int = 16, waiting: int = 1000, name: str = "pool") -> None:
        self._executor = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=name)
        self._most = waiting
        self._calls = 0

    async def run(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return `function(*args, **kwargs)`, run in a thread. Raises PoolFullError."""
        if self._calls >= self._most:
            raise PoolFullError
        self._calls += 1
        try:
            loop = asyncio.get_running_loop()
            # The request's id goes with the call into the thread, so that what it logs can be found.
            context = contextvars.copy_context()
            call = functools.partial(context.run, function, *args, **kwargs)
            return await loop.run_in_executor(self._executor, call)
        finally:
            self._calls -= 1

    @property
    def calls(self) -> int:
        """How many calls run or wait."""
        return self._calls

    def close(self) -> None:
        """Refuse new work and let running calls end by themselves."""
        self._executor.shutdown(wait=False, cancel_futures=True)
