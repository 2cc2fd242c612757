"""Asking for kernels: open, restart, interrupt, stop, move. Only what is wanted is written here."""

import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from jiqi.domain.accounts import User
from jiqi.domain.errors import NotFoundError
from jiqi.domain.ids import KernelId, ProjectId, UserId
from jiqi.domain.kernels import (
    START_DEADLINE,
    Kernel,
    KernelGoneError,
    KernelLimitError,
    Network,
    Node,
    Reason,
    Status,
    Target,
    choose_node,
    want_interrupt,
    want_restart,
    want_stop,
)
from jiqi.domain.limits import LIMITS
from jiqi.services.ports import Clock, Database, Relay, Transaction

WAKE = "jiqi.wake"


def node_queue(node_id: str) -> str:
    """Return the Celery queue that only the agent of `node_id` reads."""
    return f"node.{node_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRequest:
    """What to run: `document` is a path below the home, or None for a kernel without a file."""

    environment: str
    document: str | None = None
    project_id: ProjectId | None = None
    session_name: str = ""
    session_type: str = "notebook"
    safe: bool = False


class KernelService:
    """Kernels of one person at a time; every method checks that the kernel is the person's."""

    def __init__(self, *, database: Database, relay: Relay, clock: Clock) -> None:
        self._database = database
        self._relay = relay
        self._clock = clock

    def open(self, user: User, request: OpenRequest) -> Kernel:
        """Return the live kernel of the document, asking for one when there is none.

        Three simultaneous calls for one document return one kernel. Raises KernelLimitError,
        EnvironmentUnknownError, HostDownError, HostFullError.
        """
        kernel, made = self._database.write(lambda tx: self.open_within(tx, user, request))
        if made:
            self._relay.nudge()
        return kernel

    def open_within(self, tx: Transaction, user: User, request: OpenRequest) -> tuple[Kernel, bool]:
        """Do what `open` does inside the caller's transaction; the caller nudges the relay."""
        if request.document is not None:
            found = tx.kernels.live_of_document(user.id, request.document)
            if found is not None and found.target is Target.RUNNING:
                return found, False
            if found is not None:
                _free_document(tx, found)
        now = self._clock()
        self._check_limit(tx, user)
        node = choose_node(
            tx.nodes.all(), environment=request.environment, used=tx.kernels.live_per_node(), now=now
        )
        kernel = _new_kernel(user, request, node=node, now=now)
        tx.kernels.add(kernel)
        tx.outbox.add(queue=node_queue(node.id), task=WAKE, argument=kernel.id, now=now)
        return kernel, True

    def get(self, user_id: UserId, kernel_id: KernelId) -> Kernel:
        """Return the person's kernel, ended ones too. Raises NotFoundError."""
        return self._database.read(lambda tx: _own(tx, user_id, kernel_id))

    def live(self, user_id: UserId) -> list[Kernel]:
        """Return the person's live kernels, oldest first."""
        return self._database.read(lambda tx: tx.kernels.live_of_user(user_id))

    def restart(self, user_id: UserId, kernel_id: KernelId) -> Kernel:
        """Ask for a new process on the same sockets. Raises NotFoundError, KernelGoneError."""
        return self._want(user_id, kernel_id, lambda kernel, now: want_restart(kernel, now=now))

    def interrupt(self, user_id: UserId, kernel_id: KernelId) -> Kernel:
        """Ask for an interrupt. Raises NotFoundError, KernelGoneError."""
        return self._want(user_id, kernel_id, lambda kernel, now: want_interrupt(kernel, now=now))

    def stop(self, user_id: UserId, kernel_id: KernelId, *, reason: Reason = Reason.USER) -> Kernel:
        """Ask for the end; a kernel that has ended stays as it is. Raises NotFoundError."""
        kernel = self.get(user_id, kernel_id)
        if not kernel.live:
            return kernel
        return self._want(user_id, kernel_id, lambda k, now: want_stop(k, reason=reason, now=now))

    def move(
        self, user_id: UserId, kernel_id: KernelId, *, document: str | None, name: str, kind: str
    ) -> Kernel:
        """Let the kernel follow its file to another path."""

        def work(tx: Transaction) -> Kernel:
            kernel = _own_live(tx, user_id, kernel_id)
            moved = _replace_session(kernel, document=document, name=name, kind=kind)
            saved = tx.kernels.save(moved)
            assert saved is not None  # noqa: S101  (read and written in one transaction)
            return saved

        return self._database.write(work)

    def exchange(self, user: User, kernel_id: KernelId, request: OpenRequest) -> Kernel:
        """Stop a kernel and return another one that takes over its document and its Jupyter session.

        Raises what `open` does, NotFoundError, KernelGoneError.
        """

        def work(tx: Transaction) -> Kernel:
            now = self._clock()
            old = _own_live(tx, user.id, kernel_id)
            parted = replace(old, document=None, session_id=str(uuid.uuid4()))
            tx.kernels.save(want_stop(parted, reason=Reason.USER, now=now))
            tx.outbox.add(queue=node_queue(old.node_id), task=WAKE, argument=old.id, now=now)
            new, _ = self.open_within(tx, user, request)
            saved = tx.kernels.save(replace(new, session_id=old.session_id))
            assert saved is not None  # noqa: S101  (read and written in one transaction)
            return saved

        kernel = self._database.write(work)
        self._relay.nudge()
        return kernel

    def _want(
        self, user_id: UserId, kernel_id: KernelId, change: Callable[[Kernel, datetime], Kernel]
    ) -> Kernel:
        def work(tx: Transaction) -> Kernel:
            now = self._clock()
            kernel = _own_live(tx, user_id, kernel_id)
            changed = change(kernel, now)
            if changed == kernel:
                return kernel
            saved = tx.kernels.save(changed)
            assert saved is not None  # noqa: S101  (read and written in one transaction)
            tx.outbox.add(queue=node_queue(kernel.node_id), task=WAKE, argument=kernel.id, now=now)
            return saved

        kernel = self._database.write(work)
        self._relay.nudge()
        return kernel

    def _check_limit(self, tx: Transaction, user: User) -> None:
        running = [k for k in tx.kernels.live_of_user(user.id) if k.target is Target.RUNNING]
        most = LIMITS[user.role].kernels
        if len(running) >= most:
            listed = [{"id": k.id, "document": k.document or "", "project": k.project_id} for k in running]
            raise KernelLimitError(limit=most, kernels=listed)


