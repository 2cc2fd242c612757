"""Jupyter's sessions: the live kernels of SQL that have a document. Nothing is kept here."""

import contextlib
from pathlib import PurePosixPath
from typing import Any

from tornado import web

from jiqi.domain.kernels import Kernel, Target
from jiqi.web.jupyter.kernels import FollowedKernels, KernelSlowError
from jiqi.web.jupyter.opening import Wish, move

# A warm kernel is ready within this; a cold one is answered as `starting`, and its websocket waits.
CREATE_WAIT = 2.0


class FollowedSessions:
    """jupyter_server's session manager over one user's kernels."""

    def __init__(self, kernels: FollowedKernels) -> None:
        self._kernels = kernels

    def _rows(self) -> list[Kernel]:
        rows = self._kernels.records.values()
        return [row for row in rows if row.document is not None and row.target is Target.RUNNING]

    def row(self, session_id: str) -> Kernel:
        """Return the row of a session. Raises HTTPError 404."""
        found = next((row for row in self._rows() if row.session_id == session_id), None)
        if found is None:
            raise web.HTTPError(404, f"Session not found: session_id={session_id!r}")
        return found

    def model(self, kernel: Kernel) -> dict[str, Any]:
        """Return the REST model of a row."""
        path = kernel.document or ""
        name = kernel.session_name or PurePosixPath(path).name
        model: dict[str, Any] = {
            "id": kernel.session_id,
            "path": path,
            "name": name,
            "type": kernel.session_type,
            "kernel": self._kernels.model_of(kernel),
        }
        if kernel.session_type == "notebook":
            model["notebook"] = {"path": path, "name": name}
        return model

    async def list_sessions(self) -> list[dict[str, Any]]:
        """Return the user's sessions."""
        return [self.model(row) for row in self._rows()]

    async def get_session(self, *, session_id: str) -> dict[str, Any]:
        """Return one session. Raises HTTPError 404."""
        return self.model(self.row(session_id))

    async def create_session(self, wish: Wish, *, kernel_id: str | None) -> dict[str, Any]:
        """Return the session of a document, asking for a kernel when it has none.

        A kernel that the client names keeps its own session when it has a document, and gets this one when not.
        """
        if kernel_id is not None:
            return await self._attach(wish, kernel_id)
        kernel = await self._kernels.open(wish)
        with contextlib.suppress(KernelSlowError):
            await self._kernels.ready(kernel.id, seconds=CREATE_WAIT)
        return self.model(self._kernels.records[kernel.id])

    async def _attach(self, wish: Wish, kernel_id: str) -> dict[str, Any]:
        kernel = next((row for row in self._kernels.records.values() if row.id == kernel_id), None)
        if kernel is None:
            raise web.HTTPError(404, f"Kernel does not exist: {kernel_id}")
        if kernel.document is None:
            kernel = await self._move(kernel, path=wish.path, name=wish.name, kind=wish.kind)
        return self.model(kernel)

    async def update_session(self, session_id: str, changes: dict[str, str]) -> dict[str, Any]:
        """Move a session to another path or name, or put a kernel of another environment into it."""
        kernel = self.row(session_id)
        path = changes.get("path", kernel.document or "")
        name = changes.get("name", kernel.session_name)
        kind = changes.get("type", kernel.session_type)
        if (path, name, kind) != (kernel.document, kernel.session_name, kernel.session_type):
            kernel = await self._move(kernel, path=path, name=name, kind=kind)
        environment = changes.get("environment", kernel.environment)
        if environment != kernel.environment:
            wish = Wish(path=path, environment=environment, name=name, kind=kind)
            kernel = await self._kernels.change(kernel.id, wish)
        return self.model(self._kernels.records.get(kernel.id, kernel))

    async def delete_session(self, session_id: str) -> None:
        """Stop the session's kernel."""
        await self._kernels.shutdown_kernel(self.row(session_id).id)

    async def _move(self, kernel: Kernel, *, path: str, name: str, kind: str) -> Kernel:
        kernels = self._kernels
        moved = await kernels.shared.pool.run(
            move, kernels.shared, kernels.person, kernel, path=path, name=name, kind=kind
        )
        kernels.see(moved)
        return moved
