"""Accounts over HTTP: keys, cookies, throttling, links, tokens, and what each origin may do."""

import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from tests.api.portal import Browser, Portal

from jiqi.services.authentication import secret_hash

PASSWORD = "correct horse"


def token_client(portal: Portal, secret: str) -> httpx.Client:
    return httpx.Client(base_url=portal.url, headers={"Authorization": f"token {secret}"}, trust_env=False)


def test_a_guest_who_registers_keeps_id_projects_and_open_pages(portal: Portal) -> None:
    browser = portal.browser()
    opened = browser.post("/open", {"lesson": "first-minute"}).json()
    browser.enter(opened)
    guest = browser.get("/api/v1/me").json()["user"]
    before = browser.cookie("jiqi_session")
    member = browser.register("李雷")
    assert (member["id"], member["role"], member["name"]) == (guest["id"], "member", "李雷")
    assert browser.cookie("jiqi_session") != before, "a session that gains rights needs a new secret"
    assert browser.get("/api/v1/projects").json()["projects"][0]["id"] == opened["project"]["id"]
    kernels = browser.get("/api/v1/kernels", notebook=True)
    assert kernels.json()["kernels"][0]["id"] == opened["kernel"]["id"]
    old = portal.browser()
    old.client.cookies.set("jiqi_session", before or "", domain="localhost.local")
    assert old.get("/api/v1/me").json()["user"] is None


