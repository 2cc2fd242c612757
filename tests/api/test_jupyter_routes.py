"""What exists below `/user/<id>/`, and that nothing of it answers anybody but its owner."""

import json
import re
from pathlib import Path

import httpx
import pytest
from jupyter_server.serverapp import ServerWebApplication
from tests.api.jupyter_ground import Person, channels, on_loop, serving
from tornado.httpclient import HTTPClientError

from jiqi.domain.ids import random_id
from jiqi.web.jupyter.lab_handlers import package_routes
from jiqi.web.jupyter.routes import BASE, ROUTES

# The whole list. A route that is not here must be argued for: what can it read, change, run or reveal?
ALLOWED = {
    "/?": {"GET"},
    "/api/?": {"GET"},
    "/api/status": {"GET"},
    "/api/me": {"GET", "PATCH"},
    "/api/config/<section_name>": {"GET"},
    "/api/events/subscribe": {"GET"},
    "/api/nbconvert": {"GET"},
    "/api/kernelspecs": {"GET"},
    "/api/kernelspecs/<kernel_name>": {"GET"},
    "/api/kernels": {"GET", "POST"},
    "/api/kernels/<kernel_id>": {"GET", "DELETE"},
    "/api/kernels/<kernel_id>/<action>": {"POST"},
    "/api/kernels/<kernel_id>/channels": {"GET"},
    "/api/sessions": {"GET", "POST"},
    "/api/sessions/<session_id>": {"GET", "PATCH", "DELETE"},
    "/api/contents<path>": {"GET", "PATCH", "POST", "PUT", "DELETE"},
    "/api/contents<path>/checkpoints": {"GET", "POST"},
    "/api/contents<path>/checkpoints/<checkpoint_id>": {"POST", "DELETE"},
    "/api/contents<path>/trust": {"POST"},
    "/files/<path>": {"GET", "HEAD"},
    "/<mode><workspace><tree>": {"GET"},
    "/lab/api/settings/?<schema_name>": {"GET", "PUT"},
    "/lab/api/workspaces/?<space_name>": {"GET", "PUT", "DELETE"},
    "/lab/api/translations/?<locale>": {"GET"},
}
PACKAGES = {"/static/lab/", "/lab/extensions/", "/lab/api/themes/", "/static/favicons/"}
SAMPLES = {
    "section_name": "notebook",
    "kernel_name": "torch-cpu",
    "kernel_id": "00000000-0000-4000-8000-000000000000",
    "session_id": "00000000-0000-4000-8000-000000000000",
    "action": "restart",
    "path": "/proj/a.ipynb",
    "checkpoint_id": "checkpoint",
    "mode": "lab",
    "workspace": "",
    "tree": "",
    "schema_name": "",
    "space_name": "default",
    "locale": "zh_CN",
}
STOCK_ONLY = [
    ("POST", "/api/shutdown"),
    ("GET", "/api/terminals"),
    ("POST", "/api/terminals"),
    ("GET", "/terminals/websocket/1"),
    ("POST", "/lab/api/extensions"),
    ("GET", "/lab/api/extensions"),
    ("POST", "/lab/api/plugins"),
    ("POST", "/lab/api/build"),
    ("GET", "/lab/api/news"),
    ("GET", "/lab/api/update"),
    ("GET", "/lab/api/licenses/"),
    ("GET", "/lab/api/listings/x.json"),
    ("GET", "/nbconvert/html/proj/a.ipynb"),
    ("POST", "/nbconvert/html"),
    ("PUT", "/api/config/notebook"),
    ("PATCH", "/api/config/notebook"),
    ("POST", "/api/events"),
    ("GET", "/lsp/status"),
    ("GET", "/metrics"),
    ("GET", "/login"),
    ("GET", "/logout"),
    ("GET", "/view/proj/a.html"),
    ("GET", "/api/spec.yaml"),
    ("GET", "/api/resolvePath?path=/etc"),
    ("GET", "/kernelspecs/torch-cpu/logo-64x64.png"),
    ("POST", "/api/security/csp-report"),
]


