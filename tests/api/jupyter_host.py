"""A small stand-in for a host's agent: it moves kernel rows with real forkservers and the domain's own policy."""

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Self

from tests.kernels.processes import Forkserver, forkserver

from jiqi.domain.ids import KernelId, NodeId, WarmName
from jiqi.domain.kernels import Environment, Kernel, Node, Reason, Status, Step, ended, losing, next_step
from jiqi.services.ports import Database

NODE = NodeId("test")
ENVIRONMENTS = tuple(
    Environment(
        name=name,
        version="1",
        digest=f"sha256:{name}",
        framework=framework,
        accelerator="cpu",
        display={"zh": f"{framework} 环境", "en": f"{framework} environment"},
        memory_mb=1024,
        shm_mb=64,
        cpus=1,
    )
    for name, framework in (("torch-cpu", "torch"), ("paddle-cpu", "paddle"))
)


def now() -> datetime:
    return datetime.now(UTC)


def beat(database: Database) -> None:
    """Report the node, as an agent does every three seconds."""
    node = Node(
        id=NODE, kind="process", isolates=False, capacity=50, environments=ENVIRONMENTS, beat=now(), epoch="e"
    )
    database.write(lambda tx: tx.nodes.put(node))


@dataclass
class Host:
    """Runs in a thread of its own. `held` keeps kernels from becoming ready; `publish` tells of every change."""

    database: Database
    publish: Callable[[str], None] = lambda _: None
    held: threading.Event = field(default_factory=threading.Event)
    warm: int = 1

    def __post_init__(self) -> None:
        self._stack = ExitStack()
        self._free: list[Forkserver] = []
        self._places: dict[KernelId, Forkserver] = {}
        self._stop = threading.Event()
        self._beat = 0.0
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        beat(self.database)
        for _ in range(self.warm):
            self._free.append(self._new())
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._stack.close()

    def place(self, kernel_id: str) -> Forkserver:
        """The forkserver of a kernel."""
        return self._places[KernelId(kernel_id)]

    def _new(self) -> Forkserver:
        return self._stack.enter_context(forkserver(preload="", options=("--standby-delay", "0")))

    def _run(self) -> None:
        while not self._stop.is_set():
            if time.monotonic() - self._beat > 3:
                beat(self.database)
                self._beat = time.monotonic()
            for kernel in self.database.read(lambda tx: tx.kernels.live_of_node(NODE)):
                self._step(kernel)
            self._stop.wait(0.01)

    def _step(self, kernel: Kernel) -> None:
        match next_step(kernel, now=now()):
            case Step.CLAIM if not self.held.is_set():
                self._claim(kernel)
            case Step.RESTART:
                restarting = self._save(replace(kernel, status=Status.RESTARTING))
                if restarting is not None:
                    self._ready(restarting, restarting.wanted)
            case Step.INTERRUPT:
                self._places[kernel.id].control.ask("interrupt")
                self._save(replace(kernel, interrupts_done=kernel.interrupts_wanted))
            case Step.STOP:
                self._release(kernel)
            case Step.END:
                self._save(ended(kernel, status=Status.STOPPED, reason=Reason.USER, now=now()))
            case Step.NOTHING:
                self._look(kernel)
            case _:
                pass

    def _claim(self, kernel: Kernel) -> None:
        self._places[kernel.id] = self._free.pop() if self._free else self._new()
        starting = self._save(replace(kernel, status=Status.STARTING, warm=WarmName("warm")))
        if starting is not None:
            self._ready(starting, 1)

    def _ready(self, kernel: Kernel, generation: int) -> None:
        place = self._places[kernel.id]
        reply = place.start(key=kernel.key, kernel_id=kernel.id)
        self._save(
            replace(
                kernel,
                status=Status.READY,
                generation=generation,
                prefix=place.prefix,
                kernel_info=reply["kernel_info"],
                deadline=None,
            )
        )

    def _release(self, kernel: Kernel) -> None:
        place = self._places.pop(kernel.id, None)
        if place is not None:
            place.control.ask("stop", grace=0)
            self._free.append(place)
        status = Status.STOPPED if kernel.reason is Reason.USER else Status.FAILED
        self._save(ended(kernel, status=status, reason=kernel.reason or Reason.USER, now=now()))

    def _look(self, kernel: Kernel) -> None:
        place = self._places.get(kernel.id)
        if place is None or kernel.status is not Status.READY:
            return
        state = place.control.ask("status")["kernel"]
        if state is None or not state["alive"]:
            self._save(losing(kernel, reason=Reason.EXITED, now=now(), code=1))

    def _save(self, kernel: Kernel) -> Kernel | None:
        saved = self.database.write(lambda tx: tx.kernels.save(kernel))
        if saved is not None:
            self.publish(kernel.id)
        return saved