def test_log_in_and_out_and_the_names_that_are_one(portal: Portal) -> None:
    browser = portal.browser()
    browser.register("Alice")
    assert browser.post("/logout").status_code == 204
    assert browser.get("/api/v1/me").json()["user"] is None
    assert (
        browser.post("/login", {"name": "ａＬＩＣＥ", "password": PASSWORD}).json()["user"]["name"] == "Alice"
    )
    taken = portal.browser().post("/register", {"name": "ALICE", "password": PASSWORD})
    assert (taken.status_code, taken.json()["code"]) == (409, "account.name_taken")
    again = browser.post("/register", {"name": "Other", "password": PASSWORD})
    assert (again.status_code, again.json()["code"]) == (409, "account.already")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"name": "bob", "password": "short"}, "password.weak"),
        ({"name": "bob", "password": "password"}, "password.weak"),
        ({"name": "  ", "password": PASSWORD}, "input.invalid"),
        ({"name": "x" * 41, "password": PASSWORD}, "input.invalid"),
        ({"name": "x" * 300, "password": PASSWORD}, "input.invalid"),
        ({"name": "a\0b", "password": PASSWORD}, "input.invalid"),
        ({"name": "ﷺ" * 40, "password": PASSWORD}, "input.invalid"),
        ({"name": "bob"}, "input.invalid"),
        ({"name": 7, "password": PASSWORD}, "input.invalid"),
        ([], "input.invalid"),
    ],
)
def test_what_cannot_be_an_account_is_refused_with_a_code(portal: Portal, body: object, code: str) -> None:
    answer = portal.browser().post("/register", body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


@pytest.mark.parametrize(
    "body", [b"{", b'{"name":"\\ud800","password":"correct horse"}', b"\xff", b"null", b"[" * 5000]
)
def test_a_body_that_is_not_json_is_refused_with_a_code(portal: Portal, body: bytes) -> None:
    browser = portal.browser()
    browser.get("/api/v1/site")
    headers = {"X-Jiqi-XSRF": browser.cookie("jiqi_xsrf") or "", "Content-Type": "application/json"}
    answer = browser.client.post(f"{portal.url}/api/v1/register", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "input.invalid")
    headers["Content-Type"] = "text/plain"
    answer = browser.client.post(f"{portal.url}/api/v1/register", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "input.invalid")


def test_wrong_passwords_close_the_account_to_tries_and_nobody_else(portal: Portal) -> None:
    portal.browser().register("victim")
    portal.browser().register("bystander")
    with ThreadPoolExecutor(8) as threads:
        tries = list(
            threads.map(
                lambda n: portal.browser().post("/login", {"name": "Victim", "password": f"wrong {n}"}),
                range(30),
            )
        )
    codes = [answer.json()["code"] for answer in tries]
    assert codes.count("login.failed") == 10
    assert codes.count("login.throttled") == 20
    throttled = next(answer for answer in tries if answer.status_code == 429).json()
    assert throttled["params"]["minutes"] == 15
    assert "15 分钟" in throttled["detail"]
    right = portal.browser().post("/login", {"name": "victim", "password": PASSWORD})
    assert right.json()["code"] == "login.throttled"
    # The same address, another account: a class behind one router goes on.
    other = portal.browser().post("/login", {"name": "bystander", "password": PASSWORD})
    assert other.status_code == 200


def test_success_forgets_the_wrong_tries_before_it(portal: Portal) -> None:
    portal.browser().register("clumsy")
    for _ in range(3):
        for _ in range(9):
            portal.browser().post("/login", {"name": "clumsy", "password": "wrong one"})
        assert portal.browser().post("/login", {"name": "clumsy", "password": PASSWORD}).status_code == 200


def test_an_unknown_name_answers_as_a_wrong_password_does(portal: Portal) -> None:
    known = portal.browser()
    known.register("known")
    wrong = portal.browser().post("/login", {"name": "known", "password": "wrong one"}).json()
    unknown = portal.browser().post("/login", {"name": "unknown", "password": "wrong one"}).json()
    for problem in (wrong, unknown):
        problem.pop("request_id")
    assert wrong == unknown


def test_cookies_are_host_only_and_hidden_from_scripts(portal: Portal) -> None:
    browser = portal.browser()
    browser.get("/api/v1/site")
    headers = {"X-Jiqi-XSRF": browser.cookie("jiqi_xsrf") or ""}
    answer = browser.client.post(f"{portal.url}/api/v1/guest", headers=headers)
    cookie = next(c for c in answer.headers.get_list("Set-Cookie") if c.startswith("jiqi_session="))
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Path=/" in cookie
    assert "Domain" not in cookie
    mark = next(
        c for c in browser.get("/open/first-minute").headers.get_list("Set-Cookie") or ["jiqi_xsrf=x"]
    )
    assert "HttpOnly" not in mark


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Jiqi-XSRF": ""},
        {"X-Jiqi-XSRF": "guess"},
        {"X-Jiqi-XSRF": "right", "Origin": "http://evil.example"},
        {"X-Jiqi-XSRF": "right", "Origin": "null"},
    ],
)
def test_an_unsafe_call_without_the_pages_own_mark_changes_nothing(
    portal: Portal, headers: dict[str, str]
) -> None:
    browser = portal.browser()
    browser.guest()
    sent = dict(headers)
    if sent.get("X-Jiqi-XSRF") == "right":
        sent["X-Jiqi-XSRF"] = browser.cookie("jiqi_xsrf") or ""
    before = portal.rows()
    for path, body in (("/projects", {"name": "p"}), ("/open", {"lesson": "autograd"}), ("/logout", None)):
        answer = browser.client.post(f"{portal.url}/api/v1{path}", json=body, headers=sent)
        assert (answer.status_code, answer.json()["code"]) in {(403, "xsrf.refused"), (403, "origin.refused")}
    assert portal.rows() == before
    assert browser.get("/api/v1/me").json()["user"] is not None


@pytest.mark.parametrize(
    "path", ["/", "/api/v1/me", "/open/first-minute", "/user/abcdefgh2345/api/me", "/static/app/x.js"]
)
@pytest.mark.parametrize(
    "host", ["evil.example", "localhost", "127.0.0.1:1", "localhost.evil.example:8000", ""]
)
def test_another_host_name_is_misdirected(portal: Portal, path: str, host: str) -> None:
    answer = httpx.get(portal.url + path, headers={"Host": host}, trust_env=False)
    assert answer.status_code in ({421} if host else {400, 421})
    if host:
        assert answer.json()["code"] == "host.unknown"
        assert portal.url in answer.json()["detail"]
        assert "Set-Cookie" not in answer.headers


