"""While make run prepares, the portal's address shows how far it is, in both languages, and is given up cleanly."""

import json
import socket
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "infra" / "dev"))

from progress import PROGRESS, Progress

from jiqi.supervisor.listening import is_free

KEYS = ["run.step.python", "run.step.node", "run.step.frontend", "run.step.kernels", "run.step.start"]


@pytest.fixture
def port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def page(port):
    shown = Progress("127.0.0.1", port, keys=KEYS)
    yield shown
    shown.close()


def get(port, path):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as answer:
        return answer.code, answer.headers, answer.read().decode()


def test_every_address_shows_the_step_in_both_languages(port, page):
    page.step(3)
    status, headers, body = get(port, "/open/quickstart")
    assert status == 503
    assert headers["Retry-After"] == "2"
    assert headers["Cache-Control"] == "no-store"
    assert "准备中 3/5" in body.replace('<span id="n">3</span>', "3")
    assert "构建网页" in body
    assert "building the pages" in body
    assert body.count('class="done"') == 2
    assert body.count('class="now"') == 1


def test_the_page_can_ask_how_far_it_is(port, page):
    page.step(4)
    status, headers, body = get(port, PROGRESS)
    assert status == 200
    assert headers["Content-Type"] == "application/json"
    assert json.loads(body)["n"] == 4
    assert json.loads(body)["total"] == 5


def test_the_port_is_free_at_once_after_the_page(port):
    shown = Progress("127.0.0.1", port, keys=KEYS)
    with socket.create_connection(("127.0.0.1", port)) as idle:
        idle.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"503" in idle.recv(100)
        shown.close()
        assert is_free("127.0.0.1", port)
