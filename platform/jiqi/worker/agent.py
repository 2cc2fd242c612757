"""The agent's process: a Celery worker on `node.<id>` for wake-ups, and the threads that do the work."""

import fcntl
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import structlog

from jiqi.domain.errors import JiqiError
from jiqi.domain.kernels import BEAT
from jiqi.services.hosting_base import Agency
from jiqi.services.hosting_beat import Beating
from jiqi.services.hosting_pool import Pool
from jiqi.services.hosting_tidy import Tidying
from jiqi.worker.supervisor import Loop, Supervisor

log = structlog.get_logger()
_FILL = 0.3
_WARM = 0.5
_TIDY = 10.0
_TIDY_FIRST = 1.0


class AgentRunningError(JiqiError):
    """Another agent serves this node: two would end each other's kernels."""

    code = "agent.running"
    status = 409


class NodeLock:
    """Held for as long as the process lives; the system lets it go however the process ends."""

    def __init__(self, state: Path, node: str) -> None:
        """Take the lock. Raises AgentRunningError."""
        state.mkdir(parents=True, exist_ok=True)
        self._fd = os.open(state / f"agent-{node}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._fd)
            raise AgentRunningError(node=node) from error

    def release(self) -> None:
        """Let another agent begin."""
        os.close(self._fd)


class Later:
    """Runs what a kernel can do without at first."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(4, thread_name_prefix="later")

    def __call__(self, act: Callable[[], None]) -> None:
        """Run `act` soon, in another thread; what it raises is logged."""
        self._pool.submit(_logged, act)

    def close(self) -> None:
        """Drop what has not begun."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class Agent:
    """The threads of one agent; `start` returns once they run."""

    def __init__(
        self,
        *,
        agency: Agency,
        pool: Pool,
        tidying: Tidying,
        beating: Beating,
        supervisor: Supervisor,
        later: Later,
    ) -> None:
        self._agency = agency
        self._pool = pool
        self._tidying = tidying
        self._beating = beating
        self._supervisor = supervisor
        self._later = later
        self._adopted = threading.Event()
        self._closing = threading.Event()
        self._loops = [
            Loop("beat", self._beat, seconds=BEAT.total_seconds()),
            Loop("fill", self._fill, seconds=_FILL),
            Loop("warm", self._beating.tell_warm, seconds=_WARM),
        ]
        self._threads = [
            threading.Thread(target=self._tidy, name="tidy", daemon=True),
            threading.Thread(target=self._supervise, name="supervisor", daemon=True),
        ]

    def start(self) -> None:
        """Begin: first what lives is adopted, then kernels are started."""
        for loop in self._loops:
            loop.start()
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End the threads; every kernel goes on."""
        self._closing.set()
        self._adopted.set()
        self._pool.close()
        self._supervisor.close()
        for loop in self._loops:
            loop.close()
        self._later.close()
        for thread in self._threads:
            thread.join(timeout=3)
        self._agency.host.close()

    def _beat(self) -> None:
        self._beating.beat()

    def _fill(self) -> None:
        if self._adopted.is_set():
            self._pool.fill(self._agency.host.environments())

    def _tidy(self) -> None:
        while not self._closing.is_set():
            try:
                if not self._adopted.is_set():
                    self._agency.host.prepare()
                self._tidying.tidy()
                if not self._adopted.is_set():
                    log.info("agent_ready", node=self._agency.node, host=self._agency.host.kind)
                    self._adopted.set()
            except Exception as error:
                log.warning("tidy_waits", error=f"{type(error).__name__}: {error}")
            self._closing.wait(_TIDY if self._adopted.is_set() else _TIDY_FIRST)

    def _supervise(self) -> None:
        self._adopted.wait()
        if not self._closing.is_set():
            self._supervisor.run()


def _logged(act: Callable[[], None]) -> None:
    try:
        act()
    except Exception as error:
        log.warning("later_failed", error=f"{type(error).__name__}: {error}")
