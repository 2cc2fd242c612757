"""The container's main process: holds the preloaded frameworks and one standby, and starts the kernel from it.

Single-threaded by need (a fork copies one thread) and by taste: one selector, and a state that every event moves
on by `_advance`. Standby and kernel are children; a start adopts the standby, a restart ends the kernel first.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import sys
import time
import traceback
from collections.abc import Iterable
from pathlib import Path

from jiqi_kernel import children
from jiqi_kernel.children import Child
from jiqi_kernel.clients import Client, Clients
from jiqi_kernel.preload import Preloaded
from jiqi_kernel.protocol import PROTOCOL, Request, RequestError, StartSpec, event, failed, ok, parse
from jiqi_kernel.running import Exit, Kernel, check_places
from jiqi_kernel.shadowing import shadowed
from jiqi_kernel.wakeups import Wakeups

_TICK = 1.0
_BUSY_TICK = 0.02
_LAST_GRACE = 1.0
_SWEEP_SECONDS = 2.0


class Forkserver:
    """Serves the ops of the control protocol until SIGTERM."""

    def __init__(self, run: Path, *, preloaded: Preloaded, standby_delay: float) -> None:
        self._run = run
        self._preloaded = preloaded
        self._standby_delay = standby_delay
        self._standby_at = 0.0
        self._standby_not_before = 0.0
        self._standby: Child | None = None
        self._kernel: Kernel | None = None
        self._ending: list[Kernel] = []
        self._last_exit: Exit | None = None
        self._sweep_until = 0.0
        self._count = 0
        self._stopping = False
        self._selector = selectors.DefaultSelector()
        self._wakeups = Wakeups(self._selector, on_sigterm=self._stop_soon)
        self._clients = Clients(run / "ctl", selector=self._selector, on_line=self._on_line)

    def serve(self) -> None:
        """Run until SIGTERM."""
        self._advance()
        while not (self._stopping and self._kernel is None and not self._ending):
            for key, mask in self._selector.select(self._patience()):
                key.data(mask)
            self._reap()
            self._clients.mend()
            self._advance()
        if self._standby is not None:
            self._standby.kill(signal.SIGKILL)

    # Requests

    def _on_line(self, client: Client, text: bytes) -> None:
        request_id: int | str | None = None
        try:
            request = parse(text)
            request_id = request.id
            reply = self._serve(client, request)
        except RequestError as error:
            reply = failed(request_id, error=error)
        except Exception as error:
            # Whatever a client sends, the kernel that runs stays reachable.
            traceback.print_exc()
            reply = failed(request_id, error=RequestError("internal", type(error).__name__))
        if reply is not None:
            self._clients.send(client, reply)

    def _serve(self, client: Client, request: Request) -> bytes | None:
        match request.op:
            case "hello":
                return ok(request.id, **self._hello())
            case "start":
                return self._start(client, request)
            case "interrupt":
                self._require_kernel().child_or_fail().kill_group(signal.SIGINT)
                return ok(request.id)
            case "stop":
                return self._stop(client, request)
            case "status":
                return ok(request.id, **self._status())
            case _:
                raise RequestError("unknown_op", "no such op")

    def _hello(self) -> dict[str, object]:
        return {
            "protocol": PROTOCOL,
            "pid": os.getpid(),
            "python": sys.version.partition(" ")[0],
            "preloaded": self._preloaded.versions,
            "preload_seconds": round(self._preloaded.seconds, 3),
            "standby": self._is_standby_ready(),
        }

    def _status(self) -> dict[str, object]:
        return {
            "kernel": self._kernel.facts() if self._kernel else None,
            "standby": self._is_standby_ready(),
            "last_exit": self._last_exit.facts() if self._last_exit else None,
        }

    def _start(self, client: Client, request: Request) -> bytes | None:
        spec = StartSpec.parse(request.body)
        current = self._kernel
        if current is not None and current.spec.kernel_id != spec.kernel_id:
            raise RequestError("other_kernel", "this container serves another kernel")
        if current is not None and spec.generation <= current.spec.generation:
            current.answer(client, request.id, send=self._clients.send)
            return None
        if current is None and self._last_exit is not None and spec.generation <= self._last_exit.generation:
            raise RequestError("exited", "that generation has ended; a restart has a higher one")
        check_places(spec, run=self._run)
        if current is not None:
            self._end(current, seconds=0.0)
        names = [] if spec.user_base is None else shadowed(spec.user_base, loaded=self._preloaded.loaded)
        self._kernel = Kernel(spec=spec, shadowed=[] if spec.safe else names, started=time.monotonic())
        self._kernel.answer(client, request.id, send=self._clients.send)
        return None

    def _stop(self, client: Client, request: Request) -> bytes | None:
        grace = request.body.get("grace", 0)
        if not isinstance(grace, int | float) or not 0 <= grace <= 3600:  # noqa: PLR2004
            raise RequestError("bad_request", "grace is a number of seconds up to an hour")
        if self._kernel is None:
            return ok(request.id, **(self._last_exit.facts() if self._last_exit else {}))
        self._kernel.stop_waiters.append((client, request.id))
        self._end(self._kernel, seconds=float(grace))
        return None

    def _require_kernel(self) -> Kernel:
        if self._kernel is None:
            raise RequestError("no_kernel", "no kernel is running")
        return self._kernel

    # Children

    def _advance(self) -> None:
        """Move on whatever can move: a deadline, a start that waits, a missing standby."""
        now = time.monotonic()
        if self._stopping and self._kernel is not None:
            self._end(self._kernel, seconds=_LAST_GRACE)
        for kernel in [*self._ending, *([self._kernel] if self._kernel else [])]:
            kernel.enforce(now)
        kernel_or_none = self._kernel
        if (
            not self._ending
            and self._is_swept(now)
            and kernel_or_none is not None
            and kernel_or_none.child is None
        ):
            self._place(kernel_or_none, now=now)
        if self._standby is None and now >= (
            self._standby_not_before if self._wants_standby() else self._standby_at
        ):
            self._standby = children.fork(self._new_folder(), closing=self._own_descriptors)
            self._watch(self._standby)

    def _place(self, kernel: Kernel, *, now: float) -> None:
        if kernel.is_overdue(now):
            # A standby that never gets ready would keep the start waiting for ever.
            self._end(kernel, seconds=0.0)
            if self._standby is not None:
                self._standby.kill(signal.SIGKILL)
        elif kernel.is_cold:
            try:
                kernel.child = children.spawn(self._new_folder(), spec=kernel.spec)
            except OSError:
                traceback.print_exc()
                self._end(kernel, seconds=0.0)
            else:
                self._watch(kernel.child)
        elif self._standby is not None and self._standby.ready is not None:
            kernel.child, self._standby = self._standby, None
            self._adopt(kernel)

    def _adopt(self, kernel: Kernel) -> None:
        child = kernel.child_or_fail()
        child.adopt(kernel.spec)
        # The next standby waits until the first cell has had the processor to itself.
        self._standby_at = time.monotonic() + self._standby_delay

    def _wants_standby(self) -> bool:
        return self._kernel is not None and self._kernel.child is None and not self._kernel.is_cold

    def _is_standby_ready(self) -> bool:
        return self._standby is not None and self._standby.ready is not None

    def _watch(self, child: Child) -> None:
        self._selector.register(child.channel, selectors.EVENT_READ, lambda _mask: self._on_child(child))

    def _on_child(self, child: Child) -> None:
        messages = child.messages()
        if messages is None:
            self._selector.unregister(child.channel)
            return
        for message in messages:
            if "ready" in message:
                child.ready = message["ready"]
                if child is self._standby:
                    self._clients.broadcast(event("ready"))
                elif self._kernel is not None and child is self._kernel.child:
                    self._adopt(self._kernel)
            elif "adopted" in message and self._kernel is not None and child is self._kernel.child:
                self._kernel.is_running(time.monotonic(), send=self._clients.send)

    def _end(self, kernel: Kernel, *, seconds: float) -> None:
        """Begin to end the kernel; it is gone once its process has been reaped."""
        kernel.end(time.monotonic(), grace=seconds)
        if kernel not in self._ending:
            self._ending.append(kernel)
        if kernel.child is None:
            self._ended(kernel, Exit(kernel.spec.generation, code=None, signal=None))

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            self._reaped(pid, status)

    def _reaped(self, pid: int, status: int) -> None:
        if self._standby is not None and self._standby.pid == pid:
            self._forget(self._standby)
            self._standby = None
            self._standby_at = self._standby_not_before = time.monotonic() + _TICK
            return
        for kernel in [*self._ending, *([self._kernel] if self._kernel else [])]:
            if kernel.child is not None and kernel.child.pid == pid:
                kernel.child.kill_group(signal.SIGKILL)
                self._forget(kernel.child)
                if kernel is not self._kernel or not kernel.try_again(status):
                    self._ended(kernel, Exit.of(kernel.spec.generation, status))
                return

    def _ended(self, kernel: Kernel, exit_: Exit) -> None:
        self._last_exit = exit_
        if kernel in self._ending:
            self._ending.remove(kernel)
        if self._kernel is kernel:
            self._kernel = None
        self._sweep_until = time.monotonic() + _SWEEP_SECONDS
        kernel.has_ended(exit_, send=self._clients.send)
        self._clients.broadcast(event("exited", kernel_id=kernel.spec.kernel_id, **exit_.facts()))

    def _is_swept(self, now: float) -> bool:
        """Kill what an ended kernel left behind; true once nothing is left, or after two seconds."""
        if now >= self._sweep_until:
            return True
        known = {self._standby.pid} if self._standby else set()
        left = children.orphans(known)
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if not left:
            self._sweep_until = now
        return not left

    def _forget(self, child: Child) -> None:
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(child.channel)
        child.forget()

    def _new_folder(self) -> Path:
        self._count += 1
        return self._run / f"b{self._count}"

    # The loop

    def _own_descriptors(self) -> Iterable[socket.socket]:
        yield from self._clients.sockets()
        yield from self._wakeups.sockets()
        for kernel in [*self._ending, *([self._kernel] if self._kernel else [])]:
            if kernel.child is not None:
                yield kernel.child.channel
        self._selector.close()

    def _stop_soon(self) -> None:
        self._stopping = True

    def _patience(self) -> float:
        waiting = self._kernel is not None and self._kernel.child is None
        busy = waiting or self._ending or time.monotonic() < self._sweep_until
        return _BUSY_TICK if busy else _TICK
