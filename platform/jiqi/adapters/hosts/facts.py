"""What `jiqi doctor` and the first run's page may say of this host, without changing anything on it."""

import os
from dataclasses import dataclass

from jiqi.adapters.hosts.docker_engine import DockerEngine
from jiqi.adapters.images import image_files
from jiqi.adapters.network import EgressRules
from jiqi.config import Settings
from jiqi.services.ports_hosts import HostUnavailableError


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFacts:
    """`pool`: homes can be mounted into running containers (root). `egress`: its rules can be kept."""

    docker: str | None
    live_restore: bool
    cgroup: str
    pool: bool
    egress: bool
    images_here: tuple[str, ...]
    images_missing: tuple[str, ...]


def host_facts(settings: Settings) -> HostFacts:
    """Look; an engine that does not answer is `docker=None` after a few seconds."""
    engine = DockerEngine()
    try:
        info = engine.info()
        here = {image.name for image in image_files(settings.images) if engine.image_digest(image.tag)}
    except HostUnavailableError:
        info, here = {}, set()
    finally:
        engine.close()
    described = {image.name for image in image_files(settings.images)}
    return HostFacts(
        docker=info.get("ServerVersion"),
        live_restore=bool(info.get("LiveRestoreEnabled")),
        cgroup=str(info.get("CgroupVersion", "")),
        pool=os.getuid() == 0,
        egress=EgressRules.possible(),
        images_here=tuple(sorted(here)),
        images_missing=tuple(sorted(described - here)),
    )
