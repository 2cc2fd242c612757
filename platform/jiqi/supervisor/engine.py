"""Questions to the Docker engine over its socket, without the docker package: does it answer, and how is it set up."""

import http.client
import json
import os
import socket
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

_SECONDS = 3.0


class Engine:
    """The engine that DOCKER_HOST names, by default the local one."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        env = os.environ if environ is None else environ
        self.url = env.get("DOCKER_HOST") or "unix:///var/run/docker.sock"

    def version(self) -> str | None:
        """Return the engine's version, or None when it does not answer within a few seconds."""
        answer = self._get("/version")
        return str(answer["Version"]) if answer and "Version" in answer else None

    def info(self) -> dict[str, Any] | None:
        """Return what `docker info` shows, or None."""
        return self._get("/info")

    def has_image(self, reference: str) -> bool:
        """Say whether an image of this name is here."""
        return self._get(f"/images/{quote(reference)}/json") is not None

    def _get(self, path: str) -> dict[str, Any] | None:
        try:
            connection = self._connection()
            connection.request("GET", path, headers={"Host": "docker"})
            response = connection.getresponse()
            body = response.read()
            connection.close()
        except (OSError, http.client.HTTPException, ValueError):
            return None
        if response.status != http.HTTPStatus.OK:
            return None
        found = json.loads(body)
        return found if isinstance(found, dict) else None

    def _connection(self) -> http.client.HTTPConnection:
        url = urlsplit(self.url)
        if url.scheme == "unix":
            return _UnixConnection(url.path)
        if url.scheme in {"tcp", "http"} and url.hostname:
            return http.client.HTTPConnection(url.hostname, url.port or 2375, timeout=_SECONDS)
        raise ValueError(url.scheme)


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("docker", timeout=_SECONDS)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(_SECONDS)
        self.sock.connect(self._path)
