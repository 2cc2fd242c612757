"""JupyterLab at `/user/<id>/lab`: the page, the language of its person, settings and workspaces of his own."""

import json
import re
from pathlib import Path

import httpx
from tests.api.jupyter_ground import on_loop, serving

PLUGIN = "@jupyterlab/apputils-extension:themes"
SPACE = {"data": {"a": 1}, "metadata": {"id": "default"}}


def config_of(html: str) -> dict:
    found = re.search(
        r'<script id="jupyter-config-data" type="application/json">(.*?)</script>', html, re.DOTALL
    )
    assert found is not None
    return json.loads(found[1])


@on_loop
async def test_the_page_speaks_the_persons_language_and_hides_the_servers_paths(tmp_path: Path) -> None:
    async with serving(tmp_path) as ground:
        me, english = ground.person(), ground.person(language="en")
        page = await me.http.get(f"{me.base}/lab/tree/proj/a.ipynb")
        assert page.status_code == 200
        assert '<html lang="zh-CN">' in page.text
        config = config_of(page.text)
        assert config["baseUrl"] == f"{me.base}/"
        assert config["treePath"] == "proj/a.ipynb"
        assert config["token"] == ""
        assert config["terminalsAvailable"] is False
        assert config["extensionManager"]["can_install"] is False
        assert str(tmp_path) not in page.text
        assert "site-packages" not in page.text
        assert "/share/jupyter" not in page.text
        assert {e["name"] for e in config["federated_extensions"]} >= {"@jupyter-widgets/jupyterlab-manager"}
        static = re.search(r'src="([^"]+main\.[^"]+)"', page.text)
        assert static is not None
        async with httpx.AsyncClient(base_url=ground.origin) as nobody:
            script = await nobody.get(static[1])
            assert script.status_code == 200
            assert "immutable" in script.headers["cache-control"]
            for extension in config["federated_extensions"]:
                url = f"{config['fullLabextensionsUrl']}/{extension['name']}/{extension['load']}"
                assert (await nobody.get(url)).status_code == 200, url
            theme = "/lab/api/themes/@jupyterlab/theme-light-extension/index.css"
            assert (await nobody.get(me.base + theme)).status_code == 200
            for trick in ("../package.json", "..%2f..%2fjupyter_config.json", "%2e%2e/%2e%2e/x"):
                assert (await nobody.get(f"/user/_/static/lab/{trick}")).status_code in {403, 404}
        assert '<html lang="en">' in (await english.http.get(f"{english.base}/lab")).text


@on_loop
async def test_chinese_is_the_first_language_and_a_choice_is_kept_per_person(tmp_path: Path) -> None:
    async with serving(tmp_path) as ground:
        me, other, english = ground.person(), ground.person(), ground.person(language="en")
        plugin = "@jupyterlab/translation-extension:plugin"

        async def title(person) -> str:
            return (await person.ok("GET", f"/lab/api/settings/{plugin}"))["schema"]["title"]

        chinese = await me.ok("GET", f"/lab/api/settings/{plugin}")
        assert chinese["schema"]["properties"]["locale"]["default"] == "zh_CN"
        assert re.search(r"[一-鿿]", chinese["schema"]["title"])
        assert not re.search(r"[一-鿿]", await title(english))
        pack = await me.ok("GET", "/lab/api/translations/default")
        assert pack["data"]["jupyterlab"]["File Operations"]
        assert pack["message"] == ""
        assert (await english.ok("GET", "/lab/api/translations/default"))["data"] == {}
        assert "zh_CN" in (await me.ok("GET", "/lab/api/translations"))["data"]
        await me.ok("PUT", f"/lab/api/settings/{plugin}", body={"raw": '{"locale": "en"}'})
        assert not re.search(r"[一-鿿]", await title(me))
        assert re.search(r"[一-鿿]", await title(other))


@on_loop
async def test_settings_and_workspaces_are_ones_own_and_outside_the_home(tmp_path: Path) -> None:
    async with serving(tmp_path) as ground:
        me, other = ground.person(), ground.person()
        raw = '{"theme": "JupyterLab Dark"} // 深色'
        await me.ok("PUT", f"/lab/api/settings/{PLUGIN}", body={"raw": raw})
        assert (await me.ok("GET", f"/lab/api/settings/{PLUGIN}"))["raw"] == raw
        listed = {entry["id"]: entry for entry in (await me.ok("GET", "/lab/api/settings"))["settings"]}
        assert listed[PLUGIN]["settings"] == {"theme": "JupyterLab Dark"}
        assert listed[PLUGIN]["schema"]["properties"]
        assert (await other.ok("GET", f"/lab/api/settings/{PLUGIN}"))["raw"] == "{}"
        assert len((await me.ok("GET", "/lab/api/settings?ids_only=true"))["settings"]) == len(listed)
        await me.ok("PUT", "/lab/api/workspaces/default", body=SPACE)
        assert (await me.ok("GET", "/lab/api/workspaces/default"))["data"] == {"a": 1}
        assert (await other.ok("GET", "/lab/api/workspaces/default"))["data"] == {}
        assert (await other.ok("GET", "/lab/api/workspaces"))["workspaces"]["ids"] == []
        assert list(ground.home(me).iterdir()) == []
        await me.ok("DELETE", "/lab/api/workspaces/default")
        assert (await me.call("DELETE", "/lab/api/workspaces/default")).status_code == 404
        for name, body in (
            (PLUGIN, {"raw": '{"theme": 7}'}),
            (PLUGIN, {"raw": "{"}),
            (PLUGIN, {"raw": " " * 70000}),
            (PLUGIN, {}),
        ):
            assert (await me.call("PUT", f"/lab/api/settings/{name}", body=body)).status_code == 400
        for name in ("../../x:y", "..%2f..%2fx:y", "x", "@jupyterlab/../..:x"):
            assert (await me.call("PUT", f"/lab/api/settings/{name}", body={"raw": "{}"})).status_code == 404
        assert (await me.call("PUT", "/lab/api/workspaces/x", body=SPACE)).status_code == 400
