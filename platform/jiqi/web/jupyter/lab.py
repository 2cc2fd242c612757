"""JupyterLab as shared data: page, schemas, language packs and static files, read once per process at its first use.

No `LabApp` is built: its extension manager, builds, news and licences do not exist here, and a user costs nothing.
"""

import json
import threading
from copy import deepcopy
from functools import cached_property
from pathlib import Path
from typing import Any

from jinja2 import Environment as Templates
from jinja2 import FileSystemLoader
from jupyter_core.paths import jupyter_path
from jupyter_server import version_info
from jupyterlab import __version__ as lab_version
from jupyterlab.commands import get_app_dir
from jupyterlab_server.config import get_page_config
from jupyterlab_server.settings_utils import get_settings
from jupyterlab_server.translation_utils import get_language_pack, get_language_packs, translator

TRANSLATION_SCHEMA = "@jupyterlab/translation-extension:plugin"
LOCALES = ("zh_CN", "en")
# What these plugins ask the server for does not exist; without them nobody is shown a broken panel.
_DISABLED = (
    "@jupyterlab/extensionmanager-extension",
    "@jupyterlab/pluginmanager-extension",
    "@jupyterlab/apputils-extension:announcements",
    "@jupyterlab/terminal-extension",
    "@jupyterlab/apputils-extension:licenses-plugin",
    "@jupyterlab/notebook-extension:export",
    "@jupyterlab/lsp-extension",
    "@jupyterlab/notebook-extension:language-server",
    "@jupyterlab/fileeditor-extension:language-server",
    "@jupyterlab/hub-extension",
)
_OVERRIDES = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}


def locale_of(language: str) -> str:
    """Return JupyterLab's name for a person's language."""
    return "en" if language == "en" else "zh_CN"


class Lab:
    """Everything of JupyterLab that is the same for all users. What is cached here is never changed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._schemas: dict[str, dict[str, dict[str, Any]]] = {}
        self._packs: dict[str, bytes] = {}

    @cached_property
    def folder(self) -> Path:
        """Where JupyterLab's static files, schemas and themes lie."""
        return Path(get_app_dir())

    @cached_property
    def extensions(self) -> list[str]:
        """Folders of installed front-end extensions, such as the one of ipywidgets."""
        return [path for path in jupyter_path("labextensions") if Path(path).is_dir()]

    @cached_property
    def template(self) -> Any:
        """The page."""
        loader = FileSystemLoader(str(self.folder / "static"))
        return Templates(loader=loader, autoescape=True).get_template("index.html")

    @cached_property
    def page_config(self) -> dict[str, Any]:
        """What the page is told, without what depends on the user."""
        config: dict[str, Any] = {
            "appName": "JupyterLab",
            "appNamespace": "lab",
            "appUrl": "/lab",
            "appVersion": lab_version,
            "allow_hidden_files": False,
            "buildAvailable": False,
            "buildCheck": False,
            "cacheFiles": True,
            "copyAbsolutePath": False,
            "delete_to_trash": False,
            "devMode": False,
            "exposeAppInBrowser": False,
            "extensionManager": {"name": "read-only", "can_install": False, "install_path": None},
            "fullMathjaxUrl": "",
            "ignorePlugins": [],
            "mathjaxConfig": "TeX-AMS_HTML-full,Safe",
            "news": {"disabled": True},
            "notebookStartsKernel": True,
            "notebookVersion": json.dumps(list(version_info)),
            "preferredPath": "/",
            "quitButton": False,
            "serverRoot": "",
            "store_id": 0,
            "terminalsAvailable": False,
            "token": "",
            **_urls(""),
        }
        found = get_page_config(self.extensions, str(self.folder / "settings"))
        disabled = list(dict.fromkeys([*found.pop("disabledExtensions", []), *_DISABLED]))
        return {**config, **found, "disabledExtensions": disabled}

    def page(self, *, base_url: str, language: str, mode: str, workspace: str, tree: str) -> str:
        """Return the page for one user; blocks at its first use."""
        config = {
            **self.page_config,
            **_urls(base_url),
            "fullStaticUrl": "/user/_/static/lab",
            "mode": "single-document" if mode == "doc" else "multiple-document",
            "workspace": workspace,
            "treePath": tree,
        }
        html: str = self.template.render(page_config=config, base_url=base_url, ws_url="", custom_css=False)
        return html.replace('<html lang="en">', f'<html lang="{"en" if language == "en" else "zh-CN"}">', 1)

    def schemas(self, *, default: str, locale: str) -> dict[str, dict[str, Any]]:
        """Return every settings schema by id, its texts in `locale`; `default` is the language before any choice."""
        key = f"{default}/{locale}"
        with self._lock:  # the translator's locale is one for the process
            if key not in self._schemas:
                overrides = {**_OVERRIDES, TRANSLATION_SCHEMA: {"locale": default}}
                translator.set_locale(locale)
                answer, _ = get_settings(
                    str(self.folder / "settings"),
                    str(self.folder / "schemas"),
                    "/nonexistent",
                    overrides=deepcopy(overrides),
                    labextensions_path=self.extensions,
                    translator=translator.translate_schema,
                )
                self._schemas[key] = {
                    entry["id"]: {
                        "id": entry["id"],
                        "schema": entry["schema"],
                        "version": entry["version"],
                        "text": json.dumps(entry["schema"]),
                    }
                    for entry in answer["settings"]
                }
            return self._schemas[key]

    def languages(self, *, display: str) -> bytes:
        """Return the list of language packs as the page asks for it."""
        data, message = get_language_packs(display_locale=display)
        return json.dumps({"data": data, "message": message}).encode()

    def pack(self, locale: str) -> bytes:
        """Return a language pack; an empty one for a language that is not installed."""
        wanted = locale if locale in LOCALES else "en"
        with self._lock:
            if wanted not in self._packs:
                data, message = get_language_pack(wanted) if wanted != "en" else ({}, "")
                self._packs[wanted] = json.dumps({"data": data, "message": message}).encode()
            return self._packs[wanted]


def _urls(base_url: str) -> dict[str, str]:
    urls = {"appUrl": "/lab", "labextensionsUrl": "/lab/extensions", "treeUrl": "/lab/tree"}
    for name in ("settings", "themes", "listings", "licenses"):
        urls[f"{name}Url"] = f"/lab/api/{name}"
    urls |= {"workspacesApiUrl": "/lab/api/workspaces", "translationsApiUrl": "/lab/api/translations"}
    full = {f"full{name[0].upper()}{name[1:]}": base_url.rstrip("/") + url for name, url in urls.items()}
    return {**urls, **full}
