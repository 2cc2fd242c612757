"""JupyterLab's addresses below `/user/<id>/lab`: page, settings, workspaces, language packs; and its static files."""

import json
from pathlib import Path
from typing import Any

import jupyter_server
from jupyter_server.base.handlers import APIHandler, JupyterHandler
from tornado import web

from jiqi.domain.errors import BadInputError
from jiqi.web.jupyter.lab import Lab, locale_of
from jiqi.web.jupyter.lab_store import LabStore

LAB = Lab()
_YEAR = "public, max-age=31536000, immutable"
_NAME_MOST, _PATH_MOST = 255, 1024
_DAY = "public, max-age=86400"


def _store(handler: Any) -> LabStore:
    person = handler.arrival.principal.user
    folder = handler.shared.own(person) / "lab"
    return LabStore(LAB, folder, default_locale=locale_of(person.language))


class LabPageHandler(JupyterHandler):  # type: ignore[misc]
    """`lab`, `lab/tree/<path>`, `lab/workspaces/<name>`, `doc/…`."""

    @web.authenticated
    async def get(self: Any, mode: str, workspace: str | None = None, tree: str | None = None) -> None:
        """Return the page."""
        self.xsrf_token  # noqa: B018  (sets the cookie that the page's script reads)
        html = await self.shared.pool.run(
            LAB.page,
            base_url=self.base_url,
            language=self.arrival.principal.user.language,
            mode=mode,
            workspace=(workspace or "/workspaces/default").removeprefix("/workspaces/"),
            tree=(tree or "").removeprefix("/tree/"),
        )
        self.set_header("Cache-Control", "no-store")
        self.finish(html)


class SettingsHandler(APIHandler):  # type: ignore[misc]
    """`lab/api/settings` and `lab/api/settings/<schema>`."""

    @web.authenticated
    async def get(self: Any, schema_name: str) -> None:
        """Return one setting or all."""
        store = _store(self)
        if schema_name:
            self.finish(json.dumps(await self.shared.pool.run(store.setting, schema_name)))
            return
        ids_only = self.get_query_argument("ids_only", "") == "true"
        self.finish(await self.shared.pool.run(store.settings, ids_only=ids_only))

    @web.authenticated
    async def put(self: Any, schema_name: str) -> None:
        """Save one."""
        body = self.get_json_body()
        if not isinstance(body, dict):
            raise BadInputError(where="raw")
        await self.shared.pool.run(_store(self).save_setting, schema_name, body.get("raw"))
        self.set_status(204)
        self.finish()


class WorkspacesHandler(APIHandler):  # type: ignore[misc]
    """`lab/api/workspaces` and `lab/api/workspaces/<name>`."""

    @web.authenticated
    async def get(self: Any, space_name: str) -> None:
        """Return one workspace or all."""
        store = _store(self)
        answer = await (
            self.shared.pool.run(store.workspace, space_name)
            if space_name
            else self.shared.pool.run(store.workspaces)
        )
        self.finish(json.dumps(answer))

    @web.authenticated
    async def put(self: Any, space_name: str) -> None:
        """Save one."""
        if not space_name:
            raise BadInputError(where="workspace")
        await self.shared.pool.run(_store(self).save_workspace, space_name, self.request.body)
        self.set_status(204)
        self.finish()

    @web.authenticated
    async def delete(self: Any, space_name: str) -> None:
        """Remove one."""
        await self.shared.pool.run(_store(self).delete_workspace, space_name)
        self.set_status(204)
        self.finish()


class TranslationsHandler(APIHandler):  # type: ignore[misc]
    """`lab/api/translations` and `lab/api/translations/<locale>`."""

    @web.authenticated
    async def get(self: Any, locale: str) -> None:
        """Return a language pack, or which there are."""
        store = _store(self)
        chosen = await self.shared.pool.run(store.locale)
        if not locale:
            self.finish(await self.shared.pool.run(LAB.languages, display=chosen))
            return
        self.set_header("Cache-Control", "private, max-age=3600")
        self.finish(await self.shared.pool.run(LAB.pack, chosen if locale == "default" else locale))


class PackageFiles(web.StaticFileHandler):
    """Files of installed packages, the same for everybody: no login, no cookie, long kept by browsers."""

    def initialize(self, folders: list[str], keep: str) -> None:  # type: ignore[override]
        """Serve the first of `folders` that has the file."""
        self._folders, self._keep = folders, keep
        super().initialize(folders[0])

    def set_extra_headers(self, path: str) -> None:
        """Let browsers keep it."""
        del path
        self.set_header("Cache-Control", self._keep)
        self.set_header("X-Content-Type-Options", "nosniff")

    def parse_url_path(self, url_path: str) -> str:
        """Choose the folder that has the file; what no file can be called is not found."""
        path = super().parse_url_path(url_path)
        if "\0" in path or any(len(part.encode("utf-8", "replace")) > _NAME_MOST for part in path.split("/")):
            raise web.HTTPError(404)
        if len(path) > _PATH_MOST:
            raise web.HTTPError(404)
        for folder in self._folders:
            if (Path(folder) / path).is_file():
                self.root = folder
                self.allowed_symlink_directory = folder
                break
        return path


def package_routes() -> list[Any]:
    """Return the routes for files of packages, in every user's namespace; `/user/_/…` is nobody's and best cached."""
    favicons = Path(jupyter_server.__file__).parent / "static" / "favicons"
    served = (
        (r"/user/[^/]+/static/lab/(.*)", [str(LAB.folder / "static")], _YEAR),
        (r"/user/[^/]+/lab/extensions/(.*)", LAB.extensions, _DAY),
        (r"/user/[^/]+/lab/api/themes/(.*)", [str(LAB.folder / "themes"), *_themes()], _DAY),
        (r"/user/[^/]+/static/favicons/(.*)", [str(favicons)], _DAY),
    )
    return [
        (pattern, PackageFiles, {"folders": folders, "keep": keep})
        for pattern, folders, keep in served
        if folders
    ]


def _themes() -> list[str]:
    return [
        str(path) for folder in LAB.extensions for path in Path(folder).glob("**/themes") if path.is_dir()
    ]
