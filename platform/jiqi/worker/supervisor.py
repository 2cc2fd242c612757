"""The agent's supervisor: one task a kernel at a time, starts apart from stops, and a poll that needs no broker."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import structlog

from jiqi.domain.ids import KernelId
from jiqi.domain.kernels import Step
from jiqi.services.hosting import Hosting
from jiqi.worker.signals import Signals

log = structlog.get_logger()
POLL = 2.0
_THREADS = 8


class _Task:
    """What is under way for one kernel; `again` is set when somebody asked meanwhile."""

    def __init__(self, *, look: bool) -> None:
        self.look = look
        self.again = threading.Event()

    def take_look(self) -> bool:
        look, self.look = self.look, False
        return look


class Supervisor:
    """Starts that wait for Docker or a deadline never keep a stop, an interrupt or a restart waiting."""

    def __init__(self, hosting: Hosting, signals: Signals) -> None:
        self._hosting = hosting
        self._signals = signals
        self._tasks: dict[KernelId, _Task] = {}
        self._lock = threading.Lock()
        self._closing = False
        self._starts = ThreadPoolExecutor(_THREADS, thread_name_prefix="start")
        self._stops = ThreadPoolExecutor(_THREADS, thread_name_prefix="stop")
        self._changes = ThreadPoolExecutor(_THREADS, thread_name_prefix="change")

    def run(self) -> None:
        """Work until `close`."""
        next_poll = 0.0
        while not self._closing:
            try:
                signal = self._signals.get(seconds=next_poll - time.monotonic())
                if signal is not None:
                    self._dispatch(signal.kernel_id, look=signal.look)
                if time.monotonic() >= next_poll and not self._closing:
                    self._poll()
                    next_poll = time.monotonic() + POLL
            except Exception:
                log.exception("supervisor_error")
                time.sleep(0.2)
                next_poll = time.monotonic() + POLL

    def close(self) -> None:
        """Begin nothing more; what is under way is finished or done again by the next agent."""
        self._closing = True
        self._signals.stop()
        for pool in (self._starts, self._stops, self._changes):
            pool.shutdown(wait=False, cancel_futures=True)

    def _poll(self) -> None:
        self._hosting.expire()
        due = self._hosting.due()
        for kernel, step in due:
            if step is not Step.NOTHING:
                self._dispatch(kernel.id, look=False, step=step)
        for kernel_id in self._hosting.unwatched([kernel for kernel, _ in due]):
            self._dispatch(kernel_id, look=True)

    def _dispatch(self, kernel_id: KernelId, *, look: bool, step: Step | None = None) -> None:
        with self._lock:
            task = self._tasks.get(kernel_id)
            if task is not None:
                task.look = task.look or look
                task.again.set()
                return
        step = step or self._hosting.next(kernel_id)
        if step is Step.NOTHING and not look:
            return
        with self._lock:
            # Only this thread adds tasks.
            task = self._tasks[kernel_id] = _Task(look=look)
        self._pool(step).submit(self._work, kernel_id, task)

    def _pool(self, step: Step) -> ThreadPoolExecutor:
        match step:
            case Step.CLAIM:
                return self._starts
            case Step.STOP | Step.END | Step.FAIL:
                return self._stops
            case Step.RESTART | Step.INTERRUPT | Step.NOTHING:
                return self._changes

    def _work(self, kernel_id: KernelId, task: _Task) -> None:
        try:
            while True:
                self._hosting.reconcile(
                    kernel_id, look=task.take_look(), cancelled=lambda: self._is_cancelled(kernel_id, task)
                )
                with self._lock:
                    if not task.again.is_set() or self._closing:
                        return
                    task.again.clear()
        except Exception:
            # The poll comes back to this kernel.
            log.exception("reconcile_error", kernel_id=kernel_id)
        finally:
            with self._lock:
                self._tasks.pop(kernel_id, None)

    def _is_cancelled(self, kernel_id: KernelId, task: _Task) -> bool:
        if self._closing:
            return True
        if not task.again.is_set():
            return False
        task.again.clear()
        return self._hosting.next(kernel_id) not in {Step.CLAIM, Step.RESTART}


class Loop:
    """A thread that does one thing again and again until it is closed; an error costs one round."""

    def __init__(self, name: str, act: Callable[[], None], *, seconds: float) -> None:
        self._act = act
        self._seconds = seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End after the round under way, waiting a moment for it."""
        self._stop.set()
        self._thread.join(timeout=3)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._act()
            except Exception as error:
                log.warning("round_failed", loop=self._thread.name, error=f"{type(error).__name__}: {error}")
            self._stop.wait(self._seconds)
