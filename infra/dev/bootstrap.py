"""Prepare and start Jiqi from a clone: python3 infra/dev/bootstrap.py run|prepare|stop|clean|test…

Only the standard library. This file must be readable by any Python 3, since its first job is to find a new enough
one; everything else is in the modules beside it.
"""

import os
import shutil
import sys
from pathlib import Path

LEAST = (3, 11)
NEWER = ("python3.14", "python3.13", "python3.12", "python3.11")
COMMANDS = ("run", "prepare", "environment", "images", "stop", "clean", "doctor", "test", "check")


def find_newer() -> None:
    """Replace this process by a new enough Python, or say what to install."""
    for name in NEWER:
        path = shutil.which(name)
        if path is not None:
            os.execv(path, [path, *sys.argv])
    version = ".".join(str(part) for part in sys.version_info[:3])
    sys.stderr.write(
        f"✗ 需要 Python 3.11 或更新，找到的是 {version}。Debian/Ubuntu：apt install python3.11 python3.11-venv\n"
        f"  Python 3.11 or newer is needed, found {version}.  [python.too_old]\n"
    )
    sys.exit(1)


def main() -> int:
    """Run one command."""
    if sys.version_info < LEAST:
        find_newer()
    here = Path(__file__).resolve().parent
    sys.path[:0] = [str(here), str(here.parents[1] / "platform")]
    import commands  # noqa: PLC0415

    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.stderr.write("bootstrap.py {}\n".format("|".join(COMMANDS)))
        return 2
    return commands.run(sys.argv[1], sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
