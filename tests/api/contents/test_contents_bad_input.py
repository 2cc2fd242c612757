"""What must not be asked of the contents API, and what it answers."""

import asyncio
import json
import os
import subprocess
from urllib.parse import quote

import pytest
from nbformat.v4 import new_code_cell, new_notebook
from tests.api.contents.contents_server import file_model, notebook_model, running, services_for

from jiqi.domain.files import is_temporary

pytestmark = pytest.mark.anyio


BAD_PATHS = [
    ("%2e%2e/u2/secret", "file.outside"),
    ("..%2Fu2%2Fsecret", "file.outside"),
    ("a/%2e%2e/%2e%2e/u2", "file.outside"),
    ("a%00b", "file.bad_name"),
    ("x" * 300, "file.name_too_long"),
    (quote("文" * 300), "file.name_too_long"),
    ("link/secret", "file.symlink"),
    ("secret", "file.symlink"),
    ("pipe", "file.not_regular"),
]


@pytest.mark.parametrize(("path", "code"), BAD_PATHS)
async def test_bad_paths_are_refused_with_a_code_in_every_method(app, tmp_path, path, code):
    other = tmp_path / "u2"
    other.mkdir()
    (other / "secret").write_text("SECRET")
    (app.home / "link").symlink_to(other)
    (app.home / "secret").symlink_to(other / "secret")
    os.mkfifo(app.home / "pipe")
    for method, body in (
        ("GET", None),
        ("PUT", file_model("evil")),
        ("PUT", notebook_model()),
        ("PUT", file_model("evil") | {"chunk": 1}),
        ("POST", {"copy_from": "secret"}),
        ("PATCH", {"path": "got"}),
    ):
        if method == "PATCH" and path in {"secret", "pipe"}:
            continue  # a link or pipe itself may be renamed: nothing is opened
        answer = await app.client(method, f"/api/contents/{path}", body=body)
        assert 400 <= answer.status < 500, (method, answer)
        assert b"SECRET" not in answer.body
        assert b"Traceback" not in answer.body
        if method in {"GET", "PUT"} and answer.status != 404:
            assert answer.reason == code, (method, body, answer)
    assert [p.name for p in other.iterdir()] == ["secret"]
    assert (other / "secret").read_text() == "SECRET"


async def test_a_raw_path_with_dots_never_leaves_the_home(ours, tmp_path):
    """A client that does not tidy its URL: bytes are sent as they are."""
    (tmp_path / "u2").mkdir()
    (tmp_path / "u2" / "secret").write_text("SECRET")
    for target in ("../u2/secret", "/etc/passwd", "//etc/passwd", "./../../u2/secret", "a/../../u2/secret"):
        for place in ("api/contents", "files"):
            reader, writer = await asyncio.open_connection("127.0.0.1", ours.port)
            request = f"GET /user/u1/{place}/{target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
            writer.write((request + "Authorization: token t0ken\r\n\r\n").encode())
            answer = await reader.read()
            writer.close()
            assert answer.split()[1] in {b"400", b"404"}, answer
            assert b"SECRET" not in answer
            assert b"root:" not in answer


async def test_hidden_files_are_not_served_nor_made(app):
    (app.home / ".secret").write_text("x")
    (app.home / ".git").mkdir()
    (app.home / ".git" / "config").write_text("x")
    for path in (".secret", ".git/config", ".git"):
        assert (await app.client.contents("GET", path)).status == 404
        for method, body in (("PUT", file_model("x")), ("DELETE", None), ("PATCH", {"path": "seen"})):
            assert (await app.client.contents(method, path, body=body)).status == 400
    assert (await app.client.contents("PUT", "a.txt", body=file_model("x"))).status == 201
    assert (await app.client.contents("PATCH", "a.txt", body={"path": ".a"})).status == 400
    assert (app.home / ".secret").read_text() == "x"


@pytest.mark.parametrize(
    "body",
    [
        b"not json",
        b"[1]",
        b"{}",
        {"type": "notebook"},
        {"type": "notebook", "content": 7},
        {"type": "notebook", "content": {"nbformat": 4}},
        {"type": "file", "format": "text", "content": 7},
        {"type": "file", "format": "base64", "content": "not base 64!"},
        {"type": "file", "format": "text", "content": "x", "chunk": 0},
        {"type": "file", "format": "text", "content": "x", "chunk": "1"},
        {"type": "file", "format": "text", "content": "\ud800"},
    ],
)
async def test_a_body_that_makes_no_sense_changes_nothing(ours, body):
    (ours.home / "a").write_text("kept")
    answer = await ours.client.contents("PUT", "a", body=body)
    assert 400 <= answer.status < 500
    assert answer.json["code"]
    assert (ours.home / "a").read_text() == "kept"


async def test_errors_are_in_the_readers_language_with_code_and_parameters(ours):
    answer = await ours.client.contents("GET", "没有", Accept_Language="zh-CN,zh;q=0.9,en;q=0.8")
    assert answer.json == {
        "message": "没有找到「没有」，它可能已被移动、改名或删除。其他文件不受影响；请刷新文件列表。",
        "reason": "file.not_found",
        "code": "file.not_found",
        "params": {"path": "没有"},
    }
    english = await ours.client.contents("GET", "没有", query="?lang=en", Accept_Language="zh-CN")
    assert english.json["message"].startswith("“没有” is not there")
    percent = await ours.client.contents("GET", "100%s", query="?lang=en")
    assert percent.json["message"].startswith("“100%s” is not there")


async def test_a_quota_is_told_and_the_old_file_stays(tmp_path, pool, parsing):
    services = services_for(tmp_path / "u1", parsing=parsing, pool=pool, room=lambda: 1000)
    async with running(services) as app:
        (app.home / "a").write_text("old")
        answer = await app.client.contents("PUT", "a", body=file_model("x" * 2000))
        assert (answer.status, answer.json["code"]) == (507, "disk.quota")
        assert (app.home / "a").read_text() == "old"


@pytest.fixture
def small_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], check=True)
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


async def test_a_full_disk_is_told_and_the_old_notebook_stays(small_disk, pool, parsing):
    async with running(services_for(small_disk / "u1", parsing=parsing, pool=pool)) as app:
        (app.home / "n.ipynb").write_text(json.dumps(new_notebook()))
        large = new_notebook(cells=[new_code_cell("x" * 2_000_000, id="a")])
        answer = await app.client.contents("PUT", "n.ipynb", body=notebook_model(large))
        assert (answer.status, answer.json["code"]) == (507, "disk.full")
        assert (app.home / "n.ipynb").read_text() == json.dumps(new_notebook())
        assert not [p for p in app.home.iterdir() if is_temporary(p.name)]


async def test_without_a_token_nothing_is_answered(ours):
    (ours.home / "a").write_text("x")
    for method, path in (("GET", "/api/contents/a"), ("PUT", "/api/contents/a"), ("GET", "/files/a")):
        body = None if method == "GET" else file_model("evil")
        answer = await ours.client(method, path, body=body, Authorization="token wrong")
        assert answer.status in {302, 403}
    assert (ours.home / "a").read_text() == "x"
