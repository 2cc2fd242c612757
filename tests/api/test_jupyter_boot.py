"""What the studio page is born with, and trust that stays with its person."""

import json
import shutil
from pathlib import Path

from tests.api.jupyter_ground import hosting, on_loop, serving

from jiqi.services.authentication import Principal
from jiqi.web.jupyter.boot import boot

NOTEBOOK = {
    "cells": [
        {
            "cell_type": "code",
            "execution_count": 1,
            "id": "c1",
            "metadata": {"trusted": True},
            "source": "1",
            "outputs": [
                {"output_type": "display_data", "metadata": {}, "data": {"text/html": "<script>x()</script>"}}
            ],
        }
    ],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@on_loop
async def test_the_page_is_born_with_everything_and_creates_nothing(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (ground, _):
        me = ground.person()
        principal = Principal(user=me.user, session_id=me.session)
        await me.ok("POST", "/api/contents", body={"type": "directory"})
        folder = ground.home(me) / "proj"
        folder.mkdir()
        (folder / "a.ipynb").write_text(json.dumps(NOTEBOOK))
        app = await ground.apps.app(principal)
        before = await boot(app, principal, path="proj/a.ipynb")
        assert before.session is None
        assert before.kernel is None
        assert before.problem is None
        assert before.notebook is not None
        notebook = json.loads(before.notebook)
        assert notebook["content"]["cells"][0]["source"] == "1"
        assert notebook["hash"]
        assert list(before.kernelspecs["kernelspecs"]) == ["torch-cpu", "paddle-cpu"]
        assert await me.ok("GET", "/api/kernels") == []
        session = await me.session_of("proj/a.ipynb")
        after = await boot(app, principal, path="proj/a.ipynb")
        assert after.session is not None
        assert after.session["id"] == session["id"]
        assert after.kernel is not None
        assert after.kernel.id == session["kernel"]["id"]
        assert after.xsrf_cookie.startswith("_xsrf=")
        assert f"Path={me.base}/" in after.xsrf_cookie
        done = await me.http.post(
            f"{me.base}/api/contents", content='{"type":"directory"}', headers={"X-XSRFToken": after.xsrf}
        )
        assert done.status_code == 201
        missing = await boot(app, principal, path="proj/none.ipynb")
        assert missing.notebook is None
        assert missing.problem is not None
        assert missing.problem.code == "file.not_found"
        (folder / "bad.ipynb").write_text("no json")
        assert (await boot(app, principal, path="proj/bad.ipynb")).problem.code == "notebook.not_json"
        assert (await boot(app, principal, path="proj/data.csv")).problem is None


@on_loop
async def test_trust_does_not_survive_a_copy_to_another_user(tmp_path: Path) -> None:
    async with serving(tmp_path) as ground:
        me, other = ground.person(), ground.person()
        await me.ok("PUT", "/api/contents/a.ipynb", body={"type": "notebook", "content": NOTEBOOK})
        assert not await _trusted(me, "a.ipynb"), "an upload brings no trust of its own"
        assert (await me.call("POST", "/api/contents/a.ipynb/trust")).status_code == 201
        assert await _trusted(me, "a.ipynb")
        await other.ok("GET", "/api/contents")
        shutil.copy(ground.home(me) / "a.ipynb", ground.home(other) / "a.ipynb")
        assert not await _trusted(other, "a.ipynb")
        assert await _trusted(me, "a.ipynb")


async def _trusted(person, path: str) -> bool:
    model = await person.ok("GET", f"/api/contents/{path}?content=1")
    return bool(model["content"]["cells"][0]["metadata"].get("trusted"))
