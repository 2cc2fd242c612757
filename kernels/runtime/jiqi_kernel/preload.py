"""Import the frameworks once, before the first fork, and warm what every kernel would otherwise pay for.

Nothing here may start a thread, run a tensor operation or touch CUDA: none of these survives a fork.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from jiqi_kernel import fonts, hooks
from jiqi_kernel.shadowing import Loaded

# Modules that the first cell, the first error or the first completion would import.
_KERNEL_PARTS = (
    "ipykernel.ipkernel", "ipykernel.zmqshell", "ipykernel.debugger", "ipykernel.kernelapp", "jedi", "stack_data",
    "executing", "asttokens", "pygments.lexers.python", "pygments.formatters.terminal256", "matplotlib_inline.config",
    "IPython.core.pylabtools", "IPython.core.magics.packaging", "IPython.core.profileapp", "sqlite3", "html.parser",
    "encodings.idna", "multiprocessing.pool", "concurrent.futures.thread",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Preloaded:
    """What the forkserver holds ready: versions by module, the seconds it took, and the loaded distributions."""

    versions: dict[str, str]
    seconds: float
    loaded: Loaded


def preload(modules: list[str]) -> Preloaded:
    """Import the modules; one that fails is reported on stderr and left out."""
    started = time.monotonic()
    settle_environment()
    for name in _KERNEL_PARTS:
        _attempt(name, importlib.import_module)
    versions: dict[str, str] = {}
    with warnings.catch_warnings():
        # Advice such as paddle's about ccache is for who builds extensions, not for a container's log.
        warnings.simplefilter("ignore")
        for name in modules:
            if _attempt(name, importlib.import_module):
                versions[name] = _version(name)
    if "matplotlib.pyplot" in sys.modules:
        _attempt("matplotlib", lambda _name: _draw())
    _attempt("traceback", lambda _name: _format_error())
    loaded = Loaded.now()
    gc.collect()
    # Frozen objects are left alone by the children's collections, so their pages stay shared.
    gc.freeze()
    return Preloaded(versions=versions, seconds=time.monotonic() - started, loaded=loaded)


def settle_environment() -> None:
    """Settings of libraries that take them from the environment or on import; for cold starts too."""
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    os.environ.setdefault("PLOTLY_RENDERER", "plotly_mimetype")
    # debugpy would print four lines of advice into the container log.
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    fonts.prepare_environment()
    hooks.when_imported("matplotlib.font_manager", fonts.settle)
    hooks.when_imported("altair", _altair_by_mimetype)


def _altair_by_mimetype(altair: Any) -> None:
    altair.renderers.enable("mimetype")


def _attempt(name: str, act: Callable[[str], object]) -> bool:
    try:
        act(name)
    except Exception:
        print(f"jiqi_kernel: preload of {name} failed", file=sys.stderr)  # noqa: T201
        traceback.print_exc()
        return False
    return True


def _version(module: str) -> str:
    top = module.partition(".")[0]
    found = getattr(sys.modules[top], "__version__", None)
    if found is not None:
        return str(found)
    try:
        return metadata.version(top)
    except metadata.PackageNotFoundError:
        return ""


def _draw() -> None:
    """Fill matplotlib's font and glyph caches without pyplot, whose backend needs a kernel."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure()
    axes: Any = figure.add_subplot()
    axes.plot([-1, 1], label="图例")
    axes.set_title("中文标题")
    axes.legend()
    FigureCanvasAgg(figure).draw()


def _format_error() -> None:
    from IPython.core.ultratb import VerboseTB  # noqa: PLC0415

    try:
        _ = 1 / 0
    except ZeroDivisionError:
        VerboseTB().text(*sys.exc_info())
