"""What the agent's use cases share: its node, its host, and how a record is changed and told."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from jiqi.domain.ids import KernelId, NodeId, WarmName, random_id
from jiqi.domain.kernels import Environment, Kernel
from jiqi.services.ports import Clock, Database, Events, Transaction
from jiqi.services.ports_hosts import Claims, HostUnavailableError, ImageMissingError, KernelHost, Trace

log = structlog.get_logger()
NAME_LENGTH = 8


def no_trace(step: str) -> None:
    """Let a step pass."""
    del step


@dataclass(frozen=True, kw_only=True)
class Agency:
    """One agent: the only writer of what is about the kernels of `node`. `boot` names this run of the machine."""

    node: NodeId
    host: KernelHost
    claims: Claims
    database: Database
    events: Events
    clock: Clock
    boot: str
    trace: Trace = no_trace

    def kernel(self, kernel_id: KernelId) -> Kernel | None:
        """Return the record when it is live and this node's."""
        kernel = self.database.read(lambda tx: tx.kernels.get(kernel_id))
        return kernel if kernel is not None and kernel.live and kernel.node_id == self.node else None

    def live(self) -> list[Kernel]:
        """Return this node's live records, oldest first."""
        return self.database.read(lambda tx: tx.kernels.live_of_node(self.node))

    def change(self, kernel_id: KernelId, change: Callable[[Kernel], Kernel | None]) -> Kernel | None:
        """Change the record as it is now, not as it was read, and tell everybody.

        `change` may return None to leave it; then, and when the record has ended, None comes back.
        """

        def work(tx: Transaction) -> Kernel | None:
            kernel = tx.kernels.get(kernel_id)
            wanted = change(kernel) if kernel is not None and kernel.live else None
            return tx.kernels.save(wanted) if wanted is not None else None

        saved = self.database.write(work)
        if saved is not None:
            self.events.publish("kernels", kernel_id)
        return saved

    def environment(self, name: str) -> Environment:
        """Return what the host has under this name. Raises ImageMissingError, HostUnavailableError."""
        for environment in self.host.environments():
            if environment.name == name:
                return environment
        if self.host.problem() == HostUnavailableError.code:
            raise HostUnavailableError
        raise ImageMissingError(image=name)


def new_name() -> WarmName:
    """Return a name for a place: short, because it stands in the paths of sockets."""
    return WarmName(random_id(length=NAME_LENGTH))


def new_epoch() -> str:
    """Return what tells this run of an agent from the last."""
    return secrets.token_hex(8)
