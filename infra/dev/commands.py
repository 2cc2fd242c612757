"""The commands of the bootstrap, each one function of its arguments that returns the exit status."""

from __future__ import annotations

import os
import sys

import clean
import launch
import places
import suite
from places import PYTHON
from python_env import platform_step
from steps import SetupError, Step, StepError

import kernels
from jiqi import console
from jiqi.supervisor.engine import Engine


def run(name: str, arguments: list[str]) -> int:
    """Run the command `name`; a problem is said in the console's language, with its code."""
    table = {
        "run": launch.run,
        "prepare": launch.prepare,
        "environment": environment,
        "images": images,
        "stop": stop,
        "doctor": doctor,
        "clean": clean.run,
        "test": suite.test,
        "check": suite.check,
    }
    try:
        return table[name](arguments)
    except SetupError as error:
        console.refuse(error.key, **error.params)
    except StepError as error:
        what = console.words(error.step) if error.step else name
        console.refuse("run.step_failed", what=what, tail=error.tail, log=error.log)
        if error.step == "run.step.kernels" and places.read().host != "process":
            console.say("run.without_images", to=sys.stderr)
    except KeyboardInterrupt:
        return 130
    return 1


def do(step: Step) -> None:
    """Do a step when it is stale, saying so."""
    if step.stale():
        console.write(f"· {console.words(step.name)}")
        step.run()


def environment(arguments: list[str]) -> int:
    """Make the kernel environment for use without Docker."""
    del arguments
    here = places.read()
    do(kernels.environment_step(here))
    console.write(str(here.kernel_environment / "bin" / "python"))
    return 0


def images(arguments: list[str]) -> int:
    """Build kernel images: torch-cpu first, which is enough to start."""
    here = places.read()
    do(platform_step(here))
    names = arguments or [kernels.FIRST, *kernels.LATER]
    # build.py says its own steps and sizes, so it keeps the terminal.
    return os.spawnv(os.P_WAIT, PYTHON, [str(PYTHON), str(kernels.BUILD), *names])


def stop(arguments: list[str]) -> int:
    """Stop this installation, kernels too."""
    return _jiqi("stop", arguments)


def doctor(arguments: list[str]) -> int:
    """Say what is missing on this machine, making the small part that is needed to look."""
    do(platform_step(places.read()))
    return _jiqi("doctor", arguments)


def _jiqi(command: str, arguments: list[str]) -> int:
    if not PYTHON.exists():
        console.say("stop.nothing")
        return 0
    os.environ.update(launch.kernel_settings(places.read(), isolated=Engine().version() is not None))
    sys.stdout.flush()
    return os.spawnv(os.P_WAIT, PYTHON, [str(PYTHON), "-m", "jiqi", command, *arguments])
