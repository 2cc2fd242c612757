"""Entry points: `python -m jiqi_kernel serve` is a container's main process, `cold` a kernel without preload."""

from __future__ import annotations

import argparse
import os
import site
import socket
import sys
from pathlib import Path


def main(arguments: list[str]) -> int:
    """Parse the command line and serve."""
    parser = argparse.ArgumentParser(prog="jiqi_kernel")
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="hold the preloaded frameworks and start kernels on request")
    serve.add_argument("--run", type=Path, required=True, help="folder of the control socket")
    serve.add_argument(
        "--preload", default=os.environ.get("JIQI_PRELOAD", ""), help="modules, separated by commas"
    )
    serve.add_argument(
        "--standby-delay", type=float, default=1.0, help="seconds from a start to the next standby"
    )
    cold = commands.add_parser("cold", help="one kernel in this interpreter, for a forkserver")
    cold.add_argument("--channel", type=int, required=True)
    cold.add_argument("--folder", type=Path, required=True)
    options = parser.parse_args(arguments)
    _forget_working_directory()
    if options.command == "cold":
        return _cold(options.channel, folder=options.folder)
    return _serve(
        options.run,
        modules=[name for name in options.preload.split(",") if name],
        delay=options.standby_delay,
    )


def _serve(run: Path, *, modules: list[str], delay: float) -> int:
    # The preloaded process belongs to nobody: no user's packages may be imported into it.
    if not sys.flags.no_user_site and site.ENABLE_USER_SITE and site.getusersitepackages() in sys.path:
        os.execv(sys.executable, [sys.executable, "-s", "-m", "jiqi_kernel", *sys.argv[1:]])  # noqa: S606
    from jiqi_kernel import limits  # noqa: PLC0415
    from jiqi_kernel.forkserver import Forkserver  # noqa: PLC0415
    from jiqi_kernel.preload import preload  # noqa: PLC0415

    limits.for_forkserver()
    run.mkdir(parents=True, exist_ok=True)
    run = run.resolve()
    os.chdir(run)
    # The user's home is not there yet; IPython's modules look for their folder when imported.
    os.environ["IPYTHONDIR"] = str(run / "ipython")
    Forkserver(run, preloaded=preload(modules), standby_delay=delay).serve()
    return 0


def _cold(channel: int, *, folder: Path) -> int:
    from jiqi_kernel import launch, preload  # noqa: PLC0415

    parent = os.getppid()
    os.umask(0o007)
    preload.settle_environment()
    launch.run(socket.socket(fileno=channel), parent=parent, folder=folder, prefix=str(folder))
    return 1


def _forget_working_directory() -> None:
    """`python -m` puts the working directory on sys.path; a file of the user's could pose as a module there."""
    here = str(Path.cwd())
    sys.path[:] = [entry for entry in sys.path if entry not in {"", here}]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
