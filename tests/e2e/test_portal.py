"""The portal as people meet it, on the real server: sign up, log in, projects, keys, the administrator's link."""

import re
import subprocess
import sys

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.e2e.conftest import ARTEFACTS
from tests.e2e.studio import SLOW, Studio
from tests.harness.stack import ROOT, Stack

pytestmark = [pytest.mark.browser, pytest.mark.docker]

PASSWORD = "correct horse battery"
SIZES = {"1440x900": (1440, 900), "390x844": (390, 844)}
AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"


def send(page: Page, word: str) -> None:
    """Press the button of the page's form."""
    page.get_by_role("main").get_by_role("button", name=word, exact=True).click()


def fill(page: Page, name: str, password: str) -> None:
    """Type name and password."""
    page.get_by_label("用户名").fill(name)
    page.get_by_label("密码", exact=True).fill(password)


def sign_up(page: Page, running: Stack, name: str) -> None:
    """Make an account on the sign-up page."""
    page.goto(f"{running.portal}/register")
    fill(page, name, PASSWORD)
    send(page, "注册")
    expect(page.get_by_role("heading", name=f"你好，{name}")).to_be_visible()


def test_a_guest_signs_up_and_his_open_page_and_work_stay_his(studio: Studio, running: Stack) -> None:
    """Home → lesson 1 as a guest → 保存我的作品 → the same project at the same address."""
    page = studio.page
    page.goto(running.portal)
    page.get_by_role("link", name="马上开始，无需注册").click()
    page.wait_for_url(re.compile(r"/p/"), timeout=SLOW)
    studio.wait_state("ready")
    address = page.url
    page.goto(running.portal)
    page.get_by_role("link", name="保存我的作品").click()
    fill(page, "小红", PASSWORD)
    send(page, "注册并保留作品")
    expect(page.get_by_role("heading", name="你好，小红")).to_be_visible()
    page.get_by_role("button", name="接着写").click()
    page.wait_for_url(re.compile(r"/p/"), timeout=SLOW)
    assert page.url == address
    studio.wait_state("ready")


def test_names_and_passwords_that_will_not_do_are_said_with_their_code(page: Page, running: Stack) -> None:
    """Taken, too common, wrong, and too often wrong."""
    sign_up(page, running, "小刚")
    page.get_by_role("button", name="账号：小刚").click()
    page.get_by_role("button", name="退出登录").click()
    expect(page.get_by_role("link", name="马上开始，无需注册")).to_be_visible()

    alert = page.get_by_role("alert")
    page.goto(f"{running.portal}/register")
    fill(page, "小刚", PASSWORD)
    send(page, "注册")
    expect(alert).to_contain_text("account.name_taken")
    fill(page, "小刚二", "password")
    send(page, "注册")
    expect(alert).to_contain_text("password.weak")

    page.goto(f"{running.portal}/login")
    fill(page, "小刚", "not the password")
    send(page, "登录")
    expect(alert).to_contain_text("用户名或密码不对")
    for _ in range(12):
        with page.expect_response(re.compile(r"/api/v1/login")) as answer:
            send(page, "登录")
        if answer.value.status == 429:
            break
    expect(alert).to_contain_text(re.compile(r"这个账号尝试次数过多，\d+ 分钟后再试"))


def test_a_project_is_made_opened_renamed_and_deleted(studio: Studio, running: Stack) -> None:
    """With a name that tries to be HTML, and with what deleting loses said first."""
    page = studio.page
    sign_up(page, running, "小兰")
    page.goto(f"{running.portal}/projects")
    page.get_by_role("main").get_by_role("button", name="新建项目").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("radio", name=re.compile("PyTorch"))).to_be_checked()
    expect(dialog).to_contain_text("可以访问外网")
    dialog.get_by_role("textbox").fill("文件 名 <'&\">")
    dialog.get_by_role("button", name="新建并打开").click()
    page.wait_for_url(re.compile(re.escape(running.notebook) + r"/p/"), timeout=SLOW)
    studio.wait_state("ready")

    page.goto(f"{running.portal}/projects")
    row = page.get_by_role("rowheader", name="文件 名 <'&\">")
    expect(row).to_contain_text("运行中")
    page.get_by_role("button", name="更多操作").click()
    page.get_by_role("menuitem", name="改名").click()
    dialog.get_by_role("textbox").fill("第二个名字")
    dialog.get_by_role("button", name="改名").click()
    expect(page.get_by_role("rowheader", name="第二个名字")).to_be_visible()

    page.get_by_role("button", name="更多操作").click()
    page.get_by_role("menuitem", name="删除").click()
    expect(dialog).to_contain_text(re.compile(r"\d+ 个文件，共 .* 1 个正在运行"))
    expect(dialog.get_by_role("button", name="删除全部文件")).to_be_disabled()
    dialog.get_by_role("textbox").fill("第二个名字")
    dialog.get_by_role("button", name="删除全部文件").click()
    expect(page.get_by_text("这里还没有项目。")).to_be_visible()


