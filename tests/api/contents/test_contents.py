"""Jupyter's contents API over a home, through jupyter_server's own handlers and through ours."""

import asyncio
import base64
import hashlib
import os

import pytest
from nbformat.v4 import new_code_cell, new_notebook
from tests.api.contents.contents_server import file_model, notebook_model

from jiqi.domain.files import is_temporary

pytestmark = pytest.mark.anyio
AWKWARD = "文件 名 <'&\">.ipynb"


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


async def test_two_at_once_get_two_names(ours):
    answers = await asyncio.gather(
        *(ours.client.contents("POST", "", body={"type": "notebook"}) for _ in range(8))
    )
    assert len({a.json["path"] for a in answers}) == 8
