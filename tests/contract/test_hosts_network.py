"""What a kernel can reach: nothing at all, or the public internet and nothing near it. Between real containers.

The internet is a network namespace behind a veth pair; it answers at public documentation addresses and, to see
what the rules close, at private ones and at the clouds' metadata address. The host itself reaches all of them.
"""

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import docker
import pytest
from tests.contract.host_ground import Ground, host_ground, run
from tests.integration.agent_world import tag_tiny, torch_image, wait_until

from jiqi.adapters.hosts.docker_options import EGRESS
from jiqi.adapters.network import EgressRules
from jiqi.domain.kernels import Network
from jiqi.services.ports_hosts import Started

pytestmark = pytest.mark.docker
SPACE = "jiqi-test-inet"
PUBLIC = "198.51.100.10"
NEAR = ("10.213.0.10", "100.64.213.10", "172.30.213.10", "192.168.213.10", "169.254.169.254")
NAME_SERVER = "10.213.0.53"
PORT = 8099

_LISTEN = """
import socket, sys, threading
def tcp(port):
    s = socket.create_server(("0.0.0.0", port))
    while True:
        c, _ = s.accept(); c.sendall(b"hello"); c.close()
def udp():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("10.213.0.53", 53))
    while True:
        data, who = s.recvfrom(512); s.sendto(b"name:" + data, who)
for port in (8099, 53):
    threading.Thread(target=tcp, args=(port,)).start()
print("ready", flush=True)
udp()
"""


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


@contextmanager
def internet() -> Iterator[None]:
    """Make a host that is reached by routes through this one."""
    subprocess.run(["ip", "netns", "del", SPACE], check=False, capture_output=True)
    subprocess.run(["ip", "link", "del", "jq-inet"], check=False, capture_output=True)
    ip("netns", "add", SPACE)
    try:
        ip("link", "add", "jq-inet", "type", "veth", "peer", "name", "eth0", "netns", SPACE)
        ip("addr", "add", "198.51.100.9/30", "dev", "jq-inet")
        ip("link", "set", "jq-inet", "up")
        ip("-n", SPACE, "link", "set", "lo", "up")
        ip("-n", SPACE, "link", "set", "eth0", "up")
        ip("-n", SPACE, "addr", "add", f"{PUBLIC}/30", "dev", "eth0")
        ip("-n", SPACE, "route", "add", "default", "via", "198.51.100.9")
        for address in (*NEAR, NAME_SERVER):
            ip("-n", SPACE, "addr", "add", f"{address}/32", "dev", "lo")
            ip("route", "replace", f"{address}/32", "via", PUBLIC, "dev", "jq-inet")
        listener = subprocess.Popen(
            ["ip", "netns", "exec", SPACE, sys.executable, "-c", _LISTEN], stdout=subprocess.PIPE
        )
        try:
            assert listener.stdout is not None
            assert listener.stdout.readline() == b"ready\n"
            yield
        finally:
            listener.kill()
            listener.wait()
    finally:
        ip("netns", "del", SPACE)


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    tag_tiny()
    with ExitStack() as stack:
        stack.enter_context(internet())
        yield stack.enter_context(host_ground("docker"))


@pytest.fixture(scope="module")
def egress(ground: Ground) -> Started:
    assert ground.host.network(Network.EGRESS) is Network.EGRESS
    return ground.claimed(network=Network.EGRESS)[2]


@contextmanager
def host_listener() -> Iterator[int]:
    """Listen on every address of this machine, as a web process might."""
    with socket.create_server(("0.0.0.0", 0)) as server:
        threading.Thread(target=_serve, args=(server,), daemon=True).start()
        yield server.getsockname()[1]


def _serve(server: socket.socket) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        connection.close()


def reach(started: Started, targets: list[tuple[str, int]]) -> dict[str, str]:
    """Return for each target whether a TCP connection opens from inside the kernel, and how long the answer took."""
    code = f"""
import json, socket, time
found = {{}}
for host, port in {targets!r}:
    began = time.monotonic()
    try:
        socket.create_connection((host, port), timeout=2.5).close()
        found[f'{{host}}:{{port}}'] = 'open'
    except OSError as error:
        found[f'{{host}}:{{port}}'] = type(error).__name__
print(json.dumps(found))
"""
    return json.loads(run(started, code, seconds=120))


def from_here(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=2.5).close()
    except OSError:
        return False
    return True


def test_the_world_of_these_tests_is_open_without_the_rules(ground: Ground) -> None:
    """Every target answers this host: what a kernel cannot reach below is closed by the rules alone."""
    assert all(from_here(host, PORT) for host in (PUBLIC, *NEAR))


