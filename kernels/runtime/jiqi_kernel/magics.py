"""%pip: says 已预装 instead of asking an index, installs to the user's folder, and makes it importable at once."""

from __future__ import annotations

import os
import shlex
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from IPython.core.magic import Magics, line_magic, magics_class
from packaging.requirements import InvalidRequirement, Requirement

from jiqi_kernel import packages
from jiqi_kernel.shadowing import outdated

_TEXTS = {
    "present": ("已预装：{what}，直接 import 即可。", "Already installed: {what}. Just import it."),
    "restart": (
        "已安装 {what}。正在使用的是另一个版本，重启后生效。",
        "Installed {what}; restart to use it.",
    ),
}


@magics_class
class PipMagics(Magics):
    """The line magic %pip of our kernels."""

    @line_magic
    def pip(self, line: str) -> None:
        """Run pip for this kernel: %pip install 包名."""
        present = already_present(line)
        if present:
            print(_text("present", what="、".join(present)))  # noqa: T201
            return
        shell: Any = self.shell
        module = "jiqi_kernel.pip" if packages.in_venv() else "pip"
        shell.system(f"{shlex.quote(sys.executable)} -m {module} {line}")
        user_base = os.environ.get("PYTHONUSERBASE")
        if shell.user_ns.get("_exit_code") == 0 and user_base and "JIQI_SAFE" not in os.environ:
            packages.use(user_base)
            changed = outdated(user_base)
            if changed:
                print(_text("restart", what="、".join(changed)))  # noqa: T201


def already_present(line: str) -> list[str]:
    """`name version` of each requirement, when the line only installs what is there; else nothing."""
    words = shlex.split(line)
    if not words or words[0] != "install":
        return []
    found: list[str] = []
    for word in (word for word in words[1:] if word not in {"-q", "--quiet", "-qq"}):
        try:
            requirement = Requirement(word)
            version = metadata.version(requirement.name)
        except (InvalidRequirement, metadata.PackageNotFoundError, ValueError):
            return []
        fits = requirement.specifier.contains(version, prereleases=True)
        if not fits or requirement.extras or requirement.url or requirement.marker or Path(word).exists():
            return []
        found.append(f"{requirement.name} {version}")
    return found


def _text(key: str, *, what: str) -> str:
    chinese, english = _TEXTS[key]
    return (english if os.environ.get("JIQI_LANG", "").startswith("en") else chinese).format(what=what)
