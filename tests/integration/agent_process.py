"""An agent like any other, except that it is killed after the step that the file KILL_FILE names."""

import os
import signal
import sys
from pathlib import Path

import structlog

from jiqi import logs, wiring_workers
from jiqi.config import load

log = structlog.get_logger()


def trace(step: str) -> None:
    """Die without a word at the wanted step, once."""
    log.info("step", step=step)
    wanted = Path(os.environ["KILL_FILE"])
    if wanted.exists() and wanted.read_text() == step:
        wanted.unlink()
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    settings = load()
    logs.configure(form="console", level="info", process="agent")
    log.info("agent_begins")
    try:
        wiring_workers.run_agent(settings, trace=trace)
    except Exception as error:
        log.error("agent_refused", error=str(error))  # noqa: TRY400
        sys.exit(3)
