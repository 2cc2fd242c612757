"""Kernels, sessions and kernelspecs over REST: jupyter_server's addresses and answers, from SQL's rows."""

import json
from typing import Any

from jupyter_client.jsonutil import json_default
from jupyter_server.auth.decorator import authorized
from jupyter_server.services.kernels import handlers as stock_kernels
from jupyter_server.services.kernelspecs import handlers as stock_specs
from jupyter_server.services.sessions import handlers as stock_sessions
from jupyter_server.utils import url_path_join
from tornado import web

from jiqi.domain.errors import BadInputError, NotFoundError
from jiqi.web.jupyter.handlers import Ours
from jiqi.web.jupyter.kernels import FollowedKernels
from jiqi.web.jupyter.kernelspecs import spec_model, specs_answer
from jiqi.web.jupyter.opening import Wish
from jiqi.web.jupyter.sessions import FollowedSessions


class KernelsHandler(Ours, stock_kernels.MainKernelHandler):  # type: ignore[misc]
    """`api/kernels`: list and start, as stock does."""


class KernelHandler(Ours, stock_kernels.KernelHandler):  # type: ignore[misc]
    """`api/kernels/<id>`: one that has ended is still told, with state `dead` and the reason."""

    @web.authenticated
    @authorized
    async def get(self, kernel_id: str) -> None:
        """Return the model of a kernel of mine."""
        kernels: FollowedKernels = self.settings["kernel_manager"]
        self.finish(json.dumps(await kernels.model_or_ended(kernel_id), default=json_default))


class KernelActionHandler(Ours, stock_kernels.KernelActionHandler):  # type: ignore[misc]
    """`api/kernels/<id>/interrupt` and `/restart`."""

    @web.authenticated
    @authorized
    async def post(self, kernel_id: str, action: str) -> None:
        """Interrupt or restart, and answer when the kernel's host has done it."""
        kernels: FollowedKernels = self.settings["kernel_manager"]
        if action == "interrupt":
            await kernels.interrupt_kernel(kernel_id)
            self.set_status(204)
            self.finish()
            return
        await kernels.restart_kernel(kernel_id)
        self.finish(json.dumps(kernels.kernel_model(kernel_id), default=json_default))


class SessionsHandler(Ours, stock_sessions.SessionRootHandler):  # type: ignore[misc]
    """`api/sessions`."""

    @web.authenticated
    @authorized
    async def post(self) -> None:
        """Return the session of a path, asking for a kernel when it has none."""
        model = _body(self.get_json_body())
        old_form = model.get("notebook")
        if isinstance(old_form, dict):
            model = {"type": "notebook", "path": old_form.get("path") or old_form.get("name"), **model}
        kernel = model.get("kernel") or {}
        wish = Wish(
            path=_text(model, "path"),
            environment=_text(kernel, "name", default=""),
            name=_text(model, "name", default=""),
            kind=_text(model, "type"),
        )
        sessions: FollowedSessions = self.settings["session_manager"]
        session = await sessions.create_session(wish, kernel_id=kernel.get("id"))
        self.set_header("Location", url_path_join(self.base_url, "api", "sessions", session["id"]))
        self.set_status(201)
        self.finish(json.dumps(session, default=json_default))


class SessionHandler(Ours, stock_sessions.SessionHandler):  # type: ignore[misc]
    """`api/sessions/<id>`."""

    @web.authenticated
    @authorized
    async def patch(self, session_id: str) -> None:
        """Move a session, rename it, or give it a kernel of another environment."""
        model = _body(self.get_json_body())
        old_form = model.get("notebook")
        if isinstance(old_form, dict) and "path" in old_form:
            model["path"] = old_form["path"]
        changes = {key: _text(model, key) for key in ("path", "name", "type") if model.get(key) is not None}
        sessions: FollowedSessions = self.settings["session_manager"]
        kernel = model.get("kernel") or {}
        if kernel.get("id") is not None and kernel["id"] != sessions.row(session_id).id:
            # A kernel has one document here; another one's cannot be taken away.
            raise BadInputError(where="kernel.id")
        if kernel.get("name") is not None and kernel.get("id") is None:
            changes["environment"] = _text(kernel, "name")
        self.finish(json.dumps(await sessions.update_session(session_id, changes), default=json_default))

    @web.authenticated
    @authorized
    async def delete(self, session_id: str) -> None:
        """Stop the session's kernel."""
        sessions: FollowedSessions = self.settings["session_manager"]
        await sessions.delete_session(session_id)
        self.set_status(204)
        self.finish()


class KernelSpecsHandler(Ours, stock_specs.KernelSpecsAPIHandler):  # type: ignore[misc]
    """`api/kernelspecs`."""

    @web.authenticated
    @authorized
    async def get(self) -> None:
        """Return what the hosts can run."""
        environments = await self.shared.environments.read()
        self.finish(json.dumps(specs_answer(environments, language=self.arrival.principal.user.language)))


class KernelSpecHandler(Ours, stock_specs.KernelSpecsAPIHandler):  # type: ignore[misc]
    """`api/kernelspecs/<name>`."""

    @web.authenticated
    @authorized
    async def get(self, kernel_name: str) -> None:
        """Return one environment. Raises NotFoundError."""
        for environment in await self.shared.environments.read():
            if environment.name == kernel_name:
                language = self.arrival.principal.user.language
                self.finish(json.dumps(spec_model(environment, language=language)))
                return
        raise NotFoundError(environment=kernel_name)


def _body(model: dict[str, Any] | None) -> dict[str, Any]:
    if not isinstance(model, dict):
        raise BadInputError(where="body")
    return model


def _text(model: dict[str, Any], key: str, *, default: str | None = None) -> str:
    value = model.get(key) if isinstance(model, dict) else None
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise BadInputError(where=key)
    return value
