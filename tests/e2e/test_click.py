"""The main job, as a person does it: click the link, run, plot, restart, reload, and find the work."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.e2e.studio import SLOW, Studio
from tests.harness.stack import Stack

pytestmark = [pytest.mark.browser, pytest.mark.docker]


def test_a_guest_clicks_a_link_runs_torch_plots_chinese_restarts_and_finds_the_work(studio: Studio) -> None:
    """The whole of it in one sitting."""
    page = studio.page
    studio.click_lesson()
    output = studio.run(studio.cell("torch.__version__"))
    expect(output).to_contain_text("PyTorch 2.13")
    expect(output).to_contain_text("tensor([[0, 1, 2],")

    plot = studio.run(studio.cell("plt.title"))
    expect(plot.locator("img")).to_be_visible(timeout=SLOW)
    assert "missing from" not in plot.inner_text()  # matplotlib's words for a glyph that no font has

    named = studio.cell("小明")
    studio.type(named, 'name = "阿依古丽"\nprint(name)')
    expect(studio.run(named)).to_contain_text("阿依古丽")

    studio.restart()
    expect(studio.run(studio.cell("globals()"))).to_contain_text("False")

    studio.wait_saved()
    address = page.url
    page.reload()
    studio.wait_state("ready")
    assert page.url == address
    expect(studio.cell("阿依古丽").locator(".jp-OutputArea")).to_contain_text("阿依古丽")
    expect(studio.cell("plt.title").locator("img")).to_be_visible()


def test_the_same_browser_gets_the_same_copy_and_kernel(studio: Studio, running: Stack) -> None:
    """A second click is a return, not a second copy."""
    studio.click_lesson()
    first = studio.page.url
    studio.run(studio.new_cell("kept = 41"))
    studio.wait_saved()
    studio.click_lesson()
    assert studio.page.url == first
    expect(studio.run(studio.new_cell("kept + 1"))).to_contain_text("42")


def test_a_cell_can_be_typed_into_before_the_kernel_is_ready(running: Stack, studio: Studio) -> None:
    """Run waits for readiness; the first run starts no second kernel."""
    page = studio.page
    page.goto(f"{running.portal}/open/first-minute")
    page.wait_for_url(re.compile(r"/p/"), timeout=SLOW)
    cell = studio.cell("torch.__version__")
    cell.locator(".cm-content").click(timeout=SLOW)
    page.keyboard.press("Control+Enter")
    expect(cell.locator(".jp-OutputArea")).to_contain_text("PyTorch 2.13", timeout=SLOW)
    count = page.evaluate(
        "async () => (await (await fetch(JSON.parse(document.getElementById('jiqi-boot').textContent).base_url + 'api/kernels')).json()).length"
    )
    assert count == 1


def test_outputs_of_every_common_kind_are_drawn(studio: Studio) -> None:
    """LaTeX, HTML, images, plotly, altair, widgets, a progress bar."""
    studio.click_lesson()
    page = studio.page
    latex = studio.run(studio.new_cell("from IPython.display import Latex\nLatex(r'$\\frac{a}{b}$')"))
    expect(latex.locator("mjx-container")).to_be_visible(timeout=SLOW)
    html = studio.run(studio.new_cell("from IPython.display import HTML\nHTML('<b id=\"bold\">粗体</b>')"))
    expect(html.locator("b")).to_have_text("粗体")
    plotly = studio.run(
        studio.new_cell("import plotly.graph_objects as go\ngo.Figure(go.Bar(x=['甲', '乙'], y=[1, 2]))")
    )
    expect(plotly.locator(".main-svg").first).to_be_visible(timeout=SLOW)
    chart = "import altair as alt, pandas as pd\nalt.Chart(pd.DataFrame({'月': [1, 2], '量': [3, 4]})).mark_bar().encode(x='月:O', y='量')"
    altair = studio.run(studio.new_cell(chart))
    expect(altair.locator(".vega-embed svg, .vega-embed canvas").first).to_be_visible(timeout=SLOW)
    studio.run(
        studio.new_cell("import ipywidgets as w\nslider = w.IntSlider(value=7, description='批大小')\nslider")
    )
    expect(page.locator(".widget-slider, .jupyter-widgets.widget-slider").first).to_be_visible(timeout=SLOW)
    expect(page.locator(".widget-label", has_text="批大小").first).to_be_visible()


def test_input_waits_for_an_answer_in_chinese(studio: Studio) -> None:
    """`input()` shows a box, the chip says that it waits, and the answer arrives."""
    studio.click_lesson()
    cell = studio.new_cell("who = input('你叫什么？')\nprint('你好，' + who)")
    cell.locator(".cm-content").click()
    studio.page.keyboard.press("Control+Enter")
    box = cell.locator(".jp-Stdin-input")
    expect(box).to_be_visible(timeout=SLOW)
    studio.wait_state("input")
    box.fill("张伟")
    box.press("Enter")
    expect(cell.locator(".jp-OutputArea")).to_contain_text("你好，张伟", timeout=SLOW)


def test_full_width_punctuation_is_explained_and_mended(studio: Studio) -> None:
    """A beginner's commonest slip has its own hint with one button."""
    studio.click_lesson()
    cell = studio.new_cell("print（'好'）")
    cell.locator(".cm-content").click()
    studio.page.keyboard.press("Control+Enter")
    fix = studio.page.get_by_role("button", name="一键改正")
    expect(fix).to_be_visible(timeout=SLOW)
    fix.click()
    expect(studio.run(studio.cell("print('好')"))).to_contain_text("好")


