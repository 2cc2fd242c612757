"""Looks at this machine and installation; every question has a short time limit and changes nothing."""

import os
import resource
import shutil
import subprocess
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from jiqi.config import Settings
from jiqi.doctor.facts import EngineFacts, Facts
from jiqi.domain.errors import JiqiError
from jiqi.supervisor import instance, listening, valkey
from jiqi.supervisor.engine import Engine

_CAP_SYS_ADMIN = 21


def look(settings: Settings) -> Facts:
    """Return the facts."""
    found = instance.running(settings.state)
    database, beat_age, problem = _database(settings)
    return Facts(
        python=sys.version_info[:3],
        root=os.geteuid() == 0,
        sys_admin=_has_sys_admin(),
        host=settings.host,
        engine=_engine(settings),
        docker_command=shutil.which("docker") is not None,
        kernel_python=_kernel_python(settings),
        state=settings.state,
        disk_free=_free(settings.state) or 0,
        memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        descriptors=resource.getrlimit(resource.RLIMIT_NOFILE)[1],
        listen=settings.listen,
        port=settings.port,
        port_holder=_port_holder(settings),
        portal_host=urlsplit(settings.portal_url).hostname or "",
        notebook_host=urlsplit(settings.notebook_url).hostname or "",
        running=found.portal_url or settings.portal_url if found is not None else None,
        valkey=_valkey(settings, running=found is not None),
        database=database,
        beat_age=beat_age,
        node_problem=problem,
        frontend=(settings.frontend / ".vite" / "manifest.json").is_file(),
        pip_index=_pip_index(),
    )


def images(folder: Path) -> dict[str, str]:
    """Return environment names and image tags of the images that run on this machine's processor."""
    found = {}
    for path in sorted(folder.glob("*/image.toml")):
        facts = tomllib.loads(path.read_text())
        if facts.get("accelerator") == "cpu":
            found[str(facts["name"])] = f"jiqi/{facts['name']}:{facts['version']}"
    return found


def _engine(settings: Settings) -> EngineFacts:
    engine = Engine()
    info = engine.info()
    if info is None:
        url = urlsplit(engine.url)
        denied = url.scheme == "unix" and Path(url.path).exists() and not os.access(url.path, os.W_OK)
        return EngineFacts(reachable="denied" if denied else "no")
    return EngineFacts(
        reachable="yes",
        version=str(info.get("ServerVersion", "?")),
        live_restore=bool(info.get("LiveRestoreEnabled")),
        cgroup=f"v{info.get('CgroupVersion', '1')} {info.get('CgroupDriver', '')}".strip(),
        memory_limit=bool(info.get("MemoryLimit", True)),
        pids_limit=bool(info.get("PidsLimit", True)),
        disk_free=_free(Path(str(info.get("DockerRootDir", "")))),
        images={name: engine.has_image(tag) for name, tag in images(settings.images).items()},
    )


def _free(path: Path) -> int | None:
    """Return the free bytes where `path` is or would be made; None when that is not on this machine."""
    for place in (path, *path.parents):
        if place.is_dir() and place.is_absolute():
            return shutil.disk_usage(place).free
    return None


def _has_sys_admin() -> bool:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> _CAP_SYS_ADMIN & 1)
    return False


def _kernel_python(settings: Settings) -> Path | None:
    made = settings.state / "envs" / "torch-cpu" / "bin" / "python"
    python = settings.kernel_python or made
    return python if python.is_file() else None


def _port_holder(settings: Settings) -> str | None:
    try:
        if listening.is_free(settings.listen, settings.port):
            return None
    except OSError as error:
        return f" ({error.strerror})"
    found = listening.holder(settings.port)
    return f" ({found.name}, pid {found.pid})" if found else ""


def _valkey(settings: Settings, *, running: bool) -> str:
    if valkey.answers(settings.redis_url):
        return "ready"
    if running or valkey.socket_of(settings.redis_url) is None:
        return "silent"
    return "stopped" if valkey.is_installed() else "missing"


def _database(settings: Settings) -> tuple[str, float | None, str | None]:
    from sqlalchemy import make_url  # noqa: PLC0415  (only where it is asked)
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415

    from jiqi import wiring  # noqa: PLC0415

    url = make_url(settings.database_url)
    # Looking must not make the file.
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        return "new", None, None
    database = wiring.base(settings).database
    try:
        nodes = database.read(lambda tx: tx.nodes.all())
    except (SQLAlchemyError, JiqiError, OSError) as error:
        return type(error).__name__, None, None
    finally:
        database.close()
    for node in nodes:
        if node.id == settings.node:
            return "ready", (datetime.now(UTC) - node.beat).total_seconds(), node.problem
    return "ready", None, None


def _pip_index() -> str | None:
    given = os.environ.get("PIP_INDEX_URL")
    if given:
        return _without_password(given)
    command = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    return (
        _without_password(answer.stdout.strip()) if answer.returncode == 0 and answer.stdout.strip() else None
    )


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    host = parts.hostname or ""
    return parts._replace(netloc=f"{host}:{parts.port}" if parts.port else host).geturl()