def test_a_token_shown_once_opens_the_notebook_server_until_it_is_revoked(page: Page, running: Stack) -> None:
    """The address shown for VS Code is one that Jupyter clients can use, and the program shown runs as it stands."""
    sign_up(page, running, "小明")
    page.goto(f"{running.portal}/tokens")
    page.get_by_role("button", name="新建令牌").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("用途").fill("VS Code")
    dialog.get_by_role("button", name="新建", exact=True).click()
    address = httpx.URL(dialog.get_by_role("group", name="VS Code").inner_text())
    status = address.copy_with(path=f"{address.path}api/status")
    assert httpx.get(status).status_code == 200
    dialog.get_by_role("button", name="Python", exact=True).click()
    program = dialog.get_by_role("group", name="Python").inner_text()
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False
    )
    assert "2.13" in done.stdout, done.stderr
    dialog.get_by_role("button", name="我已保存好").click()
    page.get_by_role("button", name="撤销: VS Code").click()
    dialog.get_by_role("button", name="撤销").click()
    expect(page.get_by_text("还没有令牌。")).to_be_visible()
    expect_refused(page, status)


def expect_refused(page: Page, address: httpx.URL) -> None:
    """Wait, for at most five seconds, until a token opens nothing any more."""
    for _ in range(50):
        if httpx.get(address).status_code in {401, 403}:
            return
        page.wait_for_timeout(100)
    raise AssertionError("a revoked token still opens the server")


def test_another_browser_is_logged_out_from_here(browser: Browser, page: Page, running: Stack) -> None:
    """The list of devices names both, and ends the other one."""
    sign_up(page, running, "小华")
    other = browser.new_context(locale="zh-CN").new_page()
    other.goto(f"{running.portal}/login?next=/projects")
    fill(other, "小华", PASSWORD)
    send(other, "登录")
    expect(other.get_by_text("这里还没有项目。")).to_be_visible()
    page.goto(f"{running.portal}/tokens")
    expect(page.get_by_text("就是这里")).to_be_visible()
    page.get_by_role("button", name=re.compile("^退出: ")).click()
    page.get_by_role("dialog").get_by_role("button", name="退出").click()
    expect(page.get_by_role("button", name=re.compile("^退出: "))).to_have_count(0)
    other.reload()
    expect(other.get_by_role("main").get_by_role("link", name="登录")).to_be_visible()
    other.context.close()


def test_the_administrators_link_works_once(page: Page, running: Stack) -> None:
    """Its secret leaves the address bar at once."""
    link = re.search(r"http\S+/link#[\w-]+", running.jiqi("admin", "link"))
    assert link is not None
    page.goto(link.group())
    expect(page.get_by_label("密码", exact=True).or_(page.get_by_label("新密码（可不填）"))).to_be_visible()
    assert page.url == f"{running.portal}/link"
    if page.get_by_label("用户名").count():
        fill(page, "校长", PASSWORD)
        send(page, "设置并进入")
    else:
        send(page, "登录")
    expect(page.get_by_role("heading", name=re.compile("^你好"))).to_be_visible()
    page.goto(link.group())
    expect(page.get_by_role("alert")).to_contain_text("ticket.invalid")


def test_the_language_stays_chosen_and_the_page_says_its_own(page: Page, running: Stack) -> None:
    """For whoever is not logged in a cookie holds it, also on the server's own pages."""
    page.goto(running.portal)
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Open a link, start coding")
    expect(page.get_by_role("link", name=re.compile("One minute to start"))).to_have_count(2)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Open a link, start coding")
    assert page.evaluate("document.documentElement.lang") == "en"
    assert httpx.get(running.portal, headers={"Cookie": "jiqi_lang=en"}).text.startswith(
        '<!doctype html>\n<html lang="en">'
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible_fits_its_width_and_is_kept_as_a_picture(
    browser: Browser, running: Stack, size: str, scheme: str
) -> None:
    """No WCAG A or AA breach, nothing wider than the screen, no error in the browser's console."""
    width, height = SIZES[size]
    context = browser.new_context(
        locale="zh-CN" if scheme == "light" else "en",
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
        viewport={"width": width, "height": height},
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    for path in ("", "lessons", "lessons/autograd", "login", "register", "link", "projects", "tokens"):
        page.goto(f"{running.portal}/{path}")
        page.wait_for_load_state("networkidle")
        name = f"portal-{path.replace('/', '-') or 'home'}-{size}-{scheme}.png"
        page.screenshot(path=ARTEFACTS / name, full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        # By evaluate, as the page's policy lets no script tag in.
        page.evaluate(AXE.read_text("utf-8"))
        found = page.evaluate("axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })")
        assert [rule["id"] for rule in found["violations"]] == [], (path, found["violations"])
    assert errors == []
    context.close()
