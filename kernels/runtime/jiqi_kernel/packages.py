"""The user's own packages: where they lie, and how they come before the image's on sys.path."""

from __future__ import annotations

import importlib
import os
import site
import sys
from pathlib import Path


def site_dir(user_base: str) -> Path:
    """The folder that `pip install --user` fills below PYTHONUSERBASE, for this Python."""
    return (
        Path(user_base) / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    )


def in_venv() -> bool:
    """Whether this Python is a virtual environment, where pip and site.py know no user packages."""
    return sys.prefix != sys.base_prefix


def environment(user_base: str) -> dict[str, str]:
    """Variables under which pip installs to the user's folder and child interpreters find it."""
    found = {
        "PYTHONUSERBASE": user_base,
        "PIP_USER": "1",
        "PATH": f"{user_base}/bin:{os.environ.get('PATH', os.defpath)}",
    }
    if in_venv():
        others = os.environ.get("PYTHONPATH")
        found["PYTHONPATH"] = os.pathsep.join([str(site_dir(user_base)), *([others] if others else [])])
    return found


def use(user_base: str) -> bool:
    """Put the user's site directory before the image's, as site.py does; False when there is none."""
    folder = str(site_dir(user_base))
    site.USER_BASE, site.USER_SITE, site.ENABLE_USER_SITE = user_base, folder, True
    if folder in sys.path or not os.path.isdir(folder):  # noqa: PTH112 - false for whatever cannot be a folder
        return folder in sys.path
    before = list(sys.path)
    site.addsitedir(folder)
    added = [entry for entry in sys.path if entry not in before]
    first = next((i for i, entry in enumerate(before) if _is_site(entry)), len(before))
    sys.path[:] = [*before[:first], *added, *before[first:]]
    importlib.invalidate_caches()
    return True


def _is_site(entry: str) -> bool:
    return entry.endswith(("site-packages", "dist-packages"))
