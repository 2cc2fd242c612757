"""What kernels run in: images where a Docker engine answers, else a virtual environment that does not isolate."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from places import IMAGES, PYTHON, ROOT, Places
from python_env import add_path, install, make_environment
from steps import Step, call

from jiqi.supervisor.engine import Engine

BUILD = ROOT / "infra" / "images" / "build.py"
FIRST = "torch-cpu"
LATER = ("paddle-cpu",)
RUNTIME = ROOT / "kernels" / "runtime"


def facts(name: str) -> dict[str, object]:
    """Return the image's description."""
    return tomllib.loads((IMAGES / name / "image.toml").read_text())


def tag(name: str) -> str:
    """Return the name under which the engine keeps an image."""
    return f"jiqi/{name}:{facts(name)['version']}"


def megabytes(name: str) -> int:
    """Return what one image downloads, without the base."""
    return int(str(facts(name).get("download_mb", 0)))


class ImageStep(Step):
    """An image is done when its stamp is current and the engine still has it."""

    image: str

    def stale(self) -> bool:
        """Say whether the image must be built."""
        return super().stale() or not Engine().has_image(tag(self.image))


def image_step(places: Places, name: str) -> ImageStep:
    """Return the step that builds one image; build.py itself skips the layers that are current."""
    log = places.logs / "images.log"
    # The layers that build.py keeps are not downloaded again.
    base = 0 if Engine().has_image(tag("base")) else megabytes("base")
    packages = 0 if Engine().has_image(f"{tag(name)}-packages") else megabytes(name)
    step = ImageStep(
        name="run.step.kernels",
        stamp=f"image-{name}",
        inputs=[IMAGES / "base", IMAGES / "runtime", IMAGES / name, RUNTIME, ROOT / "infra" / "images"],
        made=[],
        work=lambda: call([PYTHON, BUILD, name], log=log),
        downloads={"run.part.images": packages + base},
    )
    step.image = name
    return step


def environment_step(places: Places) -> Step:
    """Return the step that makes the kernel environment of the process host."""
    folder = places.kernel_environment
    lock = IMAGES / FIRST / "requirements.lock"
    log = places.logs / "environment.log"
    python = folder / "bin" / "python"

    def work() -> None:
        make_environment(folder, log=log)
        install(python, [lock], log=log)
        add_path(python, RUNTIME)

    return Step(
        name="run.step.kernels",
        stamp=f"environment-{_mark(folder)}",
        inputs=[lock, sys.version, sys.prefix, str(folder)],
        made=[python],
        work=work,
        downloads={"run.part.environment": megabytes(FIRST)},
    )


def _mark(folder: Path) -> str:
    return str(folder).replace("/", "_")[-80:]
