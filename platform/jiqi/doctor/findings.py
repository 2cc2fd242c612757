"""The doctor's judgement: facts to findings, each with a stable code and a grade."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from jiqi.doctor.facts import Facts
from jiqi.supervisor.listening import is_loopback

GIB = 1024**3
DISK_LEAST = 2 * GIB
DISK_GOOD = 10 * GIB
MEMORY_GOOD = 4 * GIB
DESCRIPTORS_GOOD = 16384
BEAT_LATE = 15.0
PYTHON_LEAST = (3, 11)


class Grade(StrEnum):
    """How much a finding matters: `bad` means that a promise of the product is broken here."""

    OK = "ok"
    NOTE = "note"
    BAD = "bad"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One line: `code` is the key of its words, in which a mending stands unless all is well."""

    code: str
    grade: Grade
    params: dict[str, object] = field(default_factory=dict)


def examine(facts: Facts) -> list[Finding]:
    """Return every finding, in the order in which to read and mend them."""
    parts = (_machine, _isolation, _images, _place, _listening, _processes)
    return [finding for part in parts for finding in part(facts)]


def _machine(facts: Facts) -> Iterator[Finding]:
    version = ".".join(map(str, facts.python))
    if facts.python[:2] >= PYTHON_LEAST:
        yield _ok("doctor.python", version=version)
    else:
        yield _bad("python.too_old", version=version)
    memory = {"gb": round(facts.memory / GIB, 1)}
    yield (
        _ok("doctor.memory", **memory)
        if facts.memory >= MEMORY_GOOD
        else _note("doctor.memory_low", **memory)
    )
    if facts.descriptors >= DESCRIPTORS_GOOD:
        yield _ok("doctor.descriptors", n=facts.descriptors)
    else:
        yield _note("doctor.descriptors_low", n=facts.descriptors)
    yield _note("doctor.pip_index", url=facts.pip_index) if facts.pip_index else _ok("doctor.pip_default")


def _isolation(facts: Facts) -> Iterator[Finding]:
    engine = facts.engine
    if facts.host == "process":
        yield _note("doctor.process_chosen")
    elif engine.reachable != "yes":
        # With `auto` the product works without isolation, and says so on every page.
        grade = _bad if facts.host == "docker" else _note
        yield grade("doctor.docker_denied" if engine.reachable == "denied" else "doctor.docker_missing")
    else:
        yield _ok("doctor.docker", version=engine.version, cgroup=engine.cgroup)
        yield _ok("doctor.live_restore") if engine.live_restore else _bad("doctor.live_restore_off")
        if not (engine.memory_limit and engine.pids_limit):
            yield _bad("doctor.cgroup_limits")
        if not facts.docker_command:
            yield _note("doctor.docker_command_missing")
        if facts.sys_admin:
            yield _ok("doctor.mounts")
        else:
            yield _note("doctor.mounts_by_helper")


def uses_docker(facts: Facts) -> bool:
    """Say whether kernels run in containers here."""
    return facts.host != "process" and facts.engine.reachable == "yes"


def _images(facts: Facts) -> Iterator[Finding]:
    if uses_docker(facts):
        for name, present in sorted((facts.engine.images or {}).items()):
            yield _ok("doctor.image", name=name) if present else _bad("image.missing", name=name)
    elif facts.kernel_python is None:
        yield _bad("doctor.environment_missing")
    else:
        yield _ok("doctor.environment", path=facts.kernel_python)


def _place(facts: Facts) -> Iterator[Finding]:
    places = [(str(facts.state), facts.disk_free)]
    if uses_docker(facts) and facts.engine.disk_free is not None:
        places.append(("docker", facts.engine.disk_free))
    for path, free in places:
        shown = {"path": path, "gb": round(free / GIB, 1)}
        if free < DISK_LEAST:
            yield _bad("doctor.disk_full", **shown)
        elif free < DISK_GOOD:
            yield _note("doctor.disk_low", **shown)
        else:
            yield _ok("doctor.disk", **shown)
    yield _ok("doctor.frontend") if facts.frontend else _bad("doctor.frontend_missing")


def _listening(facts: Facts) -> Iterator[Finding]:
    if not uses_docker(facts) and not is_loopback(facts.listen):
        yield _bad("listen.not_isolated", address=facts.listen)
    if facts.running is not None:
        yield _ok("doctor.running", url=facts.running)
    elif facts.port_holder is not None:
        yield _bad("listen.port_in_use", port=facts.port, holder=facts.port_holder, free=facts.port + 10)
    else:
        yield _ok("doctor.port", address=facts.listen, port=facts.port)
    if facts.portal_host == facts.notebook_host:
        yield _note("doctor.one_origin", host=facts.portal_host)
    else:
        yield _ok("doctor.two_origins", portal=facts.portal_host, notebook=facts.notebook_host)


def _processes(facts: Facts) -> Iterator[Finding]:
    if facts.valkey == "missing":
        yield _bad("doctor.valkey_missing")
    elif facts.valkey == "silent":
        yield _bad("doctor.valkey_silent")
    else:
        yield _ok(f"doctor.valkey_{facts.valkey}")
    if facts.database in {"ready", "new"}:
        yield _ok(f"doctor.database_{facts.database}")
    else:
        yield _bad("doctor.database_down", error=facts.database)
    if facts.running is None:
        return
    if facts.beat_age is None:
        yield _bad("doctor.agent_never")
    elif facts.beat_age > BEAT_LATE:
        yield _bad("doctor.agent_late", seconds=round(facts.beat_age))
    elif facts.node_problem:
        yield _bad("doctor.agent_problem", problem=facts.node_problem)
    else:
        yield _ok("doctor.agent")


def _ok(code: str, **params: object) -> Finding:
    return Finding(code=code, grade=Grade.OK, params=params)


def _note(code: str, **params: object) -> Finding:
    return Finding(code=code, grade=Grade.NOTE, params=params)


def _bad(code: str, **params: object) -> Finding:
    return Finding(code=code, grade=Grade.BAD, params=params)
