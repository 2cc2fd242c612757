"""The kernel class: IPython's, whose execute_input says which cell of which document it belongs to."""

from __future__ import annotations

from typing import Any

from ipykernel.ipkernel import IPythonKernel
from traitlets import Type

from jiqi_kernel.shell import JiqiShell

_MAX_ID = 256


class JiqiKernel(IPythonKernel):
    """Request metadata is echoed nowhere in Jupyter's protocol; this puts cell and document on IOPub."""

    shell_class = Type(JiqiShell)

    def _publish_execute_input(self, code: str, parent: dict[str, Any], execution_count: int) -> None:
        if not self.session:
            return
        self.session.send(
            self.iopub_socket,
            "execute_input",
            {"code": code, "execution_count": execution_count},
            parent=parent,
            ident=self._topic("execute_input"),
            metadata={"jiqi": origin(parent.get("metadata"))},
        )


def origin(metadata: object) -> dict[str, str]:
    """`cell` and `doc` of an execute request's metadata (`cellId`, `jiqi.doc`), as far as they are plain ids."""
    if not isinstance(metadata, dict):
        return {}
    jiqi = metadata.get("jiqi")
    found = {"cell": metadata.get("cellId"), "doc": jiqi.get("doc") if isinstance(jiqi, dict) else None}
    return {name: value for name, value in found.items() if isinstance(value, str) and len(value) <= _MAX_ID}
