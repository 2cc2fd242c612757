"""make run: prepare what is stale with a progress page at the portal's address, then become `jiqi up`."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Mapping

import frontend
import places
from places import PYTHON, ROOT, Places
from progress import Progress
from python_env import platform_step
from steps import SetupError, Step, StepError

import kernels
from jiqi import console
from jiqi.supervisor import instance, listening, tether
from jiqi.supervisor.engine import Engine
from jiqi.supervisor.instance import Instance, Running

START = "run.step.start"


def run(arguments: list[str]) -> int:
    """Prepare and start; return only when something hindered it or an instance runs already."""
    del arguments
    here = places.read()
    held = instance.take(here.state)
    if held is None:
        return _already(here)
    isolated = here.host == "docker" or (here.host == "auto" and Engine().version() is not None)
    problem = listening.problem(here.listen, here.port, internal_port=here.internal_port, isolated=isolated)
    if problem is not None:
        held.close()
        raise SetupError(problem[0], **problem[1])
    _tell(held, here, step="")
    try:
        _prepare(here, held, isolated=isolated)
    except (SetupError, StepError, KeyboardInterrupt):
        held.close()
        raise
    _start(here, held, isolated=isolated)
    return 1


def prepare(arguments: list[str]) -> int:
    """Prepare everything and start nothing."""
    del arguments
    here = places.read()
    _prepare(here, None, isolated=here.host != "process" and Engine().version() is not None)
    return 0


def kernel_settings(here: Places, *, isolated: bool) -> Mapping[str, str]:
    """Return the settings that tell the agent what was prepared for kernels."""
    python = here.kernel_environment / "bin" / "python"
    if isolated or not python.exists() or os.environ.get("JIQI_KERNEL_PYTHON"):
        return {}
    return {"JIQI_KERNEL_PYTHON": str(python)}


def _steps(here: Places, *, isolated: bool) -> list[Step]:
    last = kernels.image_step(here, kernels.FIRST) if isolated else kernels.environment_step(here)
    return [platform_step(here), frontend.node_step(here), frontend.build_step(here), last]


def _prepare(here: Places, held: Instance | None, *, isolated: bool) -> None:
    steps = _steps(here, isolated=isolated)
    stale = [step for step in steps if step.stale()]
    if not stale:
        return
    _say_download(stale)
    page = None
    if held is not None:
        page = Progress(here.listen, here.port, keys=[*(step.name for step in steps), START])
        console.say("run.early", url=here.portal_url)
        _say_ssh(here)
    try:
        early = None
        for number, step in enumerate(steps, start=1):
            if page is not None and held is not None:
                page.step(number)
                _tell(held, here, step=f" {number}/{len(steps) + 1}")
            if step.stale():
                _do(step, number=number, total=len(steps) + 1, early=early)
            if number == 1 and isolated and steps[-1].stale():
                # The image is the longest step and needs only the first one.
                early = _Early(steps[-1])
        if page is not None:
            page.step(len(steps) + 1)
    finally:
        if page is not None:
            page.close()


def _do(step: Step, *, number: int, total: int, early: _Early | None) -> None:
    console.say("run.step", n=number, total=total, what=console.words(step.name))
    if early is not None and early.step is step:
        early.wait()
    else:
        step.run()


class _Early:
    """A step that works in a thread while others go on in front."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Return when it is done, raising what it raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            self.step.run()
        except Exception as error:
            self._error = error


def _start(here: Places, held: Instance, *, isolated: bool) -> None:
    environ = {
        **os.environ,
        **kernel_settings(here, isolated=isolated),
        **held.hand_on(),
        "JIQI_HOST": here.host if here.host != "auto" else "docker" if isolated else "process",
        "PYTHONPATH": str(ROOT / "platform"),
    }
    if isolated:
        _build_later(here, environ)
    os.execve(PYTHON, [str(PYTHON), "-m", "jiqi", "up"], environ)


def _build_later(here: Places, environ: Mapping[str, str]) -> None:
    steps = {name: kernels.image_step(here, name) for name in kernels.LATER}
    stale = [name for name, step in steps.items() if step.stale()]
    if not stale:
        return
    log = here.logs / "images.log"
    console.say("run.later", mb=sum(sum(steps[name].downloads.values()) for name in stale), log=log)
    # This process becomes `jiqi up`, so that the builder is tethered to it and ends with it.
    tethered = [PYTHON, tether.__file__, str(os.getpid())]
    command = [*tethered, PYTHON, ROOT / "infra" / "dev" / "later.py", here.state, *stale]
    with log.open("ab") as out:
        subprocess.Popen(
            list(map(str, command)),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            env=dict(environ),
            start_new_session=True,
        )


def _already(here: Places) -> int:
    found = _wait_for_word(here)
    if found is not None and found.stage == "preparing":
        console.say("run.preparing", step=found.step, url=found.portal_url or here.portal_url)
    else:
        console.say("run.already", url=found.portal_url if found and found.portal_url else here.portal_url)
    return 0


def _wait_for_word(here: Places) -> Running | None:
    # The other one writes its word just after it took the lock.
    for _ in range(50):
        found = instance.running(here.state)
        if found is None or found.portal_url:
            return found
        time.sleep(0.02)
    return None


def _tell(held: Instance, here: Places, *, step: str) -> None:
    held.tell(
        Running(pid=os.getpid(), stage="preparing", portal_url=here.portal_url, port=here.port, step=step)
    )


def _say_download(stale: list[Step]) -> None:
    parts = [(key, mb) for step in stale for key, mb in step.downloads.items() if mb]
    if not parts:
        console.say("run.download.nothing")
        return
    text = ("，" if console.language() == "zh" else ", ").join(console.words(key, mb=mb) for key, mb in parts)
    console.say("run.download", parts=text, total=sum(mb for _, mb in parts))


def _say_ssh(here: Places) -> None:
    command = listening.ssh_command(here.port)
    if command:
        console.say("run.ssh", command=command)
