"""Projects, kernels, uploads and disk over HTTP."""

import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.api.portal import Browser, Portal, kernel_rows

from jiqi.domain.accounts import Role
from jiqi.domain.ids import UserId
from jiqi.domain.limits import LIMITS

_numbers = iter(range(10_000))


@pytest.fixture
def member(portal: Portal) -> Browser:
    browser = portal.browser()
    browser.register(f"member {next(_numbers)}")
    return browser


def home_of(portal: Portal, browser: Browser) -> Path:
    return portal.settings.homes / browser.get("/api/v1/me").json()["user"]["id"]


def test_a_project_is_made_listed_renamed_and_deleted(portal: Portal, member: Browser) -> None:
    made = member.post("/projects", {"name": "我的 第一个"})
    assert made.status_code == 201
    project = made.json()
    assert project["folder"] == "我的 第一个"
    assert (project["environment"], project["path"]) == ("torch-cpu", "我的 第一个/未命名.ipynb")
    file = home_of(portal, member) / project["path"]
    assert file.is_file()
    kernel = member.post("/kernels", {"project": project["id"], "path": project["path"]}).json()
    assert (kernel["status"], kernel["network"], kernel["path"]) == ("requested", "egress", project["path"])
    renamed = member.call("PATCH", f"/projects/{project['id']}", {"name": "新名字"}).json()
    assert (renamed["name"], renamed["folder"], renamed["kernels"]) == ("新名字", project["folder"], 1)
    detail = member.get(f"/api/v1/projects/{project['id']}").json()
    assert detail["contents"]["files"] == 1
    assert detail["contents"]["kernels"] == 1
    lost = member.call("DELETE", f"/projects/{project['id']}").json()
    assert lost == detail["contents"]
    assert not file.parent.exists()
    assert member.get(f"/api/v1/kernels/{kernel['id']}").json()["reason"] == "user"
    assert member.get("/api/v1/projects").json()["projects"] == []
    assert member.call("DELETE", f"/projects/{project['id']}").json()["code"] == "not_found"


def test_the_same_click_twice_makes_one_project_and_two_clicks_two(portal: Portal, member: Browser) -> None:
    with ThreadPoolExecutor(8) as threads:
        same = list(
            threads.map(lambda _: member.post("/projects", {"name": "p", "key": "click-1"}), range(8))
        )
    assert {answer.json()["id"] for answer in same} == {same[0].json()["id"]}
    with ThreadPoolExecutor(4) as threads:
        several = list(
            threads.map(lambda n: member.post("/projects", {"name": "p", "key": f"k{n}"}), range(4))
        )
    assert sorted(answer.json()["folder"] for answer in several) == ["p-2", "p-3", "p-4", "p-5"]
    other = portal.browser()
    other.guest()
    assert other.post("/projects", {"name": "p", "key": "click-1"}).json()["id"] != same[0].json()["id"]


@pytest.mark.parametrize(
    "name", ["", "  ", ".hidden", "..", "a/b", "a\\b", "a\0b", "x" * 300, "长" * 80, "a\nb"]
)
def test_a_name_that_no_folder_can_have_is_refused(portal: Portal, member: Browser, name: str) -> None:
    before = portal.rows()
    answer = member.post("/projects", {"name": name})
    assert (answer.status_code, answer.json()["code"]) == (400, "input.invalid")
    assert portal.rows() == before


@settings(max_examples=40, deadline=None)
@given(name=st.text(min_size=1, max_size=40))
def test_every_accepted_name_becomes_one_folder_of_the_home(portal: Portal, name: str) -> None:
    browser = portal.browser()
    browser.guest()
    try:
        name.encode()
    except UnicodeEncodeError:
        return
    answer = browser.post("/projects", {"name": name})
    home = home_of(portal, browser)
    if answer.status_code == 201:
        assert [path.name for path in home.iterdir()] == [answer.json()["folder"]]
        assert (home / answer.json()["path"]).is_file()
    else:
        assert answer.json()["code"] == "input.invalid"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("../x.ipynb", "file.outside"),
        ("/etc/passwd", "file.outside"),
        ("", "file.outside"),
        ("{folder}/../../x", "file.outside"),
        ("{folder}/%2e%2e/x", "file.not_found"),
        ("{folder}/a\0b", "file.bad_name"),
        ("{folder}/" + "x" * 300, "file.name_too_long"),
        ("{folder}/missing.ipynb", "file.not_found"),
        ("other/x.ipynb", "file.outside"),
        ("{folder}/文件 名 <'&\">.ipynb", "file.not_found"),
    ],
)
def test_a_kernel_starts_for_a_file_of_the_project_only(member: Browser, path: str, code: str) -> None:
    project = member.post("/projects", {"name": "p"}).json()
    body = {"project": project["id"], "path": path.replace("{folder}", project["folder"])}
    for answer in (member.post("/kernels", body), member.post("/enter", body) if path else None):
        if answer is not None:
            assert answer.json()["code"] == code
            assert answer.status_code in {400, 404}
    assert member.get("/api/v1/kernels").json()["kernels"] == []


