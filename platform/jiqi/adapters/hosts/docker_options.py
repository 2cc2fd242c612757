"""What a kernel's container may do, in one place (docs/architecture.md, the kernel container)."""

from typing import Any

from docker.types import LogConfig, Mount, Ulimit

from jiqi.config import Settings
from jiqi.domain.ids import WarmName
from jiqi.domain.kernels import Environment, Network
from jiqi.services.ports_hosts import PoolKey

EGRESS = "jiqi-egress"
HOME = "/home/jiqi"
RUN = "/run/jiqi"
PYTHON = "/opt/jiqi/bin/python"
FULL_SHARE = 1024
# Preloading the pool must not slow the kernels that people wait for.
WARMING_SHARE = 256
_TMP_MB = 512
# Below what a daemon without CAP_SYS_RESOURCE may hand on.
_OPEN_FILES = 8192
_LARGEST_FILE = 20 * 1024**3
_NAME, _ENVIRONMENT, _NETWORK, _DIGEST = "jiqi.name", "jiqi.environment", "jiqi.network", "jiqi.image"


def owned(settings: Settings) -> dict[str, str]:
    """Return the labels by which this installation and node know their containers."""
    return {"jiqi.installation": settings.installation, "jiqi.node": settings.node}


def labels(settings: Settings, name: WarmName, key: PoolKey, *, digest: str) -> dict[str, str]:
    """Return every label; they are fixed when the container is made."""
    return owned(settings) | {
        _NAME: name,
        _ENVIRONMENT: key.environment,
        _NETWORK: key.network.value,
        _DIGEST: digest,
        "jiqi.pool": f"{key.environment}/{key.network.value}",
    }


def by_labels(found: dict[str, str]) -> tuple[WarmName, PoolKey, str]:
    """Return what `labels` wrote. Raises KeyError or ValueError for a container that is not ours."""
    key = PoolKey(environment=found[_ENVIRONMENT], network=Network(found[_NETWORK]))
    return WarmName(found[_NAME]), key, found[_DIGEST]


def name_label(name: WarmName) -> dict[str, str]:
    """Return the label that finds one place."""
    return {_NAME: name}


def environ(environment: Environment, network: Network) -> dict[str, str]:
    """Return the container's variables: nothing of the agent's own, and nothing secret."""
    threads = str(max(1, round(environment.cpus)))
    return {
        "HOME": HOME,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "OMP_NUM_THREADS": threads,
        "MKL_NUM_THREADS": threads,
        "OPENBLAS_NUM_THREADS": threads,
        "PYTHONUSERBASE": user_base(environment.name),
        "PIP_USER": "1",
        "TMPDIR": "/tmp",  # noqa: S108  (the container's own)
        "JIQI_NETWORK": network.value,
        "JIQI_IMAGE": environment.name,
    }


def user_base(environment: str) -> str:
    """Return where a person's packages for one image lie, inside the container."""
    return f"{HOME}/.packages/{environment}"


def host_options(
    environment: Environment,
    *,
    network: Network,
    home: str,
    late: bool,
    run: str,
    share: int,
) -> dict[str, Any]:
    """Return the options of `create_host_config`; `late` homes arrive by a mount from outside."""
    mounted = Mount(
        "/home" if late else HOME,
        home,
        type="bind",
        read_only=late,
        propagation="rslave" if late else "rprivate",
    )
    return {
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges:true"],
        "read_only": True,
        "tmpfs": {"/tmp": f"rw,exec,nosuid,nodev,mode=1777,size={_TMP_MB}m"},  # noqa: S108  (the container's own)
        "mounts": [mounted, Mount(RUN, run, type="bind", propagation="rprivate")],
        # A container of 256 MB wrote 92 MB of host log in three seconds.
        "log_config": LogConfig(
            type="local", config={"max-size": "1m", "max-file": "1", "compress": "false"}
        ),
        "ulimits": [
            Ulimit(name="core", soft=0, hard=0),
            Ulimit(name="nofile", soft=_OPEN_FILES, hard=_OPEN_FILES),
            Ulimit(name="fsize", soft=_LARGEST_FILE, hard=_LARGEST_FILE),
        ],
        "pids_limit": 512,
        "mem_limit": f"{environment.memory_mb}m",
        "memswap_limit": f"{environment.memory_mb}m",
        "nano_cpus": int(environment.cpus * 1_000_000_000),
        "cpu_shares": share,
        "init": True,
        "ipc_mode": "private",
        "shm_size": f"{environment.shm_mb}m",
        "network_mode": EGRESS if network is Network.EGRESS else "none",
        "sysctls": {"net.ipv6.conf.all.disable_ipv6": "1"} if network is Network.EGRESS else {},
        "restart_policy": {"Name": "no"},
        "oom_score_adj": 300,
    }


def container_options(
    settings: Settings, name: WarmName, key: PoolKey, environment: Environment, *, image: str
) -> dict[str, Any]:
    """Return the options of `create_container` besides `host_config`."""
    preload = ["--preload", ",".join(environment.preload)] if environment.preload else []
    return {
        "image": image,
        "entrypoint": [PYTHON, "-m", "jiqi_kernel", "serve", "--run", f"{RUN}/k", *preload],
        "command": [],
        "name": f"jiqi-{settings.installation}-{name}",
        "hostname": "jiqi",
        "user": f"{settings.kernel_uid}:{settings.kernel_gid}",
        "working_dir": "/",
        "environment": environ(environment, key.network),
        "labels": labels(settings, name, key, digest=environment.digest),
        "stdin_open": False,
        "tty": False,
        "network_disabled": False,
    }
