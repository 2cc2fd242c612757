"""Every setting of the platform; the only module that reads the environment.

A setting `name` is read from `JIQI_NAME`; paths are made absolute. docs/settings.md lists all of them.
"""

import hashlib
import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from jiqi.domain.errors import BadInputError


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of one process; the same file or environment serves all processes of a host."""

    root: Path
    """The checkout or installation that holds kernels/, tutorials/ and frontend/dist."""
    state: Path
    """Database, homes, mounts, claims and secrets."""
    run: Path
    """Run directories of kernels; short, because a socket's path ends at 107 bytes."""
    database_url: str
    redis_url: str
    portal_url: str
    notebook_url: str
    listen: str = "127.0.0.1"
    port: int = 8000
    internal_port: int = 8001
    """The listener of /metrics, on the loopback only; the port after `port` when not given."""
    node: str = "local"
    host: Literal["auto", "docker", "process"] = "auto"
    kernel_python: Path | None = None
    """The interpreter of the process host's kernel environment."""
    kernel_uid: int = 1000
    kernel_gid: int = 0
    pool: dict[str, int] = msgspec.field(default_factory=lambda: {"torch-cpu/none": 1, "torch-cpu/egress": 1})
    """Warm kernels kept by environment and network."""
    capacity: int = 0
    """Most kernels of this host; 0 = by its memory."""
    trusted_proxies: tuple[str, ...] = ()
    registration: bool = True
    log_format: Literal["console", "json"] = "console"
    log_level: str = "info"

    @property
    def installation(self) -> str:
        """What keeps two installations of one machine apart: a hash of the state's path."""
        return _mark(self.state)

    @property
    def homes(self) -> Path:
        """One folder a person, named by id."""
        return self.state / "homes"

    @property
    def frontend(self) -> Path:
        """The built frontend."""
        return self.root / "frontend" / "dist"

    @property
    def tutorials(self) -> Path:
        """The lessons."""
        return self.root / "tutorials"

    @property
    def images(self) -> Path:
        """Descriptions of the kernel images."""
        return self.root / "kernels" / "images"

    @property
    def secret_file(self) -> Path:
        """The secret that signs cookies, the same for all web processes."""
        return self.state / "secret"


_PREFIX = "JIQI_"
_SOCKET_MOST = 107


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """Return the settings that `environ` (the process's by default) gives. Raises BadInputError naming the setting."""
    env = os.environ if environ is None else environ
    given = {
        key.removeprefix(_PREFIX).lower(): value for key, value in env.items() if key.startswith(_PREFIX)
    }
    known = set(Settings.__struct_fields__)
    values: dict[str, object] = {key: value for key, value in given.items() if key in known and value != ""}
    for listed in ("pool", "trusted_proxies"):
        if listed in values:
            values[listed] = _parse_list(listed, str(values[listed]))
    _fill(values, env)
    try:
        return msgspec.convert(values, Settings, strict=False, dec_hook=_path)
    except msgspec.ValidationError as error:
        raise BadInputError(where="settings", detail=str(error)) from error


def _parse_list(name: str, text: str) -> object:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if name == "pool":
        return {part.partition("=")[0]: part.partition("=")[2] for part in parts}
    return parts


def _fill(values: dict[str, object], env: Mapping[str, str]) -> None:
    root = Path(str(values.get("root", Path(__file__).resolve().parents[2]))).resolve()
    state = Path(str(values.get("state", root / ".jiqi"))).resolve()
    port = str(values.get("port", 8000))
    values |= {"root": root, "state": state}
    if "kernel_python" in values:
        # Not resolved: a virtual environment's interpreter is a link, and what it links to knows no packages.
        values["kernel_python"] = Path(str(values["kernel_python"])).absolute()
    if port.isdigit():
        values.setdefault("internal_port", int(port) + 1)
    values.setdefault("run", _run_root(state, env))
    values.setdefault("database_url", f"sqlite:///{state / 'jiqi.db'}")
    values.setdefault("redis_url", f"unix://{_broker_socket(state, env)}")
    values.setdefault("portal_url", f"http://localhost:{port}")
    values.setdefault("notebook_url", f"http://127.0.0.1:{port}")
    values.setdefault("node", socket.gethostname().split(".")[0].lower()[:40] or "local")
    if os.getuid() != 0:
        values.setdefault("kernel_uid", os.getuid())
    values.setdefault("kernel_gid", os.getgid() if os.getuid() != 0 else 1000)
    for name in ("portal_url", "notebook_url"):
        values[name] = str(values[name]).rstrip("/")


def _run_root(state: Path, env: Mapping[str, str]) -> Path:
    # One installation, one folder: the hash of the state's path keeps two of them on one machine apart.
    mark = _mark(state)
    if os.getuid() == 0:
        return Path(f"/run/jiqi-{mark}")
    base = env.get("XDG_RUNTIME_DIR") or "/tmp"  # noqa: S108  (made with mode 0700 and checked by the agent)
    return Path(base) / f"jiqi-{mark}"


def _broker_socket(state: Path, env: Mapping[str, str]) -> Path:
    path = state / "valkey" / "valkey.sock"
    # A socket's path ends at 107 bytes; a deep state folder gets a short place beside the run root.
    return path if len(os.fsencode(path)) <= _SOCKET_MOST else Path(f"{_run_root(state, env)}-v") / "v.sock"


def _mark(state: Path) -> str:
    return hashlib.sha256(str(state).encode()).hexdigest()[:8]


def _path(kind: type, value: object) -> object:
    if kind is Path:
        return Path(str(value)).resolve() if not isinstance(value, Path) else value
    raise NotImplementedError(kind)
