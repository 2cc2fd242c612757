"""Questions to a fork server that both hosts ask: is it ready, and does its kernel live."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jiqi.adapters.hosts import control
from jiqi.domain.ids import KernelId
from jiqi.services.ports_hosts import (
    CancelledError,
    Exit,
    Order,
    PlaceLostError,
    Started,
    StartRefusedError,
    StartTimeoutError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where things are for one kernel: `inside` and `outside` are the sockets' prefix for it and for us."""

    home: str
    inside: str
    outside: str
    user_base: str
    network: str


ALIVE_CHECK = 0.5
_STEP = 0.02
# A fork server that answers without a standby can start a kernel all the same, only slower.
_STANDBY_SECONDS = 5.0


def await_fork_server(
    folder: Path, *, seconds: float, cancelled: Callable[[], bool], alive: Callable[[], bool]
) -> None:
    """Return when the fork server in `folder` has a standby.

    Raises PlaceLostError, StartTimeoutError, CancelledError.
    """
    now = time.monotonic()
    end, next_check, answers_since = now + seconds, now + ALIVE_CHECK, 0.0
    while True:
        now = time.monotonic()
        try:
            hello = control.request(folder, "hello", control.Hello, seconds=max(0.1, min(5.0, end - now)))
            answers_since = answers_since or now
            if hello.standby or now - answers_since > _STANDBY_SECONDS:
                return
        except (control.SilentError, PlaceLostError, StartTimeoutError, StartRefusedError):
            pass
        if cancelled():
            raise CancelledError
        if now > end:
            raise StartTimeoutError(seconds=seconds)
        if now > next_check:
            next_check = now + ALIVE_CHECK
            if not alive():
                raise PlaceLostError
        time.sleep(_STEP)


def exit_by_status(folder: Path, *, kernel_id: KernelId, generation: int) -> Exit | None:
    """Return how the kernel of this generation ended, or None when it lives or nothing can be said."""
    try:
        status = control.request(folder, "status", control.StatusReply, seconds=5)
    except (control.SilentError, PlaceLostError, StartTimeoutError, StartRefusedError):
        return None
    # One that is there and not alive yet is starting.
    if status.kernel is not None and status.kernel.kernel_id == kernel_id:
        return None
    last = status.last_exit
    if last is None or last.generation < generation:
        return Exit()
    return Exit(code=last.code, signal=last.signal)


def start_kernel(
    folder: Path, order: Order, *, places: Places, seconds: float, cancelled: Callable[[], bool]
) -> Started:
    """Ask the fork server in `folder` for a kernel; one whose folder is gone begins in the home.

    Raises PlaceLostError, StartRefusedError, StartTimeoutError, CancelledError.
    """
    cwd = f"{places.home}/{order.folder}".rstrip("/")
    try:
        reply = _start(folder, order, places=places, cwd=cwd, seconds=seconds, cancelled=cancelled)
    except StartRefusedError as error:
        if error.params.get("code") != "no_cwd":
            raise
        reply = _start(folder, order, places=places, cwd=places.home, seconds=seconds, cancelled=cancelled)
    return Started(
        prefix=places.outside,
        kernel_info=control.checked_info(reply.kernel_info),
        cold=reply.cold,
        shadowed=control.checked_words(reply.shadowed),
        seconds=reply.seconds,
    )


def _start(
    folder: Path,
    order: Order,
    *,
    places: Places,
    cwd: str,
    seconds: float,
    cancelled: Callable[[], bool],
) -> control.StartReply:
    try:
        return control.request(
            folder,
            "start",
            control.StartReply,
            seconds=seconds,
            cancelled=cancelled,
            kernel_id=order.kernel_id,
            generation=order.generation,
            key=order.key,
            prefix=places.inside,
            cwd=cwd,
            env=order.env | {"HOME": places.home, "JIQI_NETWORK": places.network},
            user_base=places.user_base,
            safe=order.safe,
        )
    except control.SilentError as error:
        raise PlaceLostError(op="start") from error
