"""The processes that parse large notebooks, one small pool per web process.

`json.loads` holds the interpreter for its whole length, so that even a thread would stop every other user.
What goes in and out are paths and small values: large content passes through a file of the server's own.
"""

import asyncio
import contextlib
import functools
import multiprocessing
import os
import resource
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from jiqi.domain.files import FileTooLargeError, NotebookWorkerError, shown
from jiqi.services.ports_files import Files
from jiqi.web.jupyter.contents_models import Model, ReadRequest, read_model, write_json
from jiqi.web.jupyter.contents_trust import NotaryPlace
from jiqi.web.running import RunInPool

P = ParamSpec("P")
T = TypeVar("T")

_MEMORY: Final = 6 * 1024**3
_TASKS: Final = 50
_WATCH_SECONDS: Final = 2.0


class ParsingPool:
    """Worker processes, started at the first need and again after one was lost."""

    def __init__(self, *, run_in_pool: RunInPool, workers: int = 1) -> None:
        """Start nothing yet; `run_in_pool` carries the few milliseconds that a start takes."""
        self._run_in_pool, self._workers = run_in_pool, workers
        self._executor: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()

    async def run(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return `function(...)` of a worker process. Raises NotebookWorkerError when the process is lost."""
        try:
            future = await self._run_in_pool(self._submit, functools.partial(function, *args, **kwargs))
            return await asyncio.wrap_future(future)
        except BrokenExecutor as error:
            with self._lock:
                self._executor = None
            raise NotebookWorkerError(path="") from error

    def _submit(self, call: Callable[[], T]) -> Future[T]:
        with self._lock:
            if self._executor is None:
                self._executor = ProcessPoolExecutor(
                    max_workers=self._workers,
                    mp_context=multiprocessing.get_context("spawn"),
                    initializer=_begin,
                    initargs=(os.getpid(),),
                    max_tasks_per_child=_TASKS,
                )
            return self._executor.submit(call)

    def close(self) -> None:
        """End the workers; what runs is given up."""
        with self._lock:
            executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=False, cancel_futures=True)


def _begin(parent: int) -> None:
    """Bound a worker's memory, let the kernel take it first, and end it with its web process."""
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        Path("/proc/self/oom_score_adj").write_text("500")
    threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_WATCH_SECONDS)
    os._exit(0)


def read_into(files: Files, request: ReadRequest, place: NotaryPlace, *, target: Path) -> Model:
    """Write the whole model's JSON to `target`; return the model without its content."""
    try:
        model = read_model(files, request, place)
        write_json(model, target)
    except MemoryError as error:
        raise FileTooLargeError(path=shown(request.path), limit=request.limits.notebook) from error
    model["content"] = None
    return model