def test_a_running_cell_can_be_interrupted(studio: Studio) -> None:
    """The kernel survives and keeps its variables."""
    studio.click_lesson()
    studio.run(studio.new_cell("before = 5"))
    cell = studio.new_cell("import time\nwhile True: time.sleep(0.1)")
    cell.locator(".cm-content").click()
    studio.page.keyboard.press("Control+Enter")
    studio.wait_state("busy")
    studio.page.get_by_role("toolbar").get_by_role("button", name="中断", exact=True).click()
    expect(cell.locator(".jp-OutputArea")).to_contain_text("KeyboardInterrupt", timeout=SLOW)
    expect(studio.run(studio.new_cell("print(before)"))).to_contain_text("5")


def test_files_are_uploaded_with_progress_read_by_the_kernel_and_downloaded(studio: Studio) -> None:
    """A name with everything that breaks careless code."""
    studio.click_lesson()
    page = studio.page
    opener = page.get_by_role("button", name="打开文件面板")
    if opener.count():
        opener.click()
    name = "数据 一 <'&\">.csv"
    page.locator('input[type="file"]').first.set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": "城市,气温\n哈尔滨,-18\n".encode()}
    )
    expect(page.get_by_text(name).first).to_be_visible(timeout=SLOW)
    output = studio.run(studio.new_cell(f"import pandas as pd\nprint(pd.read_csv({name!r}).气温.iloc[0])"))
    expect(output).to_contain_text("-18")


def test_stock_jupyterlab_opens_the_same_file_and_kernel(studio: Studio, browser: Browser) -> None:
    """One link away, in Chinese, with the variables of the studio page."""
    studio.click_lesson()
    studio.run(studio.new_cell("shared = 'from the studio'"))
    studio.wait_saved()
    page = studio.page
    boot = page.evaluate("JSON.parse(document.getElementById('jiqi-boot').textContent)")
    lab: Page = page.context.new_page()
    lab.goto(f"{studio.running.notebook}{boot['base_url']}lab/tree/{boot['path']}")
    expect(lab.locator(".jp-NotebookPanel .jp-CodeCell").first).to_be_visible(timeout=SLOW)
    expect(lab.locator(".lm-MenuBar")).to_contain_text("文件", timeout=SLOW)
    ids = page.evaluate(
        "async base => (await (await fetch(base + 'api/sessions')).json()).map(s => s.kernel.id)",
        boot["base_url"],
    )
    assert len(ids) == 1


@pytest.mark.parametrize("width", [1440, 390])
def test_the_studio_page_fits_the_screen(studio: Studio, width: int) -> None:
    """No sideways scrolling of the page at either width, in both languages."""
    studio.page.set_viewport_size({"width": width, "height": 900})
    studio.click_lesson("autograd")
    overflow = studio.page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert overflow <= 0


def test_the_next_lesson_can_be_read_and_started_while_the_first_still_runs(studio: Studio) -> None:
    """A guest has one kernel: the second page stays usable, and one click moves the kernel over."""
    page = studio.page
    studio.click_lesson("first-minute")
    page.goto(f"{studio.running.portal}/open/autograd")
    move = page.get_by_role("button", name="停止「一分钟上手」并在这里运行")
    expect(move).to_be_visible(timeout=SLOW)
    studio.wait_state("none")
    expect(page.get_by_role("dialog")).to_have_count(0)
    studio.type(studio.cell("true_w"), "print(6 * 7)")
    move.click()
    studio.wait_state("ready")
    expect(move).to_have_count(0)
    expect(studio.run(studio.cell("6 * 7"))).to_contain_text("42")
