"""Kernelspecs from what the hosts report: environments by name, shown in the reader's language, without any file."""

import time
from typing import Any

from jiqi.domain.kernels import BEAT_LOST, Environment
from jiqi.services.ports import Clock, Database
from jiqi.web.pool import Pool

_FRESH = 2.0
# Notebooks from elsewhere and clients' defaults name these; they mean "Python, whatever you have".
ANY_PYTHON = frozenset({"", "python", "python3"})


class Environments:
    """The images that the hosts can run, read from SQL at most every two seconds."""

    def __init__(self, *, database: Database, pool: Pool, clock: Clock) -> None:
        self._database = database
        self._pool = pool
        self._clock = clock
        self._known: list[Environment] = []
        self._until = 0.0

    async def read(self) -> list[Environment]:
        """Return each environment once, the default one first."""
        if time.monotonic() >= self._until:
            self._known = await self._pool.run(self.load)
            self._until = time.monotonic() + _FRESH
        return self._known

    def load(self) -> list[Environment]:
        """Return the same at once from SQL; blocks."""
        nodes = self._database.read(lambda tx: tx.nodes.all())
        now = self._clock()
        # A host that fell silent still names its images, so that a page keeps its kernel's name meanwhile.
        nodes.sort(key=lambda node: now - node.beat > BEAT_LOST)
        found: dict[str, Environment] = {}
        for node in nodes:
            for environment in node.environments:
                found.setdefault(environment.name, environment)
        return sorted(found.values(), key=_rank)


def _rank(environment: Environment) -> tuple[bool, bool, str]:
    return environment.accelerator != "cpu", environment.framework != "torch", environment.name


def spec_model(environment: Environment, *, language: str) -> dict[str, Any]:
    """Return one kernelspec as the REST API shows it."""
    display = environment.display.get("en" if language == "en" else "zh") or environment.name
    return {
        "name": environment.name,
        "spec": {
            # No client starts it; the schema asks for an argv.
            "argv": ["python", "-m", "jiqi_kernel", "-f", "{connection_file}"],
            "env": {},
            "display_name": display,
            "language": "python",
            "interrupt_mode": "signal",
            "metadata": {
                "debugger": False,
                "jiqi": {
                    "version": environment.version,
                    "framework": environment.framework,
                    "accelerator": environment.accelerator,
                    "preload": list(environment.preload),
                },
            },
        },
        "resources": {},
    }


def specs_answer(environments: list[Environment], *, language: str) -> dict[str, Any]:
    """Return the answer of `GET /api/kernelspecs`."""
    return {
        "default": environments[0].name if environments else "",
        "kernelspecs": {e.name: spec_model(e, language=language) for e in environments},
    }
