"""What the hosts of kernels report: which environments there are, and why none can start."""

from dataclasses import dataclass

from jiqi.domain.kernels import BEAT_LOST, Environment, Node
from jiqi.services.ports import Clock, Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """An environment, whether a working host has it, and whether all its hosts isolate."""

    environment: Environment
    available: bool
    isolated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HostState:
    """All hosts together; `problem` is a code while no kernel can start anywhere."""

    environments: tuple[Offered, ...]
    isolated: bool
    problem: str | None
    beating: int


class Hosts:
    """Reads the nodes' rows."""

    def __init__(self, *, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def state(self) -> HostState:
        """Return what the hosts say now."""
        nodes = self._database.read(lambda tx: tx.nodes.all())
        now = self._clock()
        fresh = [node for node in nodes if now - node.beat <= BEAT_LOST]
        working = [node for node in fresh if node.problem is None]
        return HostState(
            environments=_offered(fresh or nodes, working),
            isolated=all(node.isolates for node in fresh or nodes),
            problem=None if working else next((n.problem for n in fresh if n.problem), "agent.silent"),
            beating=len(fresh),
        )


def _offered(nodes: list[Node], working: list[Node]) -> tuple[Offered, ...]:
    found: dict[str, Offered] = {}
    for node in nodes:
        for environment in node.environments:
            before = found.get(environment.name)
            found[environment.name] = Offered(
                environment=environment,
                available=node in working or (before is not None and before.available),
                isolated=node.isolates and (before is None or before.isolated),
            )
    return tuple(found[name] for name in sorted(found, key=_rank))


def _rank(name: str) -> tuple[bool, str]:
    # torch first: it is what a new project gets when nobody chooses.
    return (not name.startswith("torch"), name)
