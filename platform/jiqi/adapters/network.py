"""Rules of the `egress` network: outwards to public addresses only; no container, no private range, not this host.

Kernels are reached over Unix sockets, so nothing ever has to come in over this network. The rules are compared
at every beat, because a firewall's reload or an administrator may drop them.
"""

import ipaddress
import shutil
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path

import structlog

from jiqi.services.ports_hosts import HostUnavailableError

log = structlog.get_logger()
_FORWARD, _INPUT = "JIQI-EGRESS", "JIQI-HOST"
_SECONDS = 5
# What is not the public internet: private, shared, link-local with the cloud's metadata, benchmarks, multicast.
CLOSED = (
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "224.0.0.0/4",
    "240.0.0.0/4",
)
RESOLVERS = (Path("/etc/resolv.conf"), Path("/run/systemd/resolve/resolv.conf"))


@dataclass(frozen=True, slots=True)
class _Table:
    """`iptables` or `ip6tables` and the wanted content of its chains."""

    program: str
    chains: dict[str, tuple[str, ...]]
    jumps: dict[str, str]


class EgressRules:
    """Keeps the rules of one bridge in place."""

    def __init__(self, bridge: str, *, resolvers: tuple[Path, ...] = RESOLVERS) -> None:
        """Filter what comes from `bridge`; `resolvers` are files that list the host's name servers."""
        self._bridge = bridge
        self._resolvers = resolvers
        self._seen: dict[str, list[str]] = {}
        self._lock = threading.Lock()

    @staticmethod
    def possible() -> bool:
        """Say whether this machine and user can filter at all."""
        program = shutil.which("iptables")
        return program is not None and _run([program, "-w", "2", "-S"]) is not None

    def ensure(self) -> None:
        """Put every rule in place that is not. Raises HostUnavailableError when that cannot be done."""
        with self._lock:
            for table in self._tables():
                self._ensure(table)

    def _ensure(self, table: _Table) -> None:
        now = _listed(table)
        if now and now == self._seen.get(table.program):
            return
        _apply(table)
        self._seen[table.program] = _listed(table)
        log.info("egress_rules_applied", program=table.program)

    def _tables(self) -> list[_Table]:
        found = _run(["iptables", "-w", "2", "-S", "DOCKER-USER"])
        before = "DOCKER-USER" if found is not None else "FORWARD"
        jumps = {before: _FORWARD, "INPUT": _INPUT}
        tables = [_Table("iptables", self._chains(), {k: self._jump(v) for k, v in jumps.items()})]
        if shutil.which("ip6tables") and Path("/proc/net/if_inet6").exists():
            closed: dict[str, tuple[str, ...]] = {_FORWARD: ("-j DROP",), _INPUT: ("-j DROP",)}
            jumps = {"FORWARD": _FORWARD, "INPUT": _INPUT}
            tables.append(_Table("ip6tables", closed, {k: self._jump(v) for k, v in jumps.items()}))
        return tables

    def _jump(self, chain: str) -> str:
        return f"-i {self._bridge} -j {chain}"

    def _chains(self) -> dict[str, tuple[str, ...]]:
        # Docker's own resolver asks the host's name servers from inside the container: exactly those, on port 53,
        # stay open also where they are private addresses or this host's.
        names = tuple(
            f"-d {server}/32 -p {protocol} --dport 53 -j {{}}"
            for server in _name_servers(self._resolvers)
            for protocol in ("udp", "tcp")
        )
        refuse = "-j REJECT --reject-with icmp-admin-prohibited"
        forward = (
            f"-o {self._bridge} -j DROP",
            *(rule.format("RETURN") for rule in names),
            *(f"-d {closed} {refuse}" for closed in CLOSED),
            "-j RETURN",
        )
        return {_FORWARD: forward, _INPUT: (*(rule.format("ACCEPT") for rule in names), refuse)}


def _name_servers(files: tuple[Path, ...]) -> list[str]:
    found: list[str] = []
    for path in files:
        try:
            lines = path.read_text().splitlines()
        except OSError:
            continue
        words = [line.split() for line in lines if line.startswith("nameserver")]
        found += [word[1] for word in words if len(word) > 1 and _is_reachable(word[1])]
    return sorted(set(found))


def _is_reachable(server: str) -> bool:
    # A resolver on the loopback is asked by the Docker daemon itself.
    try:
        address = ipaddress.ip_address(server)
    except ValueError:
        return False
    return address.version == 4 and not address.is_loopback  # noqa: PLR2004  (IPv4)


def _listed(table: _Table) -> list[str]:
    """Return our chains as the kernel has them, and the first rule of each chain that leads to them."""
    text = _run([table.program, "-w", "2", "-S"])
    if text is None:
        raise HostUnavailableError(detail=table.program)
    lines = text.splitlines()
    ours = [line for line in lines if line.split()[1:2] in [[chain] for chain in table.chains]]
    firsts = [next((line for line in lines if line.startswith(f"-A {c} ")), "") for c in table.jumps]
    led = all(jump in first for jump, first in zip(table.jumps.values(), firsts, strict=True))
    return [*ours, *firsts] if led else []


def _apply(table: _Table) -> None:
    """Replace the chains and the jumps to them in one step of the kernel."""
    lines = ["*filter", *(f":{chain} - [0:0]" for chain in table.chains)]
    lines += [f"-A {chain} {rule}" for chain, rules in table.chains.items() for rule in rules]
    for chain, jump in table.jumps.items():
        there = _run([table.program, "-w", "2", "-C", chain, *jump.split()]) is not None
        lines += [f"-D {chain} {jump}"] if there else []
        lines.append(f"-I {chain} 1 {jump}")
    lines += ["COMMIT", ""]
    done = _run([f"{table.program}-restore", "-w", "2", "--noflush"], text="\n".join(lines))
    if done is None:
        raise HostUnavailableError(detail=f"{table.program}-restore")


def _run(command: list[str], *, text: str | None = None) -> str | None:
    """Return what the program printed, or None when it failed."""
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        log.debug("iptables_refused", command=command[0], error=str(getattr(error, "stderr", error)))
        return None
    return done.stdout
