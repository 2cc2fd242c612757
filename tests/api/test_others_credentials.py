"""Every operation of docs/openapi.json on one person's things with each of another person's keys.

The Jupyter routes have the same in test_jupyter_routes.py. A new operation fails here until it says what it answers.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from tests.api.portal import Browser, Portal

ROOT = Path(__file__).resolve().parents[2]
KEYS = ("portal cookie", "notebook cookie", "token")
PORTAL_ONLY, NO_TOKEN = (403, "origin.portal_only"), (403, "token.not_here")
MISSING, FORBIDDEN = (404, "not_found"), (403, "forbidden")
# Answers with nothing, or with what is the asker's own.
OWN = (200, None)

# What the three keys get for somebody else's ids.
WORK = (MISSING, MISSING, MISSING)
ACCOUNT = (MISSING, PORTAL_ONLY, NO_TOKEN)
ADMIN = (FORBIDDEN, PORTAL_ONLY, NO_TOKEN)
PUBLIC, LISTED = (OWN, OWN, OWN), (OWN, OWN, OWN)
MINE = (OWN, PORTAL_ONLY, NO_TOKEN)
EXPECTED: dict[str, tuple[tuple[int, str | None], ...]] = {
    "getSite": PUBLIC,
    "getMe": PUBLIC,
    "listLessons": PUBLIC,
    "getLesson": PUBLIC,
    "listEnvironments": PUBLIC,
    "listProjects": LISTED,
    "listKernels": LISTED,
    "getDisk": LISTED,
    "createProject": ((201, None), (201, None), (201, None)),
    "getProject": WORK,
    "renameProject": WORK,
    "deleteProject": WORK,
    "uploadFile": WORK,
    "startKernel": WORK,
    "getKernel": WORK,
    "interruptKernel": WORK,
    "restartKernel": WORK,
    "stopKernel": WORK,
    "enter": ACCOUNT,
    "endSession": ACCOUNT,
    "revokeToken": ACCOUNT,
    "listSessions": MINE,
    "listTokens": MINE,
    "changeMe": MINE,
    "beginGuest": MINE,
    "openLesson": MINE,
    "createToken": ((201, None), PORTAL_ONLY, NO_TOKEN),
    "register": ((409, "account.already"), PORTAL_ONLY, NO_TOKEN),
    "logIn": ((401, "login.failed"), PORTAL_ONLY, NO_TOKEN),
    "changePassword": ((401, "login.failed"), PORTAL_ONLY, NO_TOKEN),
    "confirmPassword": ((401, "login.failed"), PORTAL_ONLY, NO_TOKEN),
    "checkLink": ((410, "ticket.invalid"), PORTAL_ONLY, NO_TOKEN),
    "redeemLink": ((410, "ticket.invalid"), PORTAL_ONLY, NO_TOKEN),
    "listUsers": ADMIN,
    "changeUser": ADMIN,
    # Last: it ends the key that the others are tried with.
    "logOut": ((204, None), PORTAL_ONLY, NO_TOKEN),
}


@dataclass
class Owner:
    """Somebody with one of everything."""

    browser: Browser
    ids: dict[str, str]
    path: str
    name: str

    def everything(self) -> dict[str, Any]:
        paths = ("/me", "/projects", f"/projects/{self.ids['project']}", "/kernels", "/tokens", "/sessions")
        answers = {path: self.browser.get("/api/v1" + path) for path in paths}
        assert {answer.status_code for answer in answers.values()} == {200}
        return {path: answer.json() for path, answer in answers.items()}

    def body(self, operation: str) -> dict[str, Any]:
        """What would do harm if it were the owner's own request."""
        project = {"project": self.ids["project"], "path": self.path}
        password = "not the password"
        bodies: dict[str, dict[str, Any]] = {
            "renameProject": {"name": "taken over"},
            "startKernel": project,
            "enter": project,
            "createProject": {"name": "own"},
            "changeMe": {"language": "en"},
            "createToken": {"label": "own"},
            "openLesson": {"lesson": "first-minute"},
            "register": {"name": "somebody new", "password": "correct horse"},
            "logIn": {"name": self.name, "password": password},
            "changePassword": {"old": password, "new": "correct horse 2"},
            "confirmPassword": {"password": password},
            "checkLink": {"secret": "x" * 43},
            "redeemLink": {"secret": "x" * 43, "name": "boss", "password": "correct horse"},
            "changeUser": {"disabled": True},
        }
        return bodies.get(operation, {})


def documented() -> dict[str, tuple[str, str]]:
    paths = json.loads((ROOT / "docs" / "openapi.json").read_text())["paths"]
    return {
        operation["operationId"]: (method.upper(), path)
        for path, methods in paths.items()
        for method, operation in methods.items()
    }


