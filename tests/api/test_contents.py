"""Jupyter's contents API over a home, through jupyter_server's own handlers and through ours."""

import asyncio
import base64
import hashlib
import json
import os
import subprocess
from urllib.parse import quote

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from tests.api.contents_server import running, services_for

from jiqi.domain.files import is_temporary
from jiqi.web.jupyter.contents_worker import ParsingPool
from jiqi.web.pool import Pool

pytestmark = pytest.mark.anyio
AWKWARD = "文件 名 <'&\">.ipynb"


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def pool():
    pool = Pool(threads=4)
    yield pool
    pool.close()


@pytest.fixture
def parsing(pool):
    parsing = ParsingPool(run_in_pool=pool.run)
    yield parsing
    parsing.close()


@pytest.fixture(params=["ours", "stock"])
async def app(request, tmp_path, pool, parsing):
    services = services_for(tmp_path / "u1", parsing=parsing, pool=pool)
    async with running(services, stock=request.param == "stock") as app:
        yield app


@pytest.fixture
async def ours(tmp_path, pool, parsing):
    async with running(services_for(tmp_path / "u1", parsing=parsing, pool=pool)) as app:
        yield app


def file_model(text: str) -> dict:
    return {"type": "file", "format": "text", "content": text}


def notebook_model(notebook=None) -> dict:
    return {"type": "notebook", "format": "json", "content": notebook or new_notebook()}


async def test_a_new_notebook_is_made_saved_read_renamed_copied_and_deleted(app):
    call = app.client.contents
    made = await call("POST", "", body={"type": "notebook"})
    assert (made.status, made.json["path"]) == (201, "Untitled.ipynb")
    assert (await call("POST", "", body={"type": "notebook"})).json["path"] == "Untitled1.ipynb"
    notebook = new_notebook(cells=[new_code_cell("print('你好')", id="a")])
    saved = await call("PUT", "Untitled.ipynb", body=notebook_model(notebook))
    assert (saved.status, saved.json["content"]) == (200, None)
    got = await call("GET", "Untitled.ipynb", query="?content=1&type=notebook&hash=1")
    assert got.json["content"]["cells"][0]["source"] == "print('你好')"
    assert got.json["hash"] == hashlib.sha256((app.home / "Untitled.ipynb").read_bytes()).hexdigest()
    assert got.json["writable"]
    renamed = await call("PATCH", "Untitled.ipynb", body={"path": AWKWARD})
    assert (renamed.status, renamed.json["name"]) == (200, AWKWARD)
    copied = await call("POST", "", body={"copy_from": AWKWARD})
    assert copied.json["path"] == AWKWARD.replace(".ipynb", "-Copy1.ipynb")
    again = await call("POST", "", body={"copy_from": copied.json["path"]})
    assert again.json["path"] == AWKWARD.replace(".ipynb", "-Copy2.ipynb")
    assert (await call("DELETE", AWKWARD)).status == 204
    assert (await call("GET", AWKWARD)).status == 404
    names = {entry["name"] for entry in (await call("GET", "")).json["content"]}
    assert names == {"Untitled1.ipynb", copied.json["name"], again.json["name"]}


async def test_files_and_folders_round_trip_in_text_and_base64(app):
    call = app.client.contents
    assert (await call("PUT", "数据", body={"type": "directory"})).status == 201
    assert (await call("PUT", "数据/a.csv", body=file_model("甲,乙\n1,2\n"))).status == 201
    got = await call("GET", "数据/a.csv")
    assert (got.json["type"], got.json["format"], got.json["content"]) == ("file", "text", "甲,乙\n1,2\n")
    assert got.json["mimetype"] == "text/csv"
    data = os.urandom(1000)
    model = {"type": "file", "format": "base64", "content": base64.b64encode(data).decode()}
    assert (await call("PUT", "数据/b.bin", body=model)).status == 201
    got = await call("GET", "数据/b.bin")
    assert (got.json["format"], base64.b64decode(got.json["content"])) == ("base64", data)
    assert (await call("GET", "数据/b.bin", query="?format=text")).status == 400
    assert (await call("GET", "数据/a.csv", query="?type=directory")).status == 400
    assert (await call("GET", "数据", query="?type=file")).status == 400
    made = await call("POST", "数据", body={"type": "file", "ext": ".py"})
    assert made.json["path"] == "数据/untitled.py"
    assert (await call("POST", "数据", body={"type": "directory"})).json["path"] == "数据/Untitled Folder"
    assert (await call("POST", "", body={"copy_from": "数据"})).json["path"] == "数据-Copy1"
    assert (await call("DELETE", "数据")).status == 204
    assert not (app.home / "数据").exists()


