"""The kernels of one user in one web process: rows of SQL, and connections to those that are ready. None is owned."""

import asyncio
from collections.abc import Callable
from typing import Any

from jupyter_server._tz import isoformat
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado import web

from jiqi.domain.accounts import User
from jiqi.domain.errors import NotFoundError, UnavailableError
from jiqi.domain.ids import KernelId, is_kernel_id
from jiqi.domain.kernels import Kernel, KernelGoneError, Status, final_status
from jiqi.services.ports import Transaction
from jiqi.web.jupyter.followed_kernel import FollowedKernel
from jiqi.web.jupyter.opening import Wish, change_environment, open_wish
from jiqi.web.jupyter.shared import Shared

# How long a REST call waits for the agent before it says so; a websocket waits longer for a cold start.
STOP_WAIT = 15.0
INTERRUPT_WAIT = 10.0
RESTART_WAIT = 60.0
READY_WAIT = 60.0
_ENDED_KEPT = 20

_STATES = {
    Status.REQUESTED: "starting",
    Status.STARTING: "starting",
    Status.RESTARTING: "restarting",
    Status.STOPPING: "terminating",
    Status.STOPPED: "dead",
    Status.FAILED: "dead",
}


class KernelSlowError(UnavailableError):
    """The kernel's host did not do in time what was asked; it is still wanted."""

    code = "kernel.slow"


def is_gone(kernel: Kernel) -> bool:
    """Say whether nothing answers any more: it ended, or was lost and is only being cleared away."""
    lost = kernel.status is Status.STOPPING and final_status(kernel.reason) is Status.FAILED
    return lost or not kernel.live