def shape(pattern: str) -> str:
    """A pattern with its groups' names only."""
    text, depth = "", 0
    for start in re.split(r"(\(\?P<\w+>|\(\?:|\(|\))", pattern):
        name = re.fullmatch(r"\(\?P<(\w+)>", start)
        if start.startswith("("):
            depth += 1
            text += f"<{name[1]}>" if name and depth == 1 else ""
        elif start == ")":
            depth -= 1
        elif depth == 0:
            text += start
    return text.replace("<workspace>?", "<workspace>").replace("<tree>?", "<tree>")


def methods(handler: type) -> set[str]:
    """The methods that a handler answers (OPTIONS is the same for all and says nothing)."""
    from tornado.web import RequestHandler

    named = {m: getattr(handler, m.lower()) for m in handler.SUPPORTED_METHODS if m != "OPTIONS"}
    return {name for name, method in named.items() if method is not RequestHandler._unimplemented_method}


def addresses() -> list[tuple[str, str]]:
    found = []
    for route in ROUTES:
        path = shape(route.pattern).replace("/?", "/" if "<" in route.pattern else "")
        for name, value in SAMPLES.items():
            sample = value.lstrip("/") if f"/<{name}>" in path else value
            path = path.replace(f"<{name}>", sample)
        found += [(method, path) for method in sorted(methods(route.handler))]
    return found


def test_the_table_of_routes_is_the_list_above() -> None:
    assert {shape(route.pattern): methods(route.handler) for route in ROUTES} == ALLOWED


def test_every_method_of_every_route_needs_a_login() -> None:
    check = ServerWebApplication._check_handler_auth
    for route in ROUTES:
        handler = route.handler
        for method in methods(handler):
            assert not getattr(getattr(handler, method.lower()), "__allow_unauthenticated", False)
        assert [line for line in check(None, route.pattern, handler) if "OPTIONS" not in line] == []


def test_files_of_packages_are_the_only_ones_without_a_login() -> None:
    assert {p.removeprefix(BASE).removesuffix("(.*)") for p, _, _ in package_routes()} == PACKAGES


@on_loop
async def test_an_application_serves_the_table_and_nothing_else(tmp_path: Path) -> None:
    async with serving(tmp_path) as ground:
        me = ground.person()
        await me.ok("GET", "/api/status")
        (app,) = ground.apps._apps.values()
        rules = [rule for rule in app.default_router.rules for rule in getattr(rule.target, "rules", [])]
        assert rules == []
        assert app.wildcard_router.rules == []
        for method, path in STOCK_ONLY:
            answer = await me.call(method, path, body={} if method != "GET" else None)
            assert answer.status_code in {404, 405}, (method, path, answer.status_code)


@on_loop
async def test_no_route_answers_another_user_or_nobody(tmp_path: Path) -> None:
    async with serving(tmp_path) as ground:
        mine, other = ground.person(), ground.person()
        (ground.settings.homes / mine.user.id).mkdir(parents=True)
        tried = addresses()
        assert len(tried) == sum(len(found) for found in ALLOWED.values())
        async with httpx.AsyncClient(base_url=ground.origin, timeout=30) as nobody:
            for method, path in tried:
                await _refused(mine, other, nobody, method=method, path=path)
        assert len(ground.apps) == 0, "nobody's request builds an application"


async def _refused(mine: Person, other: Person, nobody: httpx.AsyncClient, *, method: str, path: str) -> None:
    url = mine.base + path
    body = "{}" if method in {"POST", "PUT", "PATCH"} else None
    with_cookie = await other.http.request(method, url, content=body, headers={"X-XSRFToken": other.xsrf})
    with_token = await nobody.request(
        method, url, content=body, headers={"Authorization": f"token {other.token}"}
    )
    in_address = await nobody.request(method, f"{url}?token={other.token}", content=body)
    unknown = await other.http.request(method, f"/user/{random_id()}{path}", content=body)
    for answer in (with_cookie, with_token, in_address, unknown):
        assert answer.status_code == 404, (method, path, answer.status_code)
        assert "set-cookie" not in answer.headers
    if method != "HEAD":
        assert with_cookie.json()["code"] == unknown.json()["code"] == "not_found"
    for headers in ({}, {"Authorization": "token wrong"}, {"Cookie": f"jiqi_nb={'x' * 43}"}):
        answer = await nobody.request(method, url, content=body, headers=headers)
        assert answer.status_code == 403, (method, path)
        there_is_none = await nobody.request(
            method, f"/user/{random_id()}{path}", content=body, headers=headers
        )
        assert (there_is_none.status_code, there_is_none.content) == (403, answer.content)