def owner(portal: Portal) -> Owner:
    browser = portal.browser()
    person = browser.register("the owner")
    opened = browser.post("/open", {"lesson": "first-minute"}).json()
    browser.enter(opened)
    token = browser.post("/tokens", {"label": "mine"}).json()["token"]["id"]
    session = browser.get("/api/v1/sessions").json()["sessions"][0]["id"]
    ids = {
        "project": opened["project"]["id"],
        "kernel": opened["kernel"]["id"],
        "token": token,
        "session": session,
        "user": str(person["id"]),
        "lesson": "first-minute",
        "path": "taken.txt",
    }
    return Owner(browser, ids, opened["project"]["path"], "the owner")


def test_every_operation_of_the_document_is_tried_below() -> None:
    assert set(documented()) == set(EXPECTED)


def test_no_operation_reaches_another_persons_things_with_any_key(portal: Portal) -> None:
    mine, other = owner(portal), portal.browser()
    other.register("the other")
    other.enter(other.post("/open", {"lesson": "first-minute"}).json())
    token = other.post("/tokens", {"label": "t"}).json()["secret"]
    before, files = mine.everything(), portal.files()
    secrets = {value for key, value in mine.ids.items() if key not in {"lesson", "path"}} | {mine.name}
    operations = documented()
    # The portal's own cookie last: logging out ends all three.
    for key in (2, 1, 0):
        for operation, expected in EXPECTED.items():
            method, path = operations[operation]
            answer = _ask(
                other, token, key, method=method, path=path.format(**mine.ids), body=mine.body(operation)
            )
            code = answer.json().get("code") if answer.status_code >= 400 else None
            assert (answer.status_code, code) == expected[key], (operation, KEYS[key], answer.text)
            if answer.status_code < 400:
                assert not [secret for secret in secrets if secret in answer.text], (operation, KEYS[key])
    after = mine.everything()
    assert after == before
    own = str(portal.settings.homes.relative_to(portal.settings.state) / mine.ids["user"])
    assert [f for f in portal.files() if f.startswith(own)] == [f for f in files if f.startswith(own)]


def _ask(
    other: Browser, token: str, key: int, *, method: str, path: str, body: dict[str, Any]
) -> httpx.Response:
    content = {"json": body} if method in {"POST", "PATCH"} else {"content": b"x"} if method == "PUT" else {}
    if KEYS[key] == "token":
        headers = {"Authorization": f"token {token}"}
        url = other.portal.url + path
        return httpx.request(method, url, headers=headers, trust_env=False, **content)
    notebook = KEYS[key] == "notebook cookie"
    base = other.portal.notebook_url if notebook else other.portal.url
    if other.cookie("jiqi_xsrf", notebook=notebook) is None:
        other.get("/api/v1/site", notebook=notebook)
    mark = other.cookie("jiqi_xsrf", notebook=notebook) or ""
    headers = {"Origin": base, "X-Jiqi-XSRF": mark}
    return other.client.request(method, base + path, headers=headers, **content)


def test_json_of_any_depth_is_refused_with_a_code(portal: Portal) -> None:
    browser = portal.browser()
    browser.guest()
    deep = b'{"unknown":' + b"[" * 30000 + b"]" * 30000 + b"}"
    nested = b'{"name":' + b'{"a":' * 8000 + b"1" + b"}" * 8000 + b"}"
    headers = {"X-Jiqi-XSRF": browser.cookie("jiqi_xsrf") or "", "Content-Type": "application/json"}
    for path in ("/login", "/open", "/projects"):
        for body in (deep, nested):
            answer = browser.client.post(portal.url + "/api/v1" + path, content=body, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (400, "input.invalid"), path


def test_names_that_no_file_has_are_not_found_where_files_are_served(portal: Portal) -> None:
    for base in (
        "/user/_/static/lab/",
        "/user/_/lab/extensions/",
        "/user/_/static/favicons/",
        "/static/app/",
    ):
        origin = portal.notebook_url if base.startswith("/user") else portal.url
        for name in (
            "a%00b",
            "x" * 300,
            "x" * 3000,
            "x/" * 2000,
            "%2e%2e/%2e%2e/secret",
            "..%2fsecret",
            "%ff",
        ):
            answer = httpx.get(origin + base + name, trust_env=False)
            assert answer.status_code in {400, 403, 404}, (base, name[:20], answer.status_code)


def test_words_of_a_person_never_stand_for_the_notebook_of_the_page(portal: Portal) -> None:
    browser = portal.browser()
    browser.register("@@jiqi-notebook@@")
    opened = browser.post("/open", {"lesson": "first-minute"}).json()
    browser.enter(opened)
    page = browser.get(opened["enter"]["next"], notebook=True).text
    boot = json.loads(page.partition('id="jiqi-boot"')[2].partition(">")[2].partition("</script>")[0])
    assert boot["user"]["name"] == "@@jiqi-notebook@@"
    assert boot["notebook"]["type"] == "notebook"
