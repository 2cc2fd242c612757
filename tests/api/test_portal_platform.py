"""The platform's own face: OpenAPI, problems, health, figures, static files, what logs never hold, a taken port."""

import io
import json
import logging
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import msgspec
import pytest
import structlog
from openapi_spec_validator import validate
from tests.api.portal import ROOT, Portal, running, settings_for

from jiqi import logs
from jiqi.domain.errors import JiqiError
from jiqi.web.messages import MESSAGES
from jiqi.web.openapi import document, errors_of, rendered
from jiqi.web.operations import OPERATIONS


def test_the_api_document_is_valid_current_and_served(portal: Portal) -> None:
    validate(document())
    assert (ROOT / "docs" / "openapi.json").read_text() == rendered(), "run `jiqi openapi docs/openapi.json`"
    served = portal.browser().get("/api/v1/openapi.json")
    assert served.json() == document()
    etag = served.headers["ETag"]
    assert portal.browser().get("/api/v1/openapi.json", headers={"If-None-Match": etag}).status_code == 304


def test_every_documented_error_has_words_in_both_languages() -> None:
    for operation in OPERATIONS:
        for error in errors_of(operation):
            assert set(MESSAGES[error.code]) == {"zh", "en"}, error.code


def test_every_operation_without_a_key_answers_as_documented(portal: Portal) -> None:
    browser = portal.browser()
    for operation in OPERATIONS:
        path = re.sub(r"\{\w+\}", "abcdefgh2345", operation.path)
        body = {} if operation.method in {"POST", "PATCH"} else None
        if operation.id in {"beginGuest", "logOut"}:
            continue
        answer = browser.call(operation.method, path, body)
        if operation.auth != "public":
            assert (answer.status_code, answer.json()["code"]) == (401, "login.required"), operation.id
        else:
            assert answer.status_code in {200, 400, 404}, operation.id
        problem = answer.json()
        if answer.status_code >= 400:
            assert set(problem) == {"type", "title", "status", "detail", "code", "params", "request_id"}
            assert problem["request_id"] == answer.headers["X-Request-ID"]
            assert answer.headers["Cache-Control"] == "no-store"


def test_another_method_and_another_address_are_problems_too(portal: Portal) -> None:
    browser = portal.browser()
    assert browser.call("PUT", "/me", {}).json()["code"] == "method.refused"
    assert browser.call("GET", "/nothing").json()["code"] == "not_found"
    assert browser.call("OPTIONS", "/me").json()["code"] == "method.refused"
    assert httpx.request("BREW", portal.url + "/", trust_env=False).status_code == 405