def test_health_answers_any_host(portal: Portal) -> None:
    assert (
        httpx.get(portal.url + "/healthz", headers={"Host": "10.0.0.7"}, trust_env=False).status_code == 200
    )


PORTAL_ONLY = [
    ("PATCH", "/me", {"name": "x"}),
    ("POST", "/password", {"old": "a", "new": "b"}),
    ("POST", "/confirm", {"password": "a"}),
    ("GET", "/sessions", None),
    ("DELETE", "/sessions/abcdefgh2345", None),
    ("GET", "/tokens", None),
    ("POST", "/tokens", {"label": "x"}),
    ("DELETE", "/tokens/abcdefgh2345", None),
    ("GET", "/admin/users", None),
    ("PATCH", "/admin/users/abcdefgh2345", {"disabled": True}),
    ("POST", "/login", {"name": "a", "password": "b"}),
    ("POST", "/register", {"name": "a", "password": "b"}),
    ("POST", "/guest", {}),
    ("POST", "/logout", {}),
    ("POST", "/open", {"lesson": "autograd"}),
    ("POST", "/link", {"secret": "x"}),
    ("POST", "/enter", {}),
]


def test_the_notebooks_cookie_opens_work_and_nothing_of_the_account(portal: Portal) -> None:
    browser = portal.browser()
    browser.register("two-origins")
    opened = browser.post("/open", {"lesson": "first-minute"}).json()
    browser.enter(opened)
    assert browser.cookie("jiqi_session", notebook=True) is None
    for path in (
        "/projects",
        "/kernels",
        f"/kernels/{opened['kernel']['id']}",
        "/lessons",
        "/disk",
        "/environments",
    ):
        assert browser.get(f"/api/v1{path}", notebook=True).status_code == 200, path
    assert browser.get("/api/v1/me", notebook=True).json()["user"]["name"] == "two-origins"
    for method, path, body in PORTAL_ONLY:
        answer = browser.call(method, path, body, notebook=True)
        assert (answer.status_code, answer.json()["code"]) == (403, "origin.portal_only"), path
    # User code in the page may send the notebook's cookie to the portal's origin by a forged Cookie header: no use.
    forged = httpx.get(
        f"{portal.url}/api/v1/tokens",
        headers={"Cookie": f"jiqi_nb={browser.cookie('jiqi_nb', notebook=True)}"},
        trust_env=False,
    )
    assert forged.json()["code"] == "login.required"
    swapped = httpx.get(
        f"{portal.url}/api/v1/tokens",
        headers={"Cookie": f"jiqi_session={browser.cookie('jiqi_nb', notebook=True)}"},
        trust_env=False,
    )
    assert swapped.json()["code"] == "login.required"


def test_logging_out_ends_the_notebooks_session_too(portal: Portal) -> None:
    browser = portal.browser()
    browser.enter(browser.post("/open", {"lesson": "first-minute"}).json())
    assert browser.get("/api/v1/kernels", notebook=True).status_code == 200
    browser.post("/logout")
    assert browser.get("/api/v1/kernels", notebook=True).json()["code"] == "login.required"


def test_a_browser_can_be_logged_out_from_another_one(portal: Portal) -> None:
    here, there = portal.browser(), portal.browser(**{"User-Agent": "school computer"})
    here.register("Zoe")
    there.post("/login", {"name": "zoe", "password": PASSWORD})
    sessions = here.get("/api/v1/sessions").json()["sessions"]
    assert [s["current"] for s in sessions].count(True) == 1
    other = next(s for s in sessions if not s["current"])
    assert portal.browser().call("DELETE", f"/sessions/{other['id']}").json()["code"] == "login.required"
    assert here.call("DELETE", f"/sessions/{other['id']}").status_code == 204
    assert there.get("/api/v1/me").json()["user"] is None
    assert here.call("DELETE", f"/sessions/{other['id']}").status_code == 404
    assert here.call("DELETE", "/sessions/%00").status_code == 404