def test_a_link_made_in_a_kernel_leads_nowhere(portal: Portal, member: Browser) -> None:
    project = member.post("/projects", {"name": "p"}).json()
    home = home_of(portal, member)
    (home / project["folder"] / "away").symlink_to("/etc")
    (home / project["folder"] / "self.ipynb").symlink_to("/etc/passwd")
    for name in ("away/passwd", "away"):
        answer = member.post("/kernels", {"project": project["id"], "path": f"{project['folder']}/{name}"})
        assert answer.status_code in {200, 400}
        if answer.status_code == 400:
            assert answer.json()["code"] == "file.symlink"
    lost = member.call("DELETE", f"/projects/{project['id']}")
    assert lost.status_code == 200
    assert Path("/etc/passwd").exists()


def test_three_starts_at_once_give_one_kernel_and_the_limit_lists_what_runs(
    portal: Portal, member: Browser
) -> None:
    projects = [member.post("/projects", {"name": f"p{n}"}).json() for n in range(4)]
    bodies = [{"project": p["id"], "path": p["path"]} for p in projects]
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda _: member.post("/kernels", bodies[0]), range(6)))
    assert len({answer.json()["id"] for answer in answers}) == 1
    for body in bodies[1:3]:
        assert member.post("/kernels", body).status_code == 200
    over = member.post("/kernels", bodies[3])
    assert (over.status_code, over.json()["code"]) == (409, "kernel.limit")
    assert [k["document"] for k in over.json()["params"]["kernels"]] == [b["path"] for b in bodies[:3]]
    opened = member.post("/enter", bodies[3])
    assert opened.json()["problem"]["code"] == "kernel.limit"
    assert opened.json()["kernel"] is None
    kernel = answers[0].json()
    assert member.post(f"/kernels/{kernel['id']}/stop").json()["reason"] == "user"
    assert member.post("/kernels", bodies[3]).status_code == 200
    again = member.post("/kernels", bodies[0])
    assert again.json()["code"] == "kernel.limit"
    gone = member.post(f"/kernels/{kernel['id']}/restart")
    assert (gone.status_code, gone.json()["code"]) == (410, "kernel.gone")


def test_kernels_of_somebody_else_do_not_exist(portal: Portal, member: Browser) -> None:
    project = member.post("/projects", {"name": "p"}).json()
    kernel = member.post("/kernels", {"project": project["id"], "path": project["path"]}).json()
    other = portal.browser()
    other.guest()
    for method, path in (
        ("GET", ""),
        ("POST", "/interrupt"),
        ("POST", "/restart"),
        ("POST", "/stop"),
    ):
        answer = other.call(method, f"/kernels/{kernel['id']}{path}", {} if method == "POST" else None)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    for path in ("/projects/" + project["id"],):
        assert other.get("/api/v1" + path).json()["code"] == "not_found"
        assert other.call("PATCH", path, {"name": "x"}).json()["code"] == "not_found"
        assert other.call("DELETE", path).json()["code"] == "not_found"
    assert (
        other.post("/kernels", {"project": project["id"], "path": project["path"]}).json()["code"]
        == "not_found"
    )
    assert member.get("/api/v1/kernels/nonsense").json()["code"] == "not_found"
    assert member.get("/api/v1/kernels/%00").json()["code"] == "not_found"


def test_an_environment_that_is_not_on_the_list_is_named_with_those_that_are(
    portal: Portal, member: Browser
) -> None:
    listed = member.get("/api/v1/environments?lang=en").json()["environments"]
    assert [e["name"] for e in listed] == ["torch-cpu", "paddle-cpu"]
    assert listed[0]["title"] == "Environment torch-cpu"
    assert (listed[0]["network"], listed[0]["available"]) == ("egress", True)
    answer = member.post("/projects", {"name": "p", "environment": "evil/image:latest"})
    assert (answer.status_code, answer.json()["code"]) == (400, "environment.unknown")
    assert "torch-cpu" in answer.json()["detail"]
    project = member.post("/projects", {"name": "p"}).json()
    body = {"project": project["id"], "path": project["path"]}
    assert member.post("/kernels", {**body, "environment": "nope"}).json()["code"] == "environment.unknown"
    kernel = member.post("/kernels", {**body, "environment": "paddle-cpu", "safe": True}).json()
    assert (kernel["environment"], kernel["safe"]) == ("paddle-cpu", True)
    assert member.get(f"/api/v1/projects/{project['id']}").json()["project"]["environment"] == "paddle-cpu"


def put(member: Browser, project: str, path: str, body: object, **headers: str) -> httpx.Response:
    member.get("/api/v1/site")
    headers = {"X-Jiqi-XSRF": member.cookie("jiqi_xsrf") or "", **headers}
    url = f"{member.portal.url}/api/v1/projects/{project}/files/{path}"
    return member.client.put(url, content=body, headers=headers)  # type: ignore[arg-type]


