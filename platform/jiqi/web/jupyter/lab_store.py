"""One user's JupyterLab settings and workspaces: small files in the server's own folder. Runs in the pool."""

import json
from pathlib import Path
from typing import Any

import json5
from jsonschema import Draft7Validator, ValidationError  # type: ignore[import-untyped]
from jupyter_server._tz import utcfromtimestamp
from jupyterlab_server.workspaces_handler import WorkspacesManager, slugify

from jiqi.domain.errors import BadInputError, NotFoundError
from jiqi.web.jupyter.lab import LOCALES, TRANSLATION_SCHEMA, Lab

_SUFFIX = ".jupyterlab-settings"
SETTING_BYTES = 64 * 1024
WORKSPACE_BYTES = 1024 * 1024
WORKSPACES_MOST = 50


class LabStore:
    """Files below `folder`; schema names are taken only when they exist, so that none leads elsewhere."""

    def __init__(self, lab: Lab, folder: Path, *, default_locale: str) -> None:
        self._lab, self._default = lab, default_locale
        self._settings = folder / "settings"
        self._spaces = folder / "workspaces"

    def locale(self) -> str:
        """Return the language that the person chose in JupyterLab, else his own."""
        chosen = self._user_values(TRANSLATION_SCHEMA).get("locale")
        return chosen if chosen in LOCALES else self._default

    def setting(self, name: str) -> dict[str, Any]:
        """Return a schema and the person's values. Raises NotFoundError."""
        entry = self._schemas().get(name)
        if entry is None:
            raise NotFoundError(setting=name)
        public = {key: entry[key] for key in ("id", "schema", "version")}
        return {**public, **self._user(name)}

    def settings(self, *, ids_only: bool) -> bytes:
        """Return the answer to the page's one big question."""
        schemas = self._schemas()
        names = sorted(schemas, reverse=True)
        if ids_only:
            return json.dumps({"settings": [{"id": name} for name in names]}).encode()
        entries = []
        for name in names:
            rest = json.dumps({"id": name, "version": schemas[name]["version"], **self._user(name)})
            entries.append(f'{rest[:-1]}, "schema": {schemas[name]["text"]}}}')
        return f'{{"settings": [{", ".join(entries)}]}}'.encode()

    def save_setting(self, name: str, raw: object) -> None:
        """Check and write. Raises NotFoundError, BadInputError."""
        entry = self._schemas().get(name)
        if entry is None:
            raise NotFoundError(setting=name)
        if not isinstance(raw, str) or len(raw.encode()) > SETTING_BYTES:
            raise BadInputError(where="raw", limit=SETTING_BYTES)
        try:
            Draft7Validator(entry["schema"]).validate(json5.loads(raw))
        except (ValueError, ValidationError, RecursionError) as error:
            raise BadInputError(where=name) from error
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.write_text(raw, encoding="utf-8")

    def _schemas(self) -> dict[str, dict[str, Any]]:
        return self._lab.schemas(default=self._default, locale=self.locale())

    def _path(self, name: str) -> Path:
        package, _, plugin = name.partition(":")
        return self._settings / package / f"{plugin}{_SUFFIX}"

    def _user(self, name: str) -> dict[str, Any]:
        path = self._path(name)
        if not path.is_file():
            return {"raw": "{}", "settings": {}, "warning": None, "last_modified": None, "created": None}
        stat = path.stat()
        return {
            "raw": path.read_text(encoding="utf-8"),
            "settings": self._user_values(name),
            "warning": None,
            "last_modified": utcfromtimestamp(stat.st_mtime).isoformat(),
            "created": utcfromtimestamp(stat.st_ctime).isoformat(),
        }

    def _user_values(self, name: str) -> dict[str, Any]:
        try:
            values = json5.loads(self._path(name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return values if isinstance(values, dict) else {}

    # Workspaces: which panels were open where.

    def workspaces(self) -> dict[str, Any]:
        """Return all of them."""
        listed = WorkspacesManager(str(self._spaces)).list_workspaces()
        return {"workspaces": {"ids": [entry["metadata"]["id"] for entry in listed], "values": listed}}

    def workspace(self, name: str) -> dict[str, Any]:
        """Return one, empty when it was never saved."""
        loaded: dict[str, Any] = WorkspacesManager(str(self._spaces)).load(name)
        return loaded

    def save_workspace(self, name: str, raw: bytes) -> None:
        """Write one. Raises BadInputError."""
        manager = WorkspacesManager(str(self._spaces))
        new = not (self._spaces / f"{slugify(name)}.jupyterlab-workspace").exists()
        if len(raw) > WORKSPACE_BYTES or (new and len(manager.list_workspaces()) >= WORKSPACES_MOST):
            raise BadInputError(where="workspace", limit=WORKSPACE_BYTES)
        self._spaces.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            manager.save(name, raw.decode())
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadInputError(where="workspace") from error

    def delete_workspace(self, name: str) -> None:
        """Remove one. Raises NotFoundError."""
        try:
            WorkspacesManager(str(self._spaces)).delete(name)
        except FileNotFoundError as error:
            raise NotFoundError(workspace=name) from error