def test_a_token_is_shown_once_stored_as_a_hash_and_opens_work_only(portal: Portal) -> None:
    browser = portal.browser()
    user = browser.register("programmer")
    made = browser.post("/tokens", {"label": "VS Code", "days": 30})
    assert made.status_code == 201
    secret = made.json()["secret"]
    assert secret.startswith("jq_")
    assert made.json()["jupyter_url"] == f"{portal.notebook_url}/user/{user['id']}/"
    assert secret not in browser.get("/api/v1/tokens").text
    with portal.web.base.database.engine.connect() as connection:
        stored = connection.exec_driver_sql("SELECT secret_hash FROM api_tokens").scalars().all()
    assert secret_hash(secret) in stored
    with token_client(portal, secret) as program:
        assert program.get("/api/v1/projects").status_code == 200
        # No cookie, so nothing that a foreign page could ride on: no XSRF header is needed.
        assert program.post("/api/v1/projects", json={"name": "由程序建立"}).status_code == 201
        for method, path, body in PORTAL_ONLY:
            answer = program.request(method, f"/api/v1{path}", json=body)
            assert (answer.status_code, answer.json()["code"]) == (403, "token.not_here"), path
        assert browser.call("DELETE", f"/tokens/{made.json()['token']['id']}").status_code == 204
        assert program.get("/api/v1/projects").json()["code"] == "login.required"
        assert program.get("/api/v1/lessons").status_code == 401, "a wrong token must not pass as a visitor"


def test_the_administrators_link_sets_up_once_and_later_logs_in(portal: Portal) -> None:
    links = portal.web.services.links
    first, spare = links.create(), links.create()
    browser = portal.browser()
    assert browser.post("/link/check", {"secret": first}).json() == {"kind": "setup", "name": None}
    bad = browser.post("/link", {"secret": first, "name": "root", "password": "short"})
    assert bad.json()["code"] == "password.weak"
    assert browser.post("/link", {"secret": first}).json()["code"] == "input.invalid"
    made = browser.post("/link", {"secret": first, "name": "管理员", "password": PASSWORD})
    assert made.json()["user"]["role"] == "admin"
    assert made.json()["password_fresh_until"] is not None
    assert browser.post("/link", {"secret": first}).json()["code"] == "ticket.invalid"
    second = portal.browser()
    assert second.post("/link/check", {"secret": spare}).json() == {"kind": "login", "name": "管理员"}
    inside = second.post("/link", {"secret": spare})
    assert inside.json()["user"]["id"] == made.json()["user"]["id"]
    assert inside.json()["password_fresh_until"] is None
    enter = browser.post("/open", {"lesson": "autograd"}).json()["enter"]
    mixed = portal.browser().post("/link", {"secret": enter["ticket"], "name": "x", "password": PASSWORD})
    assert mixed.json()["code"] == "ticket.invalid"
    _administrators_write(portal, second, made.json()["user"]["id"])


def _administrators_write(portal: Portal, admin: Browser, admin_id: str) -> None:
    person = portal.browser()
    user = person.register("to be closed")
    opened = person.post("/open", {"lesson": "first-minute"}).json()
    path = f"/admin/users/{user['id']}"
    assert person.get("/api/v1/admin/users").json()["code"] == "forbidden"
    assert person.call("PATCH", path, {"disabled": True}).json()["code"] == "forbidden"
    assert user["id"] in {u["id"] for u in admin.get("/api/v1/admin/users").json()["users"]}
    assert admin.call("PATCH", path, {"disabled": True}).json()["code"] == "password.stale"
    assert admin.post("/confirm", {"password": "wrong one"}).json()["code"] == "login.failed"
    assert admin.post("/confirm", {"password": PASSWORD}).status_code == 200
    assert admin.call("PATCH", path, {"disabled": True}).json()["disabled"] is True
    assert person.get("/api/v1/projects").json()["code"] == "login.required"
    kernel = portal.web.services.kernels.get(user["id"], opened["kernel"]["id"])  # type: ignore[arg-type]
    assert (kernel.target.value, kernel.reason) == ("stopped", "account")
    assert portal.browser().post("/login", {"name": "to be closed", "password": PASSWORD}).status_code == 401
    last = admin.call("PATCH", f"/admin/users/{admin_id}", {"disabled": True})
    assert (last.status_code, last.json()["code"]) == (409, "account.last_admin")
    assert admin.call("PATCH", path, {"disabled": False}).status_code == 200
    assert person.get("/api/v1/projects").status_code == 200
    assert admin.call("PATCH", "/admin/users/..%2f%00", {"disabled": True}).status_code == 404