def test_an_upload_lands_in_the_project_with_any_printable_name(portal: Portal, member: Browser) -> None:
    project = member.post("/projects", {"name": "p"}).json()
    name = "数据 文件 <'&\">.csv"
    answer = put(member, project["id"], httpx.URL("/" + name).raw_path.decode()[1:], b"a,b\n1,2\n")
    assert answer.status_code == 201, answer.text
    assert (home_of(portal, member) / project["folder"] / name).read_bytes() == b"a,b\n1,2\n"
    assert answer.json()["path"] == f"{project['folder']}/{name}"


def test_uploads_are_refused_before_the_first_byte(portal: Portal, member: Browser) -> None:
    project = member.post("/projects", {"name": "p"}).json()
    other = portal.browser()
    other.guest()
    assert put(other, project["id"], "x", b"1").json()["code"] == "not_found"
    anonymous = portal.browser()
    assert put(anonymous, project["id"], "x", b"1").json()["code"] == "login.required"
    forged = member.client.put(f"{portal.url}/api/v1/projects/{project['id']}/files/x", content=b"1")
    assert forged.json()["code"] == "xsrf.refused"
    for path in ("..%2fx", "%2e%2e/x", "a%00b", "x" * 300):
        answer = put(member, project["id"], path, b"1")
        assert answer.status_code == 400, path
        assert answer.json()["code"] in {"file.outside", "file.bad_name", "file.name_too_long"}
    limit = LIMITS[Role.GUEST].disk
    guest_project = other.post("/projects", {"name": "g"}).json()
    head = (
        f"PUT /api/v1/projects/{guest_project['id']}/files/big HTTP/1.1\r\nHost: localhost:{portal.settings.port}\r\n"
        f"Cookie: jiqi_session={other.cookie('jiqi_session')}; jiqi_xsrf={other.cookie('jiqi_xsrf')}\r\n"
        f"X-Jiqi-XSRF: {other.cookie('jiqi_xsrf')}\r\nContent-Length: {limit}\r\nExpect: 100-continue\r\n\r\n"
    )
    portal.web.services.disk.forget(UserId(home_of(portal, other).name))
    # Of two gigabytes not one byte is sent: the announced length is enough to refuse.
    with socket.create_connection(("127.0.0.1", portal.settings.port), timeout=30) as connection:
        connection.sendall(head.encode())
        refused = connection.recv(65536).decode()
    assert refused.startswith("HTTP/1.1 507")
    assert '"code":"disk.quota"' in refused
    assert [p.name for p in (home_of(portal, other) / "g").iterdir()] == ["未命名.ipynb"]


def test_the_disk_of_a_person_is_told(member: Browser, portal: Portal) -> None:
    before = member.get("/api/v1/disk").json()
    assert before["limit"] == 20 * 1024**3
    assert before["complete"] is True
    assert kernel_rows(portal, member.get("/api/v1/me").json()["user"]["id"]) == 0


def test_lessons_are_told_in_the_readers_language_with_my_copy(member: Browser) -> None:
    chinese = member.get("/api/v1/lessons", headers={"Accept-Language": "zh-TW"}).json()["lessons"]
    english = member.get("/api/v1/lessons?lang=en").json()["lessons"]
    assert [lesson["id"] for lesson in chinese] == ["first-minute", "autograd"]
    assert (chinese[0]["title"], english[0]["title"]) == ("一分钟上手", "One minute to start")
    assert chinese[0]["project"] is None
    project = member.post("/open", {"lesson": "first-minute"}).json()["project"]
    assert member.get("/api/v1/lessons/first-minute").json()["project"] == project["id"]
    assert member.get("/api/v1/lessons/nope").json()["code"] == "lesson.unknown"


@pytest.mark.parametrize("language", ["zh-CN", "en"])
def test_a_lesson_opens_at_its_own_notebook_whatever_was_added_to_the_copy(
    portal: Portal, member: Browser, language: str
) -> None:
    made = member.post("/open", {"lesson": "first-minute", "lang": language}).json()["project"]
    folder = home_of(portal, member) / made["folder"]
    for name in ("Untitled.ipynb", "0.ipynb"):
        (folder / name).write_bytes((folder / Path(made["path"]).name).read_bytes())
    for lang in ("zh-CN", "en"):
        again = member.post("/open", {"lesson": "first-minute", "lang": lang}).json()["project"]
        assert (again["id"], again["path"]) == (made["id"], made["path"])
    (folder / Path(made["path"]).name).unlink()
    assert member.get(f"/api/v1/projects/{made['id']}").json()["project"]["path"].endswith("/0.ipynb")


def test_a_project_opens_at_the_notebook_it_was_made_with(portal: Portal, member: Browser) -> None:
    project = member.post("/projects", {"name": "p"}).json()
    (home_of(portal, member) / project["folder"] / "Untitled.ipynb").write_bytes(b"{}")
    again = member.get(f"/api/v1/projects/{project['id']}").json()["project"]
    assert again["path"] == project["path"]
