"""What the doctor judges, as plain values; nothing here looks at the machine."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class EngineFacts:
    """The Docker engine's own words; `reachable` is "no" for none and "denied" for a socket that is not ours."""

    reachable: str
    version: str = ""
    live_restore: bool = False
    cgroup: str = ""
    memory_limit: bool = True
    pids_limit: bool = True
    disk_free: int | None = None
    images: dict[str, bool] | None = None


@dataclass(frozen=True, kw_only=True)
class Facts:
    """One machine and one installation; sizes in bytes, ages in seconds."""

    python: tuple[int, int, int]
    root: bool
    sys_admin: bool
    host: str
    engine: EngineFacts
    docker_command: bool
    kernel_python: Path | None
    state: Path
    disk_free: int
    memory: int
    descriptors: int
    listen: str
    port: int
    port_holder: str | None
    portal_host: str
    notebook_host: str
    running: str | None
    valkey: str
    """ready, stopped (nothing runs, which is fine), missing (no server program here), or silent."""
    database: str
    """ready, new (no schema yet), or the error's name."""
    beat_age: float | None
    node_problem: str | None
    frontend: bool
    pip_index: str | None
