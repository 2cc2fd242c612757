"""The built images: a framework that is there at once, plots in Chinese, and errors that say there is no network."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator
from typing import Any

import pytest
from tests.kernels.containers import Container, container
from tests.kernels.processes import Kernel, printed
from tests.kernels.wheels import make_wheel

pytestmark = [pytest.mark.docker, pytest.mark.slow]

FRAMEWORK = {"torch-cpu": "torch", "paddle-cpu": "paddle"}
USE = {
    "torch": "import torch\nx = torch.ones(3, requires_grad=True)\n(x * x).sum().backward()\nprint(x.grad.tolist())",
    "paddle": "import paddle\nx = paddle.ones([3])\nx.stop_gradient = False\n(x * x).sum().backward()\nprint(x.grad.tolist())",
}
DRAW = {"torch": "print(torch.rand(1).item())", "paddle": "print(float(paddle.rand([1])))"}


@pytest.fixture(scope="module", params=["torch-cpu", "paddle-cpu"])
def image(request: pytest.FixtureRequest) -> Iterator[Container]:
    with container(request.param) as running:
        yield running


def pictures(messages: list[dict[str, Any]]) -> list[bytes]:
    datas = [message["content"]["data"] for message in messages if message["msg_type"] == "display_data"]
    return [base64.b64decode(data["image/png"]) for data in datas if "image/png" in data]


def test_a_restart_has_the_framework_again_within_half_a_second(image: Container) -> None:
    framework = FRAMEWORK[image.image]
    with image.kernel() as kernel:
        assert kernel.text(USE[framework]) == "[2.0, 2.0, 2.0]\n"
        image.wait_for_standby()
        began = time.monotonic()
        reply = image.start()
        kernel.client.wait_for_ready(timeout=10)
        began_cell = time.monotonic()
        assert kernel.text(USE[framework]) == "[2.0, 2.0, 2.0]\n"
        print(
            f"{image.image}: restart {began_cell - began:.3f} s, first cell {time.monotonic() - began_cell:.3f} s, {reply['seconds']} s"
        )
    assert reply["cold"] is False
    assert reply["seconds"] < 0.5


def test_the_framework_draws_other_numbers_in_every_kernel(image: Container) -> None:
    framework = FRAMEWORK[image.image]
    drawn = set()
    for _ in range(3):
        with image.kernel() as kernel:
            drawn.add(kernel.text(f"import {framework}\n{DRAW[framework]}"))
    assert len(drawn) == 3


def test_threads_and_workers_run_in_a_forked_kernel() -> None:
    with container("torch-cpu", threads=2) as running, running.kernel() as kernel:
        code = """
import torch
a = torch.rand(800, 800, requires_grad=True); (a @ a).sum().backward()
loader = torch.utils.data.DataLoader(torch.arange(64.0), batch_size=8, num_workers=2)
print(torch.get_num_threads(), sum(batch.sum().item() for batch in loader), bool(a.grad.isfinite().all()))
"""
        assert kernel.text(code) == "2 2016.0 True\n"


def plot(kernel: Kernel, settings: str) -> None:
    code = f"""
import warnings; warnings.simplefilter('error')
import matplotlib.pyplot as plt
{settings}
plt.plot([-1, 0, 1], [-2, 0, 2], label='图例：鸢尾花')
plt.title('中文标题，负号 −1'); plt.legend(); plt.show()
"""
    reply, messages = kernel.run(code)
    assert reply["status"] == "ok", reply
    assert printed(messages) == ""
    assert len(pictures(messages)) == 1


def test_chinese_shows_in_plots_whatever_font_the_copied_code_names(image: Container) -> None:
    for settings in (
        "",
        "plt.rcParams['font.sans-serif'] = ['SimHei']",
        "plt.rcParams['font.sans-serif'] = ['SimHei']; plt.rcParams['axes.unicode_minus'] = False",
        "plt.rcParams['font.family'] = 'Microsoft YaHei'",
        "plt.rcParams['font.family'] = ['Times New Roman']",
        "plt.style.use('seaborn-v0_8')",
        "plt.rcdefaults()",
        "plt.rcParams['text.usetex'] = False; plt.rcParams['font.sans-serif'] = ['Arial']",
    ):
        with image.kernel() as kernel:
            plot(kernel, settings)


def test_rich_libraries_speak_mimetypes_that_a_page_can_show(image: Container) -> None:
    with image.kernel() as kernel:
        code = """
import altair, pandas, plotly.express as px
from IPython.display import display
frame = pandas.DataFrame({'a': [1, 2], 'b': [3, 4]})
display(px.line(frame, x='a', y='b')); display(altair.Chart(frame).mark_line().encode(x='a', y='b')); display(frame)
"""
        reply, messages = kernel.run(code)
    assert reply["status"] == "ok", reply
    kinds = [set(message["content"]["data"]) for message in messages if message["msg_type"] == "display_data"]
    assert "application/vnd.plotly.v1+json" in kinds[0]
    assert any(kind.startswith("application/vnd.vegalite.v") for kind in kinds[1])
    assert "text/html" in kinds[2]


def test_without_a_network_downloads_end_at_once_with_a_hint(image: Container) -> None:
    hints = {"zh-CN": "这个运行环境不能访问外网", "en": "No internet in this environment"}
    for language, hint in hints.items():
        with image.kernel(language=language) as kernel:
            for code in (
                "import urllib.request; urllib.request.urlopen('http://example.com/data.csv')",
                "import socket; socket.create_connection(('192.0.2.1', 80))",
                "import pandas; pandas.read_csv('https://example.com/data.csv')",
            ):
                # Timed in the kernel: on a busy machine the traceback takes longer than the network's no.
                timed = f"import time; began = time.monotonic()\ntry: {code}\nfinally: print(time.monotonic() - began)"
                reply, messages = kernel.run(timed)
                assert reply["status"] == "error"
                assert hint in "\n".join(reply["traceback"])
                assert float(printed(messages)) < 5
            for line in (
                "%pip install jiqi-no-such-package",
                "!pip install jiqi-no-such-package",
                "!wget -q http://example.com",
            ):
                began = time.monotonic()
                _, messages = kernel.run(line)
                assert hint in printed(messages), line
                assert time.monotonic() - began < 5
            reply, _ = kernel.run("open('/nonexistent')")
            assert hint not in "\n".join(reply["traceback"])


def test_pip_says_what_is_there_already(image: Container) -> None:
    with image.kernel() as kernel:
        assert "已预装：numpy 2." in kernel.text("%pip install numpy")
        assert "已预装" in kernel.text("%pip install -q 'numpy>=1.20' pandas")


def test_a_package_of_the_users_replaces_the_images_after_a_restart(image: Container) -> None:
    wheel = make_wheel("numpy", version="9.9.9", body="__version__ = '9.9.9'\n")
    (image.home / "numpy-9.9.9-py3-none-any.whl").write_bytes(wheel)
    with image.kernel() as kernel:
        text = kernel.text("%pip install --no-index --no-deps ./numpy-9.9.9-py3-none-any.whl")
        assert "重启后生效" in text, text
    with image.kernel() as kernel:
        assert kernel.text("import numpy; print(numpy.__version__)") == "9.9.9\n"
    reply = image.start(safe=True)
    assert (reply["cold"], reply["shadowed"]) == (False, [])
    with image.kernel(safe=True) as kernel:
        assert kernel.text("import numpy; print(numpy.__version__ != '9.9.9')") == "True\n"
        assert "Successfully uninstalled" in kernel.text("!pip uninstall -y numpy")
    reply = image.start()
    assert (reply["cold"], reply["shadowed"]) == (False, [])