def test_a_new_password_ends_other_browsers_and_tokens(portal: Portal) -> None:
    here, there = portal.browser(), portal.browser()
    here.register("careful")
    there.post("/login", {"name": "careful", "password": PASSWORD})
    secret = here.post("/tokens", {"label": "old"}).json()["secret"]
    here.enter(here.post("/open", {"lesson": "first-minute"}).json())
    assert (
        here.post("/password", {"old": "wrong one", "new": "another horse"}).json()["code"] == "login.failed"
    )
    assert here.post("/password", {"old": PASSWORD, "new": "short"}).json()["code"] == "password.weak"
    assert here.post("/password", {"old": PASSWORD, "new": "another horse"}).status_code == 200
    assert here.get("/api/v1/me").json()["user"]["name"] == "careful"
    assert here.get("/api/v1/kernels", notebook=True).status_code == 200
    assert there.get("/api/v1/me").json()["user"] is None
    with token_client(portal, secret) as program:
        assert program.get("/api/v1/projects").status_code == 401
    assert portal.browser().post("/login", {"name": "careful", "password": PASSWORD}).status_code == 401
    assert (
        portal.browser().post("/login", {"name": "careful", "password": "another horse"}).status_code == 200
    )


def test_a_guest_who_logs_in_is_asked_and_may_bring_the_work_along(portal: Portal) -> None:
    member = portal.browser()
    member.register("traveller")
    mine = member.post("/open", {"lesson": "first-minute"}).json()["project"]
    member.post("/logout")
    guest = portal.browser()
    theirs = guest.post("/open", {"lesson": "first-minute"}).json()["project"]
    guest.post("/open", {"lesson": "autograd"})
    login = {"name": "traveller", "password": PASSWORD}
    asked = guest.post("/login", login)
    assert (asked.status_code, asked.json()["code"], asked.json()["params"]) == (
        409,
        "login.guest_work",
        {"projects": 2},
    )
    assert guest.get("/api/v1/me").json()["user"]["role"] == "guest"
    assert guest.post("/login", {**login, "guest_work": "bring"}).status_code == 200
    projects = guest.get("/api/v1/projects").json()["projects"]
    lessons = sorted(str(p["lesson"]) for p in projects)
    assert lessons == ["None", "autograd", "first-minute"]
    assert mine["id"] in {p["id"] for p in projects}
    home = portal.settings.homes / guest.get("/api/v1/me").json()["user"]["id"]
    assert {f"{theirs['folder']}", f"{theirs['folder']}-2"} <= {p.name for p in home.iterdir()}
    assert all((home / p["path"]).is_file() for p in projects)


def test_a_rush_of_logins_leaves_other_requests_alone(portal: Portal) -> None:
    """A class comes at ten o'clock; argon2 has two threads of its own, so a page is served meanwhile."""
    portal.browser().register("class")
    with httpx.Client(trust_env=False, timeout=60) as plain, ThreadPoolExecutor(20) as threads:
        jobs = [
            threads.submit(portal.browser().post, "/login", {"name": "class", "password": PASSWORD})
            for _ in range(40)
        ]
        slowest = 0.0
        while not all(job.done() for job in jobs):
            begun = time.monotonic()
            assert plain.get(f"{portal.url}/healthz").status_code == 200
            slowest = max(slowest, time.monotonic() - begun)
        assert [job.result().status_code for job in jobs] == [200] * 40
    assert slowest < 2.0
