"""Entry: a GET creates nothing, one person gets one copy, and a ticket opens the notebook's origin once."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.api.portal import Portal, kernel_rows, running, settings_for


def test_a_thousand_gets_and_heads_of_a_lesson_change_nothing(portal: Portal) -> None:
    before, files = portal.rows(), portal.files()
    with httpx.Client(trust_env=False, headers={"Sec-Purpose": "prefetch"}) as client:
        for number in range(1000):
            method = "GET" if number % 2 else "HEAD"
            answer = client.request(method, f"{portal.url}/open/first-minute")
            assert answer.status_code == 200
    assert portal.rows() == before
    assert portal.files() == files


def test_the_opening_page_previews_in_chinese_whatever_the_readers_language(portal: Portal) -> None:
    page = portal.browser(**{"Accept-Language": "en-GB,en;q=0.9"}).get("/open/first-minute")
    assert '<html lang="en">' in page.text
    assert '<meta property="og:title" content="一分钟上手" />' in page.text
    assert re.search('og:description" content="[\u4e00-\u9fff]', page.text)
    picture = re.search('og:image" content="([^"]+)"', page.text)
    assert picture is not None
    assert httpx.get(picture.group(1), trust_env=False).headers["Content-Type"] == "image/png"
    assert "<noscript>" in page.text
    nonce = re.search(r"'nonce-([^']+)'", page.headers["Content-Security-Policy"])
    assert nonce is not None
    assert f'<script nonce="{nonce.group(1)}">' in page.text
    assert page.headers["Cache-Control"] == "no-store"


def test_ten_opens_at_once_by_one_guest_give_one_project_and_one_kernel(portal: Portal) -> None:
    browser = portal.browser()
    user = browser.guest()
    with ThreadPoolExecutor(10) as threads:
        answers = list(threads.map(lambda _: browser.post("/open", {"lesson": "autograd"}), range(10)))
    assert [answer.status_code for answer in answers] == [200] * 10
    found = [answer.json() for answer in answers]
    assert len({each["project"]["id"] for each in found}) == 1
    assert len({each["kernel"]["id"] for each in found}) == 1
    assert len({each["enter"]["ticket"] for each in found}) == 10
    home = portal.settings.homes / str(user["id"])
    folders = [path for path in home.iterdir() if not path.name.startswith(".")]
    assert len(folders) == 1
    assert [path.name for path in folders[0].iterdir()] == [f"{folders[0].name}.ipynb"]
    assert kernel_rows(portal, str(user["id"])) == 1
    assert len(browser.get("/api/v1/projects").json()["projects"]) == 1


def test_the_first_open_of_a_new_browser_makes_a_guest_and_the_second_is_the_same_one(portal: Portal) -> None:
    browser = portal.browser()
    first = browser.post("/open", {"lesson": "first-minute", "lang": "en"}).json()
    second = browser.post("/open", {"lesson": "first-minute"}).json()
    assert first["project"]["id"] == second["project"]["id"]
    assert first["project"]["name"] == "One minute to start"
    assert first["project"]["path"] == "One minute to start/One minute to start.ipynb"
    me = browser.get("/api/v1/me").json()
    assert (me["user"]["role"], me["user"]["language"]) == ("guest", "en")
    assert me["limits"]["kernels"] == 1
    assert first["kernel"]["network"] == "none"


def test_a_copy_that_the_person_deleted_is_made_again_by_the_next_open(portal: Portal) -> None:
    browser = portal.browser()
    project = browser.post("/open", {"lesson": "first-minute"}).json()["project"]
    notebook = portal.settings.homes / browser.get("/api/v1/me").json()["user"]["id"] / project["path"]
    notebook.write_text("{}")
    assert browser.post("/open", {"lesson": "first-minute"}).json()["project"]["path"] == project["path"]
    assert notebook.read_text() == "{}", "what the person wrote was replaced"
    notebook.unlink()
    notebook.parent.rmdir()
    again = browser.post("/open", {"lesson": "first-minute"}).json()["project"]
    assert again["id"] == project["id"]
    assert json.loads(notebook.read_text())["nbformat"] == 4


def test_a_ticket_opens_the_studio_once(portal: Portal) -> None:
    browser = portal.browser()
    opened = browser.post("/open", {"lesson": "first-minute"}).json()
    entered = browser.enter(opened)
    assert (entered.status_code, entered.headers["Location"]) == (303, opened["enter"]["next"])
    cookies = entered.headers.get_list("Set-Cookie")
    notebook = next(each for each in cookies if each.startswith("jiqi_nb="))
    assert "HttpOnly" in notebook
    assert "SameSite=Lax" in notebook
    assert "Domain" not in notebook
    again = browser.enter(opened)
    assert again.status_code == 410
    assert again.json()["code"] == "ticket.invalid"
    stranger = portal.browser().client.post(
        opened["enter"]["action"], data={"ticket": opened["enter"]["ticket"], "next": "/"}
    )
    assert stranger.status_code == 410


def test_entering_again_keeps_the_cookie_of_the_pages_that_are_open(portal: Portal) -> None:
    browser = portal.browser()
    browser.enter(browser.post("/open", {"lesson": "first-minute"}).json())
    kept = browser.cookie("jiqi_nb", notebook=True)
    second = browser.enter(browser.post("/open", {"lesson": "first-minute"}).json())
    assert second.status_code == 303
    assert browser.cookie("jiqi_nb", notebook=True) == kept


def test_a_ticket_sent_by_another_site_is_refused_before_it_is_used(portal: Portal) -> None:
    browser = portal.browser()
    enter = browser.post("/open", {"lesson": "first-minute"}).json()["enter"]
    form = {"ticket": enter["ticket"], "next": enter["next"]}
    for sender in ("http://evil.example", "null"):
        refused = browser.client.post(enter["action"], data=form, headers={"Origin": sender})
        assert (refused.status_code, refused.json()["code"]) == (403, "origin.refused")
    assert browser.client.post(enter["action"], data=form, headers={"Origin": portal.url}).status_code == 303


@pytest.mark.parametrize(
    "target", ["//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)", ""]
)
def test_entering_goes_to_a_page_of_its_own_origin_only(portal: Portal, target: str) -> None:
    browser = portal.browser()
    enter = browser.post("/open", {"lesson": "first-minute"}).json()["enter"]
    answer = browser.client.post(enter["action"], data={"ticket": enter["ticket"], "next": target})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


def test_the_way_into_the_studio_without_a_cookie_goes_over_the_portal(portal: Portal) -> None:
    browser = portal.browser()
    opened = browser.post("/open", {"lesson": "first-minute"}).json()
    path = opened["enter"]["next"]
    away = portal.browser().get(path, notebook=True)
    assert (away.status_code, away.headers["Location"]) == (302, portal.url + path)
    page = browser.get(path)
    assert page.status_code == 200
    assert "/api/v1/enter" in page.text
    project = opened["project"]
    again = browser.post("/enter", {"project": project["id"], "path": project["path"]}).json()
    assert again["enter"]["next"] == path
    assert browser.enter(again).status_code == 303
    lab = browser.get("/lab", notebook=True)
    assert lab.headers["Location"] == f"/user/{browser.get('/api/v1/me').json()['user']['id']}/lab"


def test_the_studio_page_holds_the_notebook_and_the_kernel(portal: Portal) -> None:
    browser = portal.browser()
    opened = browser.post("/open", {"lesson": "first-minute"}).json()
    browser.enter(opened)
    page = browser.get(opened["enter"]["next"], notebook=True)
    if not (portal.settings.frontend / "notebook.html").exists():
        assert (page.status_code, page.json()["code"]) == (503, "frontend.missing")
        return
    assert page.headers["Cache-Control"] == "no-store"
    inline = re.search(r'id="jiqi-boot"[^>]*>(.*?)</script>', page.text, re.DOTALL)
    assert inline is not None
    boot = json.loads(inline.group(1))
    assert boot["notebook"]["content"]["nbformat"] == 4
    assert boot["kernel"]["id"] == opened["kernel"]["id"]
    assert boot["session"]["kernel"]["id"] == opened["kernel"]["id"]
    assert boot["path"] == opened["project"]["path"]
    assert boot["lesson"] == {"id": "first-minute", "title": "一分钟上手"}
    assert boot["xsrf"]["portal"] == browser.cookie("jiqi_xsrf", notebook=True)
    before = portal.rows()
    for _ in range(5):
        browser.get(opened["enter"]["next"], notebook=True)
    assert portal.rows() == before


def test_the_studio_page_of_somebody_else_is_not_found(portal: Portal) -> None:
    opened = portal.browser().post("/open", {"lesson": "first-minute"}).json()
    other = portal.browser()
    other.enter(other.post("/open", {"lesson": "first-minute"}).json())
    page = other.get(opened["enter"]["next"], notebook=True)
    assert (page.status_code, page.json()["code"]) == (404, "not_found")
    refused = other.post("/enter", {"project": opened["project"]["id"], "path": ""})
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")


BAD_LESSONS = [
    "nope",
    "..",
    "../../etc/passwd",
    "x" * 300,
    "a\0b",
    "文件 名 <'&\">.ipynb",
    "first-minute/",
    " ",
]


@pytest.mark.parametrize("lesson", BAD_LESSONS)
def test_an_unknown_lesson_says_so_in_the_readers_language(portal: Portal, lesson: str) -> None:
    before = portal.rows()
    browser = portal.browser()
    for language, word in (("zh-CN", "课程"), ("en", "lesson")):
        answer = browser.post("/open", {"lesson": lesson}, **{"Accept-Language": language})
        status, code = (400, "input.invalid") if len(lesson) > 100 else (404, "lesson.unknown")
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        if code == "lesson.unknown":
            assert word in answer.json()["title"]
    assert portal.rows() == before


@pytest.mark.parametrize(
    "path",
    ["/open/nope", "/open/%2e%2e", "/open/..%2f..%2fetc", "/open/%00", "/open/%ff", "/open/" + "x" * 300],
)
def test_a_bad_address_gives_a_page_with_a_code_and_no_trace(portal: Portal, path: str) -> None:
    with httpx.Client(trust_env=False) as client:
        answer = client.get(portal.url + path, headers={"Accept": "text/html", "Accept-Language": "en"})
    assert answer.status_code in {400, 404}
    assert '<html lang="en">' in answer.text
    assert "Traceback" not in answer.text
    assert re.search(r'class="code">(lesson\.unknown|not_found|input\.invalid) ·', answer.text)


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=120).filter(lambda t: t.encode("utf-8", "ignore").decode() == t))
def test_no_lesson_id_breaks_the_server(portal: Portal, text: str) -> None:
    answer = portal.browser().post("/open", {"lesson": text})
    assert answer.status_code in {400, 404}
    assert answer.headers["Content-Type"].startswith("application/problem+json")


def test_a_host_that_cannot_start_kernels_still_opens_the_page(portal: Portal) -> None:
    try:
        for problem, code in (("docker.down", "docker.down"), (None, "agent.silent")):
            portal.report(problem=problem, age=0 if problem else 60)
            opened = portal.browser().post("/open", {"lesson": "first-minute"})
            assert opened.status_code == 200
            assert opened.json()["kernel"] is None
            assert opened.json()["problem"]["code"] == code
            assert opened.json()["enter"]["ticket"]
        portal.report(capacity=0)
        assert (
            portal.browser().post("/open", {"lesson": "first-minute"}).json()["problem"]["code"]
            == "host.full"
        )
    finally:
        portal.report()


def test_a_badge_is_a_picture_in_the_readers_language(portal: Portal) -> None:
    picture = portal.browser().get("/badge/autograd.svg?lang=en")
    assert picture.headers["Content-Type"].startswith("image/svg+xml")
    assert "Open in Jiqi" in picture.text
    assert picture.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


def test_one_host_name_for_both_origins_works_with_less_protection(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    one = msgspec.structs.replace(settings, notebook_url=settings.portal_url)
    with running(one) as portal:
        browser = portal.browser()
        opened = browser.post("/open", {"lesson": "first-minute"}).json()
        assert opened["enter"]["action"] == f"{portal.url}/enter"
        entered = browser.enter(opened)
        assert entered.status_code == 303
        page = browser.get(entered.headers["Location"])
        assert page.status_code in {200, 503}
        assert browser.get("/lab").headers["Location"].startswith("/user/")
        assert browser.get("/api/v1/tokens").status_code == 200
