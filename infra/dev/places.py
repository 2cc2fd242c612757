"""Where things of a clone are, and the few settings that matter before the package can be imported."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMPS = ROOT / ".cache" / "stamps"
FRONTEND = ROOT / "frontend"
REQUIREMENTS = ROOT / "requirements"
IMAGES = ROOT / "kernels" / "images"


@dataclass(frozen=True, kw_only=True)
class Places:
    """The settings that the bootstrap and `jiqi up` read alike (docs/settings.md)."""

    state: Path
    listen: str
    port: int
    internal_port: int
    portal_url: str
    host: str

    @property
    def logs(self) -> Path:
        """Where every step writes its output."""
        return self.state / "logs"

    @property
    def kernel_environment(self) -> Path:
        """The virtual environment of kernels without Docker."""
        return self.state / "envs" / "torch-cpu"


def read() -> Places:
    """Return the settings of this environment; a port that is no number is left to `jiqi up` to refuse."""
    env = os.environ
    port = _number(env.get("JIQI_PORT"), 8000)
    return Places(
        state=Path(env.get("JIQI_STATE") or ROOT / ".jiqi").resolve(),
        listen=env.get("JIQI_LISTEN") or "127.0.0.1",
        port=port,
        internal_port=_number(env.get("JIQI_INTERNAL_PORT"), port + 1),
        portal_url=(env.get("JIQI_PORTAL_URL") or f"http://localhost:{port}").rstrip("/"),
        host=env.get("JIQI_HOST") or "auto",
    )


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isdigit() else default