def _new_kernel(user: User, request: OpenRequest, *, node: Node, now: datetime) -> Kernel:
    return Kernel(
        id=KernelId(str(uuid.uuid4())),
        user_id=user.id,
        project_id=request.project_id,
        document=request.document,
        session_id=str(uuid.uuid4()),
        session_name=request.session_name,
        session_type=request.session_type,
        environment=request.environment,
        node_id=node.id,
        network=Network.EGRESS if LIMITS[user.role].egress else Network.NONE,
        safe=request.safe,
        status=Status.REQUESTED,
        target=Target.RUNNING,
        generation=0,
        wanted=1,
        interrupts_wanted=0,
        interrupts_done=0,
        key=secrets.token_hex(32),
        prefix=None,
        warm=None,
        kernel_info=None,
        cold=False,
        shadowed=(),
        reason=None,
        created=now,
        changed=now,
        deadline=now + START_DEADLINE,
        ended=None,
    )


def _replace_session(kernel: Kernel, *, document: str | None, name: str, kind: str) -> Kernel:
    return replace(kernel, document=document, session_name=name, session_type=kind)


def _free_document(tx: Transaction, kernel: Kernel) -> None:
    # A kernel on its way out no longer answers for the file, so that the next one need not wait for it.
    tx.kernels.save(
        _replace_session(kernel, document=None, name=kernel.session_name, kind=kernel.session_type)
    )


def _own(tx: Transaction, user_id: UserId, kernel_id: KernelId) -> Kernel:
    kernel = tx.kernels.get(kernel_id)
    if kernel is None or kernel.user_id != user_id:
        raise NotFoundError(kernel=kernel_id)
    return kernel


def _own_live(tx: Transaction, user_id: UserId, kernel_id: KernelId) -> Kernel:
    kernel = _own(tx, user_id, kernel_id)
    if not kernel.live or kernel.target is Target.STOPPED:
        raise KernelGoneError(kernel=kernel_id, reason=kernel.reason)
    return kernel