@on_loop
async def test_another_users_kernels_and_sessions_do_not_exist_for_me(tmp_path: Path) -> None:
    from tests.api.jupyter_ground import hosting

    async with hosting(tmp_path) as (ground, _):
        mine, other = ground.person(), ground.person()
        session = await mine.session_of("proj/a.ipynb")
        kernel = session["kernel"]["id"]
        assert await other.ok("GET", "/api/kernels") == [] == await other.ok("GET", "/api/sessions")
        assert (await other.ok("GET", "/api/status"))["kernels"] == 0
        for method, path in (
            ("GET", f"/api/kernels/{kernel}"),
            ("DELETE", f"/api/kernels/{kernel}"),
            ("POST", f"/api/kernels/{kernel}/interrupt"),
            ("POST", f"/api/kernels/{kernel}/restart"),
            ("GET", f"/api/kernels/{kernel}/channels"),
            ("GET", f"/api/sessions/{session['id']}"),
            ("PATCH", f"/api/sessions/{session['id']}"),
            ("DELETE", f"/api/sessions/{session['id']}"),
        ):
            answer = await other.call(method, path, body={"path": "x"} if method == "PATCH" else None)
            assert answer.status_code == 404, (method, path, answer.text)
        with pytest.raises(HTTPClientError, match="404"):
            await other.socket(kernel)
        url = f"ws{ground.origin[4:]}{mine.base}/api/kernels/{kernel}/channels"
        with pytest.raises(HTTPClientError, match="404"):
            await channels(url, session="s", v1=True, headers={"Cookie": f"jiqi_nb={other.cookie}"})
        body = {"path": "p", "type": "console", "kernel": {"id": kernel}}
        assert (await other.call("POST", "/api/sessions", body=body)).status_code == 404
        named = await other.ok("POST", "/api/kernels", body={"kernel_id": kernel})
        assert named["id"] != kernel
        assert await (await mine.socket(kernel)).text("print(1)") == "1\n"


@on_loop
async def test_a_write_needs_this_logins_token_and_this_origin(tmp_path: Path) -> None:
    async with serving(tmp_path) as ground:
        me, other = ground.person(), ground.person()
        body = json.dumps({"type": "directory"})

        async def post(**headers: str) -> int:
            names = {k.replace("_", "-"): v for k, v in headers.items()}
            return (await me.http.post(f"{me.base}/api/contents", content=body, headers=names)).status_code

        assert await post() == 403
        assert await post(X_XSRFToken=other.xsrf) == 403
        assert await post(X_XSRFToken=me.xsrf, Origin="http://localhost:1") in {403, 404}
        assert await post(X_XSRFToken=me.xsrf, Origin="null") in {403, 404}
        assert await post(X_XSRFToken=me.xsrf, Origin=ground.settings.portal_url) in {403, 404}
        assert await post(X_XSRFToken=me.xsrf, Origin=ground.origin) == 201
        me.http.cookies.set("_xsrf", "2|00000000|" + "ab" * 16 + "|1", path=me.base)
        assert await post(X_XSRFToken="2|00000000|" + "ab" * 16 + "|1") == 403
        second_tab = ground.again(me.user)
        assert await post(X_XSRFToken=second_tab.xsrf) == 403, "another login's token"


@on_loop
async def test_the_page_sets_the_logins_cookie_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as ground:
        me = ground.person()
        page = await me.http.get(f"{me.base}/lab")
        cookie = next(c for c in page.headers.get_list("set-cookie") if c.startswith("_xsrf="))
        assert f"Path={me.base}/" in cookie
        assert "SameSite=Lax" in cookie
        value = me.http.cookies.get("_xsrf", path=f"{me.base}/").strip('"')
        done = await me.http.post(
            f"{me.base}/api/contents", content='{"type":"directory"}', headers={"X-XSRFToken": value}
        )
        assert done.status_code == 201
        again = await me.http.get(f"{me.base}/lab")
        assert not [c for c in again.headers.get_list("set-cookie") if c.startswith("_xsrf=")]
