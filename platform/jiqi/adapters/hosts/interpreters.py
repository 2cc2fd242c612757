"""The interpreter of the process host: which frameworks it finds, and what its kernels are started with."""

import hashlib
import json
import os
import subprocess
import sys
from functools import cached_property
from pathlib import Path
from typing import Any

import structlog

from jiqi.adapters.images import ImageFile, image_files
from jiqi.config import Settings
from jiqi.domain.kernels import Environment

log = structlog.get_logger()
_PROBE = """
import importlib.util as u, json, sys
def has(name):
    try:
        return u.find_spec(name) is not None
    except Exception:
        return False
print(json.dumps({name: has(name) for name in sys.argv[1:]}))
"""
_SECONDS = 30


class Interpreter:
    """`settings.kernel_python`, or the interpreter that runs Jiqi."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.path = settings.kernel_python or Path(sys.executable)
        self._runtime = settings.root / "kernels" / "runtime"

    def environments(self) -> tuple[Environment, ...]:
        """Return the environments whose framework can be imported, preloading what is there."""
        images = image_files(self._settings.images)
        tops = {name.partition(".")[0] for image in images for name in (image.framework, *image.preload)}
        there = self._probe(sorted(tops | {"ipykernel", "jiqi_kernel"}))
        if not there.get("ipykernel") or not there.get("jiqi_kernel"):
            return ()
        return tuple(self._environment(image, there) for image in images if there.get(image.framework))

    def variables(self, environment: Environment) -> dict[str, str]:
        """Return a small environment: the search path and the language, nothing of Jiqi's own."""
        threads = str(max(1, round(environment.cpus)))
        kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
        return kept | {
            "PATH": f"{self.path.parent}:{os.environ.get('PATH', '/usr/bin:/bin')}",
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "OMP_NUM_THREADS": threads,
            "MKL_NUM_THREADS": threads,
            "OPENBLAS_NUM_THREADS": threads,
            "PIP_USER": "1",
            "JIQI_IMAGE": environment.name,
            **self._python_path,
        }

    def identity(self) -> dict[str, Any]:
        """Return the user to run as: root gives up its rights where the interpreter can be reached without them."""
        return self._identity

    @cached_property
    def _identity(self) -> dict[str, Any]:
        if os.getuid() != 0:
            return {}
        settings = self._settings
        other = {"user": settings.kernel_uid, "group": settings.kernel_gid, "extra_groups": []}
        if self._run(["-c", "import ipykernel, jiqi_kernel"], **other) is None:
            log.warning("kernels_run_as_root", python=str(self.path))
            return {}
        return other

    @property
    def _python_path(self) -> dict[str, str]:
        return {"PYTHONPATH": str(self._runtime)} if self._runtime.is_dir() else {}

    def _probe(self, names: list[str]) -> dict[str, bool]:
        text = self._run(["-c", _PROBE, *names])
        return json.loads(text) if text is not None else {}

    def _environment(self, image: ImageFile, there: dict[str, bool]) -> Environment:
        preload = tuple(name for name in image.preload if there.get(name.partition(".")[0]))
        mark = f"{self.path}:{image.version}:{','.join(preload)}"
        return image.environment(digest=hashlib.sha256(mark.encode()).hexdigest()[:16], preload=preload)

    def _run(self, arguments: list[str], **identity: Any) -> str | None:
        try:
            done = subprocess.run(
                [self.path, *arguments],
                capture_output=True,
                text=True,
                timeout=_SECONDS,
                check=True,
                env={"PATH": "/usr/bin:/bin", **self._python_path},
                cwd="/",
                **identity,
            )
        except (OSError, subprocess.SubprocessError) as error:
            log.debug("interpreter_refused", python=str(self.path), error=str(error))
            return None
        return str(done.stdout)