def test_an_error_of_ours_keeps_its_trace_to_the_log(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> object:
        raise RuntimeError("secret detail of the inside")

    monkeypatch.setattr(portal.web.services.lessons._catalogue, "lessons", broken)
    for headers in ({"Accept": "application/json"}, {"Accept": "text/html"}):
        answer = httpx.get(portal.url + "/open/first-minute", headers=headers, trust_env=False)
        assert answer.status_code == 500
        assert "secret detail" not in answer.text
        assert "Traceback" not in answer.text
        assert answer.headers["X-Request-ID"] in answer.text
        assert "internal" in answer.text


def test_readiness_names_what_is_wrong(portal: Portal) -> None:
    browser = portal.browser()
    assert browser.get("/healthz").json() == {"status": "ok"}
    ready = browser.get("/readyz")
    # No broker runs beside this test, and people can work all the same.
    assert ready.json()["checks"] == {"database": "ok", "broker": "broker.down", "agent": "ok", "disk": "ok"}
    assert ready.status_code == 200
    try:
        portal.report(problem="docker.down")
        down = browser.get("/readyz")
        assert (down.status_code, down.json()["checks"]["agent"]) == (503, "docker.down")
        assert browser.get("/api/v1/site").json()["problem"] == "docker.down"
    finally:
        portal.report()


def test_figures_are_told_on_the_loopbacks_own_port_only(portal: Portal) -> None:
    browser = portal.browser()
    browser.post("/open", {"lesson": "first-minute"})
    assert browser.get("/metrics").status_code == 404
    figures = httpx.get(f"http://127.0.0.1:{portal.settings.internal_port}/metrics", trust_env=False).text
    for name in (
        "jiqi_request_seconds_bucket",
        "jiqi_loop_lag_seconds",
        "jiqi_websockets 0.0",
        "jiqi_user_apps",
    ):
        assert name in figures
    assert re.search(r'jiqi_kernels\{status="requested"\} [1-9]', figures)


def test_built_files_are_kept_for_ever_and_compressed(tmp_path: Path) -> None:
    settings = settings_for(tmp_path / "state")
    dist = tmp_path / "root" / "frontend" / "dist"
    (dist / "assets").mkdir(parents=True)
    (dist / "assets" / "portal-AbCd1234.js").write_text("plain")
    (dist / "assets" / "portal-AbCd1234.js.br").write_bytes(b"brotli")
    (dist / "assets" / "portal-AbCd1234.js.gz").write_bytes(b"gzip")
    (dist / "icon.svg").write_text("<svg/>")
    (tmp_path / "root" / "secret").write_text("secret")
    (dist / "out").symlink_to(tmp_path / "root")
    with running(msgspec.structs.replace(settings, root=tmp_path / "root")) as portal:
        url = f"{portal.url}/static/app/assets/portal-AbCd1234.js"
        for accepted, raw in (("br, gzip", b"brotli"), ("gzip", b"gzip"), ("", b"plain")):
            with httpx.stream("GET", url, headers={"Accept-Encoding": accepted}, trust_env=False) as answer:
                assert b"".join(answer.iter_raw()) == raw
                assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
                assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
                assert answer.headers["Vary"] == "Accept-Encoding"
        icon = httpx.get(f"{portal.url}/static/app/icon.svg", trust_env=False)
        assert icon.headers["Cache-Control"] == "no-cache"
        marked = {"If-None-Match": icon.headers["ETag"]}
        assert (
            httpx.get(f"{portal.url}/static/app/icon.svg", headers=marked, trust_env=False).status_code == 304
        )
        for path in ("../../secret", "..%2f..%2fsecret", "%00", "assets", "portal.html", "nothing.js"):
            assert httpx.get(f"{portal.url}/static/app/{path}", trust_env=False).status_code in {404, 400}
        home = httpx.get(portal.url + "/", headers={"Accept": "text/html"}, trust_env=False)
        assert home.status_code == 503
        assert "frontend.missing" in home.text
        assert "make frontend" in home.text


def test_no_secret_of_a_whole_visit_reaches_the_log(portal: Portal) -> None:
    written = io.StringIO()
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    logs.configure(form="json", level="debug", process="test")
    structlog.configure(cache_logger_on_first_use=False)
    root.handlers[0].stream = written  # type: ignore[attr-defined]
    # The test's own client is another program.
    for client in ("httpx", "httpcore"):
        logging.getLogger(client).setLevel(logging.WARNING)
    try:
        browser = portal.browser()
        browser.register("log reader", "a password of mine")
        secret = browser.post("/tokens", {"label": "x"}).json()["secret"]
        link = portal.web.services.links.create()
        browser.post("/link/check", {"secret": link})
        opened = browser.post("/open", {"lesson": "first-minute"}).json()
        browser.enter(opened)
        browser.enter(opened)
        browser.get(opened["enter"]["next"], notebook=True)
        user = browser.get("/api/v1/me").json()["user"]["id"]
        httpx.get(f"{portal.notebook_url}/user/{user}/api/me?token={secret}", trust_env=False)
        httpx.get(f"{portal.url}/api/v1/projects?token={secret}", trust_env=False)
        browser.post("/login", {"name": "log reader", "password": "a wrong password"})
        secrets = [
            secret,
            link,
            opened["enter"]["ticket"],
            "a password of mine",
            "a wrong password",
            browser.cookie("jiqi_session"),
            browser.cookie("jiqi_nb", notebook=True),
            browser.cookie("jiqi_xsrf"),
        ]
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    text = written.getvalue()
    assert '"event": "request"' in text
    for each in secrets:
        assert each is not None
        assert each not in text
    line = json.loads(next(row for row in text.splitlines() if '"path": "/enter"' in row))
    assert line["request_id"]


def test_a_port_in_use_is_told_with_its_number_and_no_trace(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", settings.port))
        taken.listen()
        done = subprocess.run(
            [sys.executable, "-m", "jiqi", "web"],
            env={
                "PATH": "/usr/bin:/bin",
                "PYTHONPATH": str(ROOT / "platform"),
                "JIQI_ROOT": str(ROOT),
                "JIQI_STATE": str(tmp_path),
                "JIQI_RUN": str(tmp_path / "run"),
                "JIQI_PORT": str(settings.port),
                "JIQI_INTERNAL_PORT": str(settings.internal_port),
            },
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 1
    assert f"端口 {settings.port} 已被占用" in done.stderr
    assert "[port.in_use]" in done.stderr
    assert "Traceback" not in done.stderr


def test_sigterm_ends_the_process_and_lets_running_requests_end(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-m", "jiqi", "web"],
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(ROOT / "platform"),
            "JIQI_ROOT": str(ROOT),
            "JIQI_STATE": str(tmp_path),
            "JIQI_RUN": str(tmp_path / "run"),
            "JIQI_PORT": str(settings.port),
            "JIQI_INTERNAL_PORT": str(settings.internal_port),
        },
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        _wait_for(settings.portal_url + "/healthz")
        # A browser keeps its connection; the end does not wait for it.
        with httpx.Client(trust_env=False) as idle:
            assert idle.get(settings.portal_url + "/healthz").status_code == 200
            process.terminate()
            _, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 0, errors
    assert "web_stopped" in errors
    assert "Traceback" not in errors


def _wait_for(url: str) -> None:
    end = time.monotonic() + 90
    while time.monotonic() < end:
        try:
            if httpx.get(url, trust_env=False).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise TimeoutError(url)


def test_a_database_that_is_gone_is_a_problem_with_words(tmp_path: Path) -> None:
    with running(settings_for(tmp_path)) as portal:
        browser = portal.browser()
        browser.guest()
        portal.web.base.database.close()
        database = tmp_path / "jiqi.db"
        database.rename(tmp_path / "gone.db")
        database.mkdir()
        answer = browser.get("/api/v1/projects")
        assert (answer.status_code, answer.json()["code"]) == (503, "database.down")
        ready = browser.get("/readyz")
        assert (ready.status_code, ready.json()["checks"]["database"]) == (503, "database.down")
        database.rmdir()
        (tmp_path / "gone.db").rename(database)
        assert browser.get("/api/v1/projects").status_code == 200


def test_every_error_class_of_the_platform_has_words() -> None:
    def below(kind: type[JiqiError]) -> set[type[JiqiError]]:
        return {kind, *(found for child in kind.__subclasses__() for found in below(child))}

    # What the agent says to itself never reaches a person.
    inside = ("jiqi.services.ports_hosts", "jiqi.worker", "tests")
    told = {kind for kind in below(JiqiError) if not kind.__module__.startswith(inside)}
    missing = {kind.code for kind in told} - set(MESSAGES)
    assert missing == set()
