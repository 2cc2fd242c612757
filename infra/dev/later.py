"""Builds images after the product is up, with low priority: later.py STATE NAME… (make run starts it)."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from places import read
from steps import StepError

from jiqi.supervisor import instance
from kernels import image_step


def main(state: Path, names: list[str]) -> int:
    """Wait until the instance of `state` is ready, then build; end when it is gone."""
    while True:
        found = instance.running(state)
        if found is None:
            return 0
        if found.stage == "ready":
            break
        time.sleep(1)
    # A person is at work on this machine by now.
    os.nice(15)
    here = read()
    for name in names:
        try:
            image_step(here, name).run()
        except StepError as error:
            print(error.tail, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