async def test_the_list_shows_what_a_person_works_with(app):
    for name in ("b.ipynb", "a.py", ".hidden", "x.pyc", "y~"):
        (app.home / name).write_text("")
    (app.home / "__pycache__").mkdir()
    os.mkfifo(app.home / "pipe")
    (app.home / "link").symlink_to("/etc")
    model = (await app.client.contents("GET", "")).json
    assert [(e["name"], e["type"]) for e in model["content"]] == [
        ("a.py", "file"),
        ("b.ipynb", "notebook"),
        ("link", "file"),
    ]
    assert model["path"] == ""


async def test_a_rename_never_replaces(app):
    (app.home / "a").write_text("a")
    (app.home / "b").write_text("b")
    assert (await app.client.contents("PATCH", "a", body={"path": "b"})).status == 409
    assert (app.home / "b").read_text() == "b"
    assert (await app.client.contents("PATCH", "a", body={"path": "none/b"})).status == 404


async def test_checkpoints_are_made_restored_renamed_and_deleted(app):
    call = app.client.contents
    (app.home / "d").mkdir()
    first = new_notebook(cells=[new_code_cell("1", id="a")])
    await call("PUT", "d/n.ipynb", body=notebook_model(first))
    assert [c["id"] for c in (await call("GET", "d/n.ipynb/checkpoints")).json] == ["checkpoint"]
    await call("PUT", "d/n.ipynb", body=notebook_model(new_notebook(cells=[new_code_cell("2", id="a")])))
    assert (await call("POST", "d/n.ipynb/checkpoints/checkpoint", body=b"")).status == 204
    got = await call("GET", "d/n.ipynb")
    assert got.json["content"]["cells"][0]["source"] == "1"
    made = await call("POST", "d/n.ipynb/checkpoints", body=b"")
    assert (made.status, made.json["id"]) == (201, "checkpoint")
    await call("PATCH", "d/n.ipynb", body={"path": "m.ipynb"})
    assert (await call("GET", "d/n.ipynb/checkpoints")).json == []
    assert len((await call("GET", "m.ipynb/checkpoints")).json) == 1
    assert (app.home / ".ipynb_checkpoints" / "m-checkpoint.ipynb").is_file()
    assert (await call("DELETE", "m.ipynb/checkpoints/checkpoint")).status == 204
    assert (await call("DELETE", "m.ipynb/checkpoints/checkpoint")).status == 404
    await call("POST", "m.ipynb/checkpoints", body=b"")
    await call("DELETE", "m.ipynb")
    assert list((app.home / ".ipynb_checkpoints").iterdir()) == []


async def test_a_checkpoint_folder_that_is_a_link_is_not_followed(app, tmp_path):
    other = tmp_path / "u2"
    other.mkdir()
    (app.home / ".ipynb_checkpoints").symlink_to(other)
    (app.home / "a.txt").write_text("mine")
    assert (await app.client.contents("POST", "a.txt/checkpoints", body=b"")).status == 400
    (other / "a-checkpoint.txt").write_text("SECRET")
    assert (await app.client.contents("POST", "a.txt/checkpoints/checkpoint", body=b"")).status == 400
    assert (app.home / "a.txt").read_text() == "mine"
    assert [p.name for p in other.iterdir()] == ["a-checkpoint.txt"]


async def test_the_longest_name_still_has_a_checkpoint(app):
    name = "文" * 82 + ".ipynb"
    assert (await app.client.contents("PUT", name, body=notebook_model())).status == 201
    assert len((await app.client.contents("GET", f"{name}/checkpoints")).json) == 1


async def test_chunks_are_saved_as_jupyterlab_sends_them(app):
    parts = [os.urandom(1000) for _ in range(3)]
    statuses = []
    for number, part in zip((1, 2, -1), parts, strict=True):
        model = {
            "type": "file",
            "format": "base64",
            "name": "big.bin",
            "chunk": number,
            "content": base64.b64encode(part).decode(),
        }
        answer = await app.client.contents("PUT", "big.bin", body=model)
        statuses.append(answer.status)
        assert answer.json["path"] == "big.bin"
        if number != -1:
            assert not (app.home / "big.bin").exists()
    assert statuses == [201, 201, 201]
    assert (app.home / "big.bin").read_bytes() == b"".join(parts)
    late = {"type": "file", "format": "text", "chunk": 3, "content": "x"}
    answer = await app.client.contents("PUT", "big.bin", body=late)
    assert (answer.status, answer.json["reason"]) == (409, "upload.out_of_order")
    assert not [p for p in app.home.iterdir() if is_temporary(p.name)]


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
    ("data", "code"),
    [
        (b"", "notebook.not_json"),
        (b"\xff\xfe", "notebook.not_json"),
        (b"not json at all %s %d", "notebook.not_json"),
        (b'{"cells": [}', "notebook.not_json"),
        (b"[1, 2]", "notebook.invalid"),
        (b'"text"', "notebook.invalid"),
        (b"{}", "notebook.invalid"),
        (b'{"nbformat": 99}', "notebook.invalid"),
        (b'{"nbformat": 4}', "notebook.invalid"),
        (b'{"nbformat": 3, "worksheets": 7}', "notebook.invalid"),
        (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [1]}', "notebook.invalid"),
        (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{}]}', "notebook.invalid"),
        (b"[" * 100_000, "notebook.invalid"),
    ],
)
async def test_what_is_not_a_notebook_is_told_and_still_downloads(app, data, code):
    (app.home / "n.ipynb").write_bytes(data)
    answer = await app.client.contents("GET", "n.ipynb")
    assert (answer.status, answer.json["reason"]) == (400, code)
    assert (await app.client.contents("GET", "n.ipynb", query="?type=file")).status == 200
    got = await app.client("GET", "/files/n.ipynb?download=1")
    assert (got.status, got.body) == (200, data)


