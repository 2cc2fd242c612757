"""Reconciling: one kernel is brought one step nearer to what is wanted, until nothing is left to do.

The agent calls `reconcile` for one kernel at a time and never for the same one twice at once; `domain.kernels`
decides every step. Whatever fails is either tried again at the agent's next poll or becomes the kernel's reason.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import assert_never

import structlog

from jiqi.domain.errors import JiqiError
from jiqi.domain.ids import KernelId, WarmName
from jiqi.domain.kernels import (
    Kernel,
    Reason,
    Status,
    Step,
    Target,
    ended,
    final_status,
    losing,
    next_step,
    session_over,
    want_stop,
)
from jiqi.domain.limits import LIMITS
from jiqi.services.hosting_base import Agency
from jiqi.services.hosting_claims import STOP_GRACE, Placing
from jiqi.services.ports_hosts import (
    Exit,
    HostDiskFullError,
    HostUnavailableError,
    ImageMissingError,
    MountBusyError,
    Place,
    PlaceLostError,
    StartRefusedError,
    StartTimeoutError,
)

log = structlog.get_logger()
_STEPS = 12
_DETAIL = 300


class Hosting:
    """The kernels of one node. `look(kernel_id)` is called when a watched kernel may have ended."""

    def __init__(self, agency: Agency, placing: Placing, *, look: Callable[[KernelId], None]) -> None:
        self._agency = agency
        self._host = agency.host
        self._placing = placing
        self._look = look
        self._troubles: dict[KernelId, Reason] = {}

    def next(self, kernel_id: KernelId) -> Step:
        """Return what `reconcile` would do first."""
        kernel = self._agency.kernel(kernel_id)
        return next_step(kernel, now=self._agency.clock()) if kernel is not None else Step.NOTHING

    def due(self) -> list[tuple[Kernel, Step]]:
        """Return this node's live kernels with what there is to do for each."""
        now = self._agency.clock()
        return [(kernel, next_step(kernel, now=now)) for kernel in self._agency.live()]

    def unwatched(self, kernels: list[Kernel]) -> list[KernelId]:
        """Return the ready kernels to which no connection is held: new to this agent, or lost."""
        watched = self._host.watched()
        return [k.id for k in kernels if k.status is Status.READY and k.warm not in watched]

    def reconcile(self, kernel_id: KernelId, *, look: bool, cancelled: Callable[[], bool]) -> None:
        """Do what is to be done for one kernel now. `look`: also see whether it still lives."""
        for _ in range(_STEPS):
            kernel = self._agency.kernel(kernel_id)
            if kernel is None:
                self._troubles.pop(kernel_id, None)
                return
            if look and kernel.status is Status.READY and kernel.target is Target.RUNNING:
                look = False
                if self._look_at(kernel):
                    continue
            step = next_step(kernel, now=self._agency.clock())
            if step is Step.NOTHING:
                return
            if not self._try(kernel, step, cancelled=cancelled):
                return

    def expire(self) -> list[KernelId]:
        """Ask the kernels to stop whose guest's time is over or whose person may no longer have them."""
        now = self._agency.clock()
        stopping = []
        for kernel in self._agency.live():
            reason = self._overdue(kernel, now)
            if reason is not None and self._ask_to_stop(kernel.id, reason, now):
                stopping.append(kernel.id)
        return stopping

    def _ask_to_stop(self, kernel_id: KernelId, reason: Reason, now: datetime) -> bool:
        def change(kernel: Kernel) -> Kernel | None:
            running = kernel.target is Target.RUNNING
            return want_stop(kernel, reason=reason, now=now) if running else None

        return self._agency.change(kernel_id, change) is not None

    def _overdue(self, kernel: Kernel, now: datetime) -> Reason | None:
        if kernel.target is not Target.RUNNING:
            return None
        user = self._agency.database.read(lambda tx: tx.users.get(kernel.user_id))
        if user is None or user.disabled:
            return Reason.ACCOUNT
        over = session_over(kernel, most=LIMITS[user.role].kernel_session, now=now)
        return Reason.GUEST_TIME if over else None

    def _try(self, kernel: Kernel, step: Step, *, cancelled: Callable[[], bool]) -> bool:  # noqa: PLR0911  (an error each)
        """Take one step; say whether to go on at once."""
        try:
            return self._take(kernel, step, cancelled=cancelled)
        except HostUnavailableError as error:
            # Nothing is known about the container: the poll tries again until the state's deadline.
            self._troubles[kernel.id] = Reason.HOST_DOWN
            log.warning("host_unavailable", kernel_id=kernel.id, step=step, error=str(error))
            return False
        except ImageMissingError as error:
            return self._lose(kernel, Reason.IMAGE_MISSING, image=error.params.get("image"))
        except HostDiskFullError:
            return self._lose(kernel, Reason.DISK_FULL)
        except StartTimeoutError:
            return self._lose(kernel, self._troubles.get(kernel.id, Reason.START_TIMEOUT))
        except StartRefusedError as error:
            log.warning("start_refused", kernel_id=kernel.id, error=str(error))
            return self._lose(kernel, Reason.START_FAILED, detail=str(error.params.get("detail"))[:_DETAIL])
        except PlaceLostError:
            return self._lose_by(kernel, self._exit_of(kernel) or Exit(lost=True))
        except (JiqiError, OSError) as error:
            log.exception("step_failed", kernel_id=kernel.id, step=step)
            return self._lose(kernel, Reason.START_FAILED, detail=str(error)[:_DETAIL])

    def _take(  # noqa: PLR0911  (a step each)
        self, kernel: Kernel, step: Step, *, cancelled: Callable[[], bool]
    ) -> bool:
        match step:
            case Step.NOTHING:
                return False
            case Step.CLAIM:
                return self._watch(kernel.id, self._placing.claim(kernel, cancelled=cancelled))
            case Step.RESTART:
                return self._watch(kernel.id, self._placing.restart(kernel, cancelled=cancelled))
            case Step.INTERRUPT:
                return self._interrupt(kernel)
            case Step.STOP:
                return self._stop(kernel)
            case Step.END:
                return self._end(kernel, Reason.USER)
            case Step.FAIL:
                return self._lose(kernel, self._troubles.get(kernel.id, Reason.START_TIMEOUT))
        assert_never(step)

    def _watch(self, kernel_id: KernelId, place: Place | None) -> bool:
        if place is not None:
            self._host.watch(place, changed=lambda: self._look(kernel_id))
        return True

    def _interrupt(self, kernel: Kernel) -> bool:
        place = self._host.find(kernel.warm) if kernel.warm is not None else None
        asked = kernel.interrupts_wanted
        if place is not None and place.running:
            try:
                self._host.interrupt(place)
            except JiqiError as error:
                log.warning("interrupt_refused", kernel_id=kernel.id, error=str(error))
        self._agency.change(kernel.id, lambda k: replace(k, interrupts_done=max(k.interrupts_done, asked)))
        return True

    def _stop(self, kernel: Kernel) -> bool:
        if kernel.status is not Status.STOPPING:
            return self._agency.change(kernel.id, _stopping) is not None
        if kernel.warm is None or self._is_cleared(kernel):
            return self._end(kernel, kernel.reason or Reason.USER)
        if not self._is_late(kernel):
            return False
        log.error("kernel_left_running", kernel_id=kernel.id)  # `tidy` removes it later
        return self._end(kernel, kernel.reason or Reason.USER)

    def _is_cleared(self, kernel: Kernel) -> bool:
        """Release the place; False when that has to be tried again."""
        try:
            self._placing.clear(kernel.warm or WarmName(""), grace=STOP_GRACE)
        except MountBusyError as error:
            # The container is gone. The mount stays, its claim file says whose it is, and `tidy` tries again.
            log.error("mount_busy", kernel_id=kernel.id, path=error.params.get("path"))  # noqa: TRY400
        except (JiqiError, OSError) as error:
            log.warning("release_waits", kernel_id=kernel.id, error=str(error))
            return False
        return True

    def _end(self, kernel: Kernel, reason: Reason) -> bool:
        now = self._agency.clock()
        self._agency.change(
            kernel.id, lambda k: ended(k, status=final_status(k.reason or reason), reason=reason, now=now)
        )
        self._agency.trace("release.ended")
        self._troubles.pop(kernel.id, None)
        log.info("kernel_ended", kernel_id=kernel.id, reason=kernel.reason or reason)
        return False

    def _look_at(self, kernel: Kernel) -> bool:
        """See whether a ready kernel lives, and watch it if so; say whether the record changed."""
        try:
            gone = self._exit_of(kernel)
        except HostUnavailableError:
            return False
        if gone is not None:
            return self._lose_by(kernel, gone)
        place = self._host.find(kernel.warm) if kernel.warm is not None else None
        if place is not None:
            self._watch(kernel.id, place)
        return False

    def _exit_of(self, kernel: Kernel) -> Exit | None:
        place = self._host.find(kernel.warm) if kernel.warm is not None else None
        if place is None:
            return Exit(lost=True)
        return self._host.outcome(place, kernel_id=kernel.id, generation=kernel.generation)

    def _lose_by(self, kernel: Kernel, gone: Exit) -> bool:
        if gone.oom:
            return self._lose(kernel, Reason.OOM, peak_mb=gone.peak_mb, limit_mb=gone.limit_mb)
        if gone.lost and self._is_of_earlier_boot(kernel):
            return self._lose(kernel, Reason.HOST_RESTARTED)
        return self._lose(kernel, Reason.EXITED, code=gone.code, signal=gone.signal)

    def _lose(self, kernel: Kernel, reason: Reason, **params: object) -> bool:
        now = self._agency.clock()
        log.warning("kernel_lost", kernel_id=kernel.id, reason=reason, **params)
        told = {name: value for name, value in params.items() if value is not None}
        self._agency.change(kernel.id, lambda k: losing(k, reason=reason, now=now, **told))
        return True

    def _is_of_earlier_boot(self, kernel: Kernel) -> bool:
        boots = [claim.boot for claim in self._agency.claims.all() if claim.kernel_id == kernel.id]
        return any(boot != self._agency.boot for boot in boots)

    def _is_late(self, kernel: Kernel) -> bool:
        return kernel.deadline is not None and self._agency.clock() > kernel.deadline


def _stopping(kernel: Kernel) -> Kernel | None:
    return replace(kernel, status=Status.STOPPING)
