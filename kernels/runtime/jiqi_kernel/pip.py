"""pip for a kernel that runs in a virtual environment (the process host): installs to the user's folder.

In a venv, pip refuses --user and will not put another version of a bundled package there. Our kernels put the
user's folder first on sys.path, so neither objection holds. Run as `python -m jiqi_kernel.pip`.
"""

from __future__ import annotations

import site
import sys
from typing import Any


def main() -> int:
    """Run pip with its two questions about virtual environments answered no."""
    from pip._internal.utils import virtualenv  # type: ignore[import-untyped] # noqa: PLC0415

    questions: Any = virtualenv
    # Other modules of pip copy these names on import, so they are replaced before anything else is imported.
    questions.running_under_virtualenv = lambda: False
    questions.virtualenv_no_global = lambda: False
    site.ENABLE_USER_SITE = True
    from pip._internal.cli.main import main as pip_main  # type: ignore[import-untyped] # noqa: PLC0415

    return int(pip_main(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