async def test_a_damaged_notebook_that_can_be_shown_is_shown_with_a_message(app):
    cell = {"cell_type": "code", "metadata": {}, "source": ["a = 1\n", "b"], "outputs": [], "bogus": 1}
    text = json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [cell]})
    (app.home / "n.ipynb").write_text(text)
    answer = await app.client.contents("GET", "n.ipynb")
    assert answer.status == 200
    assert answer.json["content"]["cells"][0]["source"] == "a = 1\nb"
    assert "bogus" in answer.json["message"]


async def test_old_versions_are_upgraded(app):
    old = {
        "nbformat": 3,
        "nbformat_minor": 0,
        "metadata": {"name": ""},
        "worksheets": [
            {
                "cells": [
                    {
                        "cell_type": "code",
                        "input": ["1+1"],
                        "outputs": [],
                        "language": "python",
                        "metadata": {},
                    }
                ]
            }
        ],
    }
    (app.home / "n.ipynb").write_text(json.dumps(old))
    content = (await app.client.contents("GET", "n.ipynb")).json["content"]
    assert (content["nbformat"], content["cells"][0]["source"]) == (4, "1+1")


async def test_nan_and_half_a_surrogate_pair_do_not_break_the_page(app):
    text = '{"nbformat": 4, "nbformat_minor": 5, "metadata": {"x": NaN, "s": "\\ud83d"}, "cells": []}'
    (app.home / "n.ipynb").write_text(text)
    answer = await app.client.contents("GET", "n.ipynb")
    content = json.loads(answer.body, parse_constant=pytest.fail)["content"]
    assert content["metadata"] == {"x": None, "s": "\ud83d"}
    assert (await app.client.contents("PUT", "n.ipynb", body=notebook_model(content))).status == 200
    again = (await app.client.contents("GET", "n.ipynb")).json["content"]
    assert again["metadata"]["s"] == "\ud83d"


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


async def test_two_at_once_get_two_names(ours):
    answers = await asyncio.gather(
        *(ours.client.contents("POST", "", body={"type": "notebook"}) for _ in range(8))
    )
    assert len({a.json["path"] for a in answers}) == 8


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


def unsafe_notebook(number: int = 1) -> dict:
    output = new_output("display_data", {"text/html": f"<script>alert({number})</script>"})
    return new_notebook(cells=[new_code_cell("1", id="a", outputs=[output], metadata={"trusted": True})])


def is_trusted(answer) -> bool:
    return answer.json["content"]["cells"][0]["metadata"]["trusted"]


async def test_trust_is_the_users_own_and_does_not_come_with_a_file(app, tmp_path, pool, parsing):
    call = app.client.contents
    await call("PUT", "new.ipynb", body=notebook_model(unsafe_notebook()))
    assert not is_trusted(await call("GET", "new.ipynb"))
    await call("PUT", "new.ipynb", body=notebook_model(unsafe_notebook()))
    assert is_trusted(await call("GET", "new.ipynb"))
    data = (app.home / "new.ipynb").read_bytes()
    assert b"trusted" not in data
    raw = {
        "type": "file",
        "format": "base64",
        "content": base64.b64encode(json.dumps(unsafe_notebook(2)).encode()).decode(),
    }
    await call("PUT", "raw.ipynb", body=raw)
    assert not is_trusted(await call("GET", "raw.ipynb"))
    assert (await call("POST", "raw.ipynb/trust", body=b"")).status == 201
    assert is_trusted(await call("GET", "raw.ipynb"))
    async with running(services_for(tmp_path / "u2", parsing=parsing, pool=pool)) as other:
        (other.home / "copy.ipynb").write_bytes(data)
        assert not is_trusted(await other.client.contents("GET", "copy.ipynb"))


async def test_a_notebook_without_outputs_is_trusted_once_it_was_saved(app):
    notebook = new_notebook(cells=[new_code_cell("1", id="a")])
    await app.client.contents("PUT", "n.ipynb", body=notebook_model(notebook))
    assert is_trusted(await app.client.contents("GET", "n.ipynb"))
