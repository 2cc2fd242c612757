"""Notebooks as files: damaged, old, strange, and whose outputs may run."""

import base64
import json

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from tests.api.contents.contents_server import notebook_model, running, services_for

pytestmark = pytest.mark.anyio


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