class FollowedKernels(AsyncMappingKernelManager):
    """jupyter_server's kernel manager over SQL; `see` is the one place where a newer row changes anything here."""

    shared: Shared
    person: User

    def __init__(self, *, shared: Shared, person: User, **traits: Any) -> None:
        """Follow nothing yet."""
        super().__init__(context=shared.context, buffer_offline_messages=False, **traits)
        self.shared, self.person = shared, person
        self.kernel_manager_factory = FollowedKernel
        self._initialized_culler = True  # activity and culling are the agent's
        self.records: dict[KernelId, Kernel] = {}
        self._ended: dict[KernelId, Kernel] = {}
        self._waiting: dict[KernelId, list[asyncio.Future[None]]] = {}

    # What SQL says.

    async def refresh(self) -> None:
        """Read the user's live kernels and the ends of those that are no more."""
        known = list(self.records)

        def work(tx: Transaction) -> list[Kernel]:
            live = tx.kernels.live_of_user(self.person.id)
            there = {kernel.id for kernel in live}
            ended = (tx.kernels.get(i) for i in known if i not in there)
            return live + [kernel for kernel in ended if kernel is not None]

        for kernel in await self.shared.pool.run(self.shared.database.read, work):
            self.see(kernel)

    def see(self, kernel: Kernel) -> None:
        """Take note of a row; an older one than known changes nothing."""
        known = self.records.get(kernel.id)
        if known is not None and known.version > kernel.version:
            return
        if is_gone(kernel):
            self._end(kernel)
            return
        if known is not None and known.version == kernel.version:
            return
        self.records[kernel.id] = kernel
        self.shared.follower.follow(kernel, self._changed)
        attached = self._kernels.get(kernel.id)
        if attached is not None:
            attached.record = kernel
        if kernel.status is Status.READY and kernel.prefix is not None:
            self._ready(kernel, attached, fresh=known is not None)
        elif kernel.status is Status.RESTARTING and attached is not None:
            attached.execution_state = "restarting"
        self._wake(kernel.id)

    def _changed(self, kernel_id: KernelId, kernel: Kernel | None) -> None:
        if kernel is not None:
            self.see(kernel)
        elif kernel_id in self.records:
            self._forget(kernel_id)

    def _ready(self, kernel: Kernel, attached: FollowedKernel | None, *, fresh: bool) -> None:
        if attached is None:
            attached = self.kernel_manager_factory(
                parent=self,
                log=self.log,
                kernel_name=kernel.environment,
                context=self.context,
                autorestart=False,
            )
            attached.adopt(kernel)
            self._kernels[kernel.id] = attached
            self._kernel_connections[kernel.id] = 0
            self._kernel_ports[kernel.id] = attached.ports
            attached.watch(self.track_message_type, fresh=fresh)
        elif attached.generation != kernel.generation:
            # The same sockets and key, another process behind them: whoever is connected must connect anew.
            attached.generation = kernel.generation
            attached.remember_info(kernel)
            attached.watch(self.track_message_type, fresh=True)
            attached.tell("restart")

    def _end(self, kernel: Kernel) -> None:
        self._ended[kernel.id] = kernel
        while len(self._ended) > _ENDED_KEPT:
            self._ended.pop(next(iter(self._ended)))
        attached = self._kernels.get(kernel.id)
        if attached is not None:
            attached.record = kernel
            attached.execution_state = "dead"
            attached.reason = kernel.reason.value if kernel.reason is not None else ""
            attached.tell("dead")
        self._forget(kernel.id)

    def _forget(self, kernel_id: KernelId) -> None:
        self.records.pop(kernel_id, None)
        self.shared.follower.forget(kernel_id)
        attached = self._kernels.pop(kernel_id, None)
        if attached is not None:
            attached.unwatch()
        self._kernel_connections.pop(kernel_id, None)
        self._kernel_ports.pop(kernel_id, None)
        self._wake(kernel_id)

    def detach(self) -> None:
        """Forget every kernel and leave all of them running."""
        for kernel_id in list(self.records):
            self._forget(kernel_id)

    # Waiting for the agent.

    def _wake(self, kernel_id: KernelId) -> None:
        for future in self._waiting.pop(kernel_id, []):
            if not future.done():
                future.set_result(None)

    async def until(
        self, kernel_id: KernelId, happened: Callable[[Kernel], bool], *, seconds: float
    ) -> Kernel:
        """Return the row when `happened(row)`. Raises KernelSlowError, and NotFoundError when there is no row."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        with self.shared.follower.hurry(kernel_id):
            while True:
                kernel = self.records.get(kernel_id) or self._ended.get(kernel_id)
                if kernel is None:
                    raise NotFoundError(kernel=kernel_id)
                if happened(kernel):
                    return kernel
                future: asyncio.Future[None] = loop.create_future()
                self._waiting.setdefault(kernel_id, []).append(future)
                done, _ = await asyncio.wait([future], timeout=deadline - loop.time())
                if not done:
                    raise KernelSlowError(kernel=kernel_id)

    async def ready(self, kernel_id: KernelId, *, seconds: float = READY_WAIT) -> FollowedKernel:
        """Return the connection to a kernel once it is ready. Raises KernelGoneError when it ended instead."""
        kernel = await self.until(
            kernel_id,
            lambda k: is_gone(k) or (k.status is Status.READY and k.id in self._kernels),
            seconds=seconds,
        )
        if is_gone(kernel):
            raise KernelGoneError(kernel=kernel_id, reason=kernel.reason)
        attached: FollowedKernel = self._kernels[kernel_id]
        return attached

    # What clients ask for.

    async def open(self, wish: Wish) -> Kernel:
        """Return the kernel of a document, asking for one when there is none."""
        kernel = await self.shared.pool.run(open_wish, self.shared, self.person, wish)
        self.see(kernel)
        return kernel

    async def change(self, kernel_id: KernelId, wish: Wish) -> Kernel:
        """Return a kernel of another environment that takes over a session; the old one stops."""
        kernel = await self.shared.pool.run(change_environment, self.shared, self.person, kernel_id, wish)
        await self.refresh()
        return kernel

    async def start_kernel(  # type: ignore[override]
        self, *, kernel_id: str | None = None, path: str | None = None, kernel_name: str = "", **kwargs: Any
    ) -> str:
        """Ask for a kernel without a document. A client's own kernel id proves nothing and is not used."""
        del kernel_id, kwargs
        wish = Wish(path=path or "", environment=kernel_name or "", kind="kernel", file=False)
        return (await self.open(wish)).id

    async def shutdown_kernel(self, kernel_id: str, now: bool = False, restart: bool = False) -> None:  # type: ignore[override]  # noqa: FBT001, FBT002
        """Ask for the end and wait for it, for a while."""
        del now, restart
        self.see(await self._ask(self.shared.kernels.stop, kernel_id))
        await self.until(KernelId(kernel_id), is_gone, seconds=STOP_WAIT)

    async def restart_kernel(self, kernel_id: str, now: bool = False) -> None:  # type: ignore[override]  # noqa: FBT001, FBT002
        """Ask for a new process on the same sockets and wait for it."""
        del now
        kernel = await self._ask(self.shared.kernels.restart, kernel_id)
        self.see(kernel)
        wanted = kernel.wanted
        done = await self.until(
            kernel.id,
            lambda k: is_gone(k) or (k.status is Status.READY and k.generation >= wanted),
            seconds=RESTART_WAIT,
        )
        if is_gone(done):
            raise KernelGoneError(kernel=kernel_id, reason=done.reason)

    async def interrupt_kernel(self, kernel_id: str) -> None:  # type: ignore[override]
        """Ask for an interrupt and wait until the agent sent it."""
        kernel = await self._ask(self.shared.kernels.interrupt, kernel_id)
        self.see(kernel)
        wanted = kernel.interrupts_wanted
        await self.until(
            kernel.id, lambda k: is_gone(k) or k.interrupts_done >= wanted, seconds=INTERRUPT_WAIT
        )

    async def shutdown_all(self, now: bool = False) -> None:  # type: ignore[override]  # noqa: FBT001, FBT002
        """Let go; kernels outlive web processes."""
        del now
        self.detach()

    async def _ask(self, method: Callable[..., Kernel], kernel_id: str) -> Kernel:
        return await self.shared.pool.run(method, self.person.id, KernelId(kernel_id))

    # Models.

    def kernel_model(self, kernel_id: str) -> dict[str, Any]:
        """Return the REST model of a live kernel, or of one that ended here and not long ago (state `dead`)."""
        key = KernelId(kernel_id)
        kernel = self.records.get(key) or self._ended.get(key)
        if kernel is None:
            raise web.HTTPError(404, f"Kernel does not exist: {kernel_id}")
        return self.model_of(kernel)

    async def model_or_ended(self, kernel_id: str) -> dict[str, Any]:
        """Return the model of any kernel of this user, also of one that ended long ago. Raises NotFoundError."""
        key = KernelId(kernel_id)
        if key in self.records or key in self._ended:
            return self.kernel_model(kernel_id)
        if not is_kernel_id(kernel_id):
            raise NotFoundError(kernel=kernel_id)
        return self.model_of(await self._ask(self.shared.kernels.get, kernel_id))

    def model_of(self, kernel: Kernel) -> dict[str, Any]:
        """Return the REST model of a row."""
        attached = self._kernels.get(kernel.id)
        state, activity = "dead" if is_gone(kernel) else _STATES.get(kernel.status), kernel.changed
        if kernel.status is Status.READY and attached is not None:
            state, activity = attached.execution_state, attached.last_activity
        model = {
            "id": kernel.id,
            "name": kernel.environment,
            "last_activity": isoformat(activity),
            "execution_state": state or "unknown",
            "connections": self._kernel_connections.get(kernel.id, 0),
        }
        if kernel.reason is not None:
            model["reason"] = kernel.reason.value
        return model

    def list_kernels(self) -> list[dict[str, Any]]:
        """Return the models of the user's live kernels."""
        return [self.model_of(kernel) for kernel in self.records.values()]

    def list_kernel_ids(self) -> list[str]:
        """Return the ids of the user's live kernels."""
        return list(self.records)
