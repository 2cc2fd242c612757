"""A kernel as the forkserver sees it: who waits for its start, when a stage is overdue, how it ended."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from jiqi_kernel.children import Child
from jiqi_kernel.clients import Client
from jiqi_kernel.launch import END
from jiqi_kernel.protocol import RequestError, StartSpec, failed, ok

Send = Callable[[Client, bytes], None]
_WARM_SECONDS = 20.0
_COLD_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Exit:
    """How a generation ended: an exit code or a signal; neither when it never had a process."""

    generation: int
    code: int | None
    signal: int | None

    @classmethod
    def of(cls, generation: int, status: int) -> Self:
        """Read a status of waitpid."""
        if os.WIFSIGNALED(status):
            return cls(generation, code=None, signal=os.WTERMSIG(status))
        return cls(generation, code=os.WEXITSTATUS(status), signal=None)

    def facts(self) -> dict[str, int | None]:
        """The fields of the protocol."""
        return {"generation": self.generation, "code": self.code, "signal": self.signal}


def check_places(spec: StartSpec, *, run: Path) -> None:
    """Raise RequestError when the kernel could not work where it is told to, before a standby is spent."""
    if not os.path.isdir(spec.cwd):  # noqa: PTH112 - unlike Path.is_dir, false for whatever cannot be a folder
        raise RequestError("no_cwd", "the working directory does not exist")
    try:
        same_mount = Path(spec.prefix).parent.stat().st_dev == run.stat().st_dev
    except OSError:
        same_mount = False
    if not same_mount or not os.access(Path(spec.prefix).parent, os.W_OK):
        raise RequestError("no_prefix", "sockets cannot be renamed into the folder of the prefix")


@dataclass(slots=True, eq=False)
class Kernel:
    """One generation of the kernel, from its request to its exit."""

    spec: StartSpec
    shadowed: list[str]
    started: float
    child: Child | None = None
    seconds: float | None = None
    kill_at: float | None = None
    retried: bool = False
    waiters: list[tuple[Client, int | str | None]] = field(default_factory=list)
    stop_waiters: list[tuple[Client, int | str | None]] = field(default_factory=list)

    @property
    def is_cold(self) -> bool:
        """Whether it needs an interpreter of its own."""
        return bool(self.shadowed)

    def child_or_fail(self) -> Child:
        """Its process, or RequestError `starting` before it has one."""
        if self.child is None:
            raise RequestError("starting", "the kernel has no process yet")
        return self.child

    def facts(self) -> dict[str, object]:
        """The fields of `status`."""
        pid = self.child.pid if self.child else None
        running = self.seconds is not None
        return {
            "kernel_id": self.spec.kernel_id,
            "pid": pid,
            "generation": self.spec.generation,
            "alive": running,
        }

    def answer(self, client: Client, request_id: int | str | None, *, send: Send) -> None:
        """Answer a `start` now, or once the kernel runs."""
        if self.seconds is None:
            self.waiters.append((client, request_id))
        else:
            send(client, self._reply(request_id))

    def is_running(self, now: float, *, send: Send) -> None:
        """The process has adopted the request: tell everybody who asked for it."""
        self.seconds = now - self.started
        for client, request_id in self.waiters:
            send(client, self._reply(request_id))
        self.waiters.clear()

    def has_ended(self, exit_: Exit, *, send: Send) -> None:
        """Answer those who waited for its start, which failed, and for its end."""
        error = RequestError("start_failed", f"the kernel ended while starting: {exit_.facts()}")
        for client, request_id in self.waiters:
            send(client, failed(request_id, error=error))
        for client, request_id in self.stop_waiters:
            send(client, ok(request_id, **exit_.facts()))
        self.waiters.clear()
        self.stop_waiters.clear()

    def try_again(self, status: int) -> bool:
        """Whether to give it another standby: this one was killed before it was anybody's, by no fault of the start.

        A standby may be the victim of the memory limit at any moment, also after the request took it.
        """
        innocent = self.seconds is None and self.kill_at is None and not self.is_cold
        if self.retried or not innocent or not os.WIFSIGNALED(status):
            return False
        self.child, self.retried = None, True
        return True

    def end(self, now: float, *, grace: float) -> None:
        """END now when there is a grace, SIGKILL after it; a shorter grace wins."""
        deadline = now + grace
        if self.child is not None and grace > 0 and self.kill_at is None:
            self.child.kill(END)
        self.kill_at = deadline if self.kill_at is None else min(self.kill_at, deadline)
        self.enforce(now)

    def enforce(self, now: float) -> None:
        """Kill what has outlived its grace or its time to start."""
        if self.child is not None and (
            self.is_overdue(now) or (self.kill_at is not None and now >= self.kill_at)
        ):
            self.child.kill_group(signal.SIGKILL)

    def is_overdue(self, now: float) -> bool:
        """Whether it should have started long ago."""
        limit = _COLD_SECONDS if self.is_cold else _WARM_SECONDS
        return self.seconds is None and now - self.started > limit

    def _reply(self, request_id: int | str | None) -> bytes:
        child = self.child_or_fail()
        return ok(
            request_id,
            pid=child.pid,
            kernel_info=child.ready,
            cold=child.cold,
            shadowed=self.shadowed,
            seconds=round(self.seconds or 0.0, 4),
        )
