"""The small addresses of an application: its root, its version, its configuration (which is empty)."""

import json

import jupyter_server
from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler, JupyterHandler
from tornado import web


class HomeHandler(JupyterHandler):  # type: ignore[misc]
    """`/user/<id>/` leads to JupyterLab."""

    @web.authenticated
    def get(self) -> None:
        """Redirect."""
        self.redirect(f"{self.base_url}lab")


class VersionHandler(APIHandler):  # type: ignore[misc]
    """`api`: which jupyter_server a client speaks to."""

    _track_activity = False

    @web.authenticated
    def get(self) -> None:
        """Return the version."""
        self.finish(json.dumps({"version": jupyter_server.__version__}))


class ExportersHandler(APIHandler):  # type: ignore[misc]
    """`api/nbconvert`: nothing is converted in this process, so there is nothing to list."""

    @web.authenticated
    def get(self) -> None:
        """Return no exporters."""
        self.finish(json.dumps({}))


class ConfigHandler(APIHandler):  # type: ignore[misc]
    """`api/config/<section>`: nothing is configured, and nothing can be."""

    auth_resource = "config"

    @web.authenticated
    @authorized
    def get(self, section_name: str) -> None:
        """Return an empty section."""
        del section_name
        self.finish(json.dumps({}))