def test_egress_reaches_the_public_internet(egress: Started) -> None:
    assert reach(egress, [(PUBLIC, PORT)]) == {f"{PUBLIC}:{PORT}": "open"}


def test_egress_reaches_no_private_range_and_no_metadata(egress: Started) -> None:
    began = time.monotonic()
    found = reach(egress, [(host, PORT) for host in NEAR])
    assert "open" not in found.values()
    assert len(found) == len(NEAR)
    # Refused, not swallowed: a person waits for an error, not for a timeout.
    assert "TimeoutError" not in found.values()
    assert time.monotonic() - began < 10


def test_egress_reaches_nothing_that_this_host_listens_on(egress: Started) -> None:
    addresses = subprocess.run(["hostname", "-I"], capture_output=True, text=True, check=True).stdout.split()
    with host_listener() as port:
        targets = [(address, port) for address in addresses if ":" not in address]
        assert any(host.startswith("172.1") for host, _ in targets)
        assert all(from_here(*target) for target in targets)
        assert "open" not in reach(egress, targets).values()


def test_egress_reaches_no_other_container(ground: Ground, egress: Started) -> None:
    """Neither another kernel on the same bridge nor a container of the engine's own network."""
    place, _, other = ground.claimed(network=Network.EGRESS)
    listen = "import socket, threading\ns = socket.create_server(('0.0.0.0', 7000))\nprint(socket.gethostbyname(socket.gethostname()))"
    address = run(other, listen)
    client = docker.from_env()
    foreign = client.containers.run(
        torch_image(), ["python", "-m", "http.server", "7000"], entrypoint="", detach=True, remove=True
    )
    try:
        foreign.reload()
        bridge = foreign.attrs["NetworkSettings"]["Networks"]["bridge"]["IPAddress"]
        wait_until(lambda: from_here(bridge, 7000), what="the foreign container")
        found = reach(egress, [(address, 7000), (bridge, 7000)])
    finally:
        foreign.kill()
        client.close()
    assert found
    assert "open" not in found.values()
    assert reach(other, [("127.0.0.1", 7000)]) == {"127.0.0.1:7000": "open"}
    ground.remove(place)


def test_egress_asks_the_hosts_name_servers_and_only_on_their_port(
    ground: Ground, egress: Started, tmp_path
) -> None:
    """Docker's resolver inside the container forwards to them, also where they are private addresses."""
    resolv = tmp_path / "resolv.conf"
    resolv.write_text(f"nameserver {NAME_SERVER}\nnameserver 127.0.0.53\noptions edns0\n")
    EgressRules(EGRESS, resolvers=(resolv,)).ensure()
    try:
        code = f"""
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(2.5)
s.sendto(b'q', ('{NAME_SERVER}', 53)); print(s.recv(99))
"""
        assert run(egress, code) == "b'name:q'"
        found = reach(egress, [(NAME_SERVER, 53), (NAME_SERVER, PORT)])
        assert found[f"{NAME_SERVER}:53"] == "open"
        assert found[f"{NAME_SERVER}:{PORT}"] != "open"
    finally:
        EgressRules(EGRESS).ensure()


def test_egress_has_no_ipv6(egress: Started) -> None:
    assert (
        run(
            egress,
            "print(open('/proc/net/if_inet6').read() if __import__('os').path.exists('/proc/net/if_inet6') else '')",
        )
        == ""
    )


def test_rules_that_were_dropped_come_back_with_the_next_beat(ground: Ground, egress: Started) -> None:
    """As after the reload of a firewall or of the Docker daemon."""
    subprocess.run(["iptables", "-w", "5", "-F", "JIQI-EGRESS"], check=True)
    assert reach(egress, [(NEAR[0], PORT)])[f"{NEAR[0]}:{PORT}"] == "open"
    ground.host.prepare()
    assert reach(egress, [(NEAR[0], PORT)])[f"{NEAR[0]}:{PORT}"] != "open"
    subprocess.run(
        ["iptables", "-w", "5", "-D", "DOCKER-USER", "-i", EGRESS, "-j", "JIQI-EGRESS"], check=True
    )
    ground.host.prepare()
    assert reach(egress, [(NEAR[0], PORT), (PUBLIC, PORT)]) == {
        f"{NEAR[0]}:{PORT}": "OSError",
        f"{PUBLIC}:{PORT}": "open",
    }


def test_none_reaches_nothing_and_says_so_at_once(ground: Ground) -> None:
    place, _, started = ground.claimed(network=Network.NONE)
    assert run(started, "import os; print(os.listdir('/sys/class/net'))") == "['lo']"
    began = time.monotonic()
    found = reach(started, [(host, PORT) for host in (PUBLIC, *NEAR)])
    assert "open" not in found.values()
    assert time.monotonic() - began < 5
    ground.remove(place)
