"""The node's beat: what this host can start, how much of it, and what is wrong with it."""

from collections.abc import Callable

import structlog

from jiqi.domain.kernels import Environment, Node
from jiqi.services.hosting_base import Agency
from jiqi.services.ports_hosts import HostUnavailableError

log = structlog.get_logger()
# Kept for the system, the broker, the web process and the pool's fork servers.
_RESERVED_MB = 1024
_USUAL_MB = 2048


class Beating:
    """Writes the node's row; `memory_mb` is the machine's, `capacity` a fixed number or 0, `warm()` the pool's."""

    def __init__(
        self, agency: Agency, *, epoch: str, capacity: int, memory_mb: int, warm: Callable[[], int]
    ) -> None:
        self._agency = agency
        self._epoch = epoch
        self._capacity = capacity
        self._memory_mb = memory_mb
        self._warm = warm
        self._told = 0
        self._environments: tuple[Environment, ...] = ()
        self._problem: str | None = None

    def beat(self) -> str | None:
        """Mend what all places share, write the row, and return the problem if there is one."""
        host = self._agency.host
        problem = host.problem()
        if problem != HostUnavailableError.code:
            try:
                host.prepare()
                self._environments = host.environments()
            except HostUnavailableError as error:
                log.warning("host_unprepared", error=str(error))
                problem = problem or HostUnavailableError.code
        elif not self._environments:
            # Docker has never answered this agent: what it would have, so that the page can say what is wrong.
            self._environments = host.described()
        if problem != self._problem:
            log.warning("node_problem", problem=problem)
            self._problem = problem
        node = Node(
            id=self._agency.node,
            kind=host.kind,
            isolates=host.isolates,
            capacity=self._capacity or capacity_by_memory(self._memory_mb, self._environments),
            environments=self._environments,
            beat=self._agency.clock(),
            epoch=self._epoch,
            problem=problem,
            warm=self._warm(),
        )
        self._agency.database.write(lambda tx: tx.nodes.put(node))
        self._told = node.warm
        return problem

    def tell_warm(self) -> None:
        """Write how many warm kernels stand ready when that has changed since it was told."""
        warm = self._warm()
        if warm != self._told:
            self._agency.database.write(lambda tx: tx.nodes.tell_warm(self._agency.node, warm))
            self._told = warm


def capacity_by_memory(memory_mb: int, environments: tuple[Environment, ...]) -> int:
    """Return how many kernels fit when each uses all that it may: at least one."""
    largest = max((environment.memory_mb for environment in environments), default=_USUAL_MB)
    return max(1, (memory_mb - _RESERVED_MB) // largest)
