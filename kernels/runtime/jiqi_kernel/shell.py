"""The interactive shell of a Jiqi kernel: IPython's, with a way out where a closed network is the reason."""

from __future__ import annotations

import os
from typing import Any

from ipykernel.zmqshell import ZMQInteractiveShell

from jiqi_kernel import network, packages
from jiqi_kernel.magics import PipMagics


class JiqiShell(ZMQInteractiveShell):
    """Adds the hint `net.closed` to network errors, %pip, and packages installed while the kernel runs."""

    def init_magics(self) -> None:
        """Register IPython's magics, then ours over them."""
        super().init_magics()
        self.register_magics(PipMagics)

    def settle(self, *, watch_packages: bool) -> None:
        """Once the kernel has its user: notice the site directory that a cell's `!pip` creates."""
        if watch_packages:
            self.events.register("post_run_cell", _find_new_packages)

    def _showtraceback(self, etype: type[BaseException], evalue: BaseException, stb: list[str]) -> None:
        if network.is_closed() and network.is_network_error(evalue):
            stb = [*stb, "", network.hint()]
        super()._showtraceback(etype, evalue, stb)

    def system_piped(self, cmd: str) -> None:
        """Run a shell line; one that could not download is followed by the hint."""
        super().system_piped(cmd)
        self._explain(cmd)

    system = system_piped

    def _explain(self, command: str) -> None:
        if network.is_closed() and self.user_ns.get("_exit_code") and network.is_download(command):
            print(network.hint())  # noqa: T201


def _find_new_packages(_result: Any) -> None:
    user_base = os.environ.get("PYTHONUSERBASE")
    if user_base:
        packages.use(user_base)
