"""The Docker engine with bounded waits: its failures as our errors, and only what the host needs of it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import docker
import docker.errors
import requests
import structlog
from docker.utils import kwargs_from_env

from jiqi.services.ports_hosts import (
    HostDiskFullError,
    HostUnavailableError,
    ImageMissingError,
    PlaceLostError,
)

log = structlog.get_logger()
_SLOW = 30
_QUICK = 4
_NOT_FOUND, _CONFLICT = 404, 409


class DockerEngine:
    """Connects at the first call; usable from many threads."""

    def __init__(self) -> None:
        self._clients: dict[int, docker.APIClient] = {}
        self._lock = threading.Lock()

    def ping(self) -> bool:
        """Say whether the engine answers within a few seconds."""
        try:
            with _translated():
                return bool(self._client(_QUICK).ping())
        except HostUnavailableError:
            return False

    def info(self) -> dict[str, Any]:
        """Return what the engine says of itself."""
        with _translated():
            return dict(self._client(_QUICK).info())

    def image_digest(self, tag: str) -> str | None:
        """Return the id of an image, or None when it is not here."""
        try:
            with _translated():
                return str(self._client(_QUICK).inspect_image(tag)["Id"])
        except ImageMissingError:
            return None

    def create(self, **options: Any) -> str:
        """Make a container and return its id. Raises ImageMissingError, HostDiskFullError."""
        with _translated():
            return str(self._client(_SLOW).create_container(**options)["Id"])

    def host_config(self, **options: Any) -> Any:
        """Return the part of the options that concerns the host."""
        with _translated():
            return self._client(_SLOW).create_host_config(**options)

    def start(self, ref: str) -> None:
        """Start a container. Raises PlaceLostError, HostDiskFullError."""
        with _translated():
            self._client(_SLOW).start(ref)

    def containers(self, labels: dict[str, str]) -> list[dict[str, Any]]:
        """Return the containers, ended ones too, that carry all of `labels`."""
        wanted = [f"{name}={value}" for name, value in labels.items()]
        with _translated():
            return list(self._client(_QUICK).containers(all=True, filters={"label": wanted}))

    def state(self, ref: str) -> dict[str, Any] | None:
        """Return a container's state, or None when there is none."""
        try:
            with _translated():
                return dict(self._client(_QUICK).inspect_container(ref)["State"])
        except PlaceLostError:
            return None

    def share(self, ref: str, *, weight: int) -> None:
        """Set how much of the processor the container gets against others."""
        with _translated():
            self._client(_SLOW).update_container(ref, cpu_shares=weight)

    def rename(self, ref: str, name: str) -> None:
        """Give a container another name."""
        with _translated():
            self._client(_SLOW).rename(ref, name)

    def remove(self, ref: str) -> None:
        """Kill and remove a container; harmless when it is gone or going."""
        try:
            with _translated():
                self._client(_SLOW).remove_container(ref, force=True, v=True)
        except (PlaceLostError, docker.errors.APIError) as error:
            log.debug("container_gone", ref=ref[:12], error=str(error))

    def make_bridge(self, name: str) -> None:
        """Make a network without traffic between its containers, unless it is there."""
        with _translated():
            client = self._client(_SLOW)
            if any(found["Name"] == name for found in client.networks(names=[name])):
                return
            options = {
                "com.docker.network.bridge.name": name,
                "com.docker.network.bridge.enable_icc": "false",
            }
            client.create_network(name, driver="bridge", options=options, check_duplicate=True)

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            for client in self._clients.values():
                client.close()
            self._clients.clear()

    def _client(self, seconds: int) -> docker.APIClient:
        with self._lock:
            client = self._clients.get(seconds)
            if client is None:
                # DOCKER_HOST and its companions count, as for every program that talks to the engine.
                client = docker.APIClient(**kwargs_from_env(), version="auto", timeout=seconds)
                self._clients[seconds] = client
            return client


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except docker.errors.ImageNotFound as error:
        raise ImageMissingError(image=str(error.explanation)[:200]) from error
    except docker.errors.APIError as error:
        text = str(error.explanation)
        if "no space left" in text or "disk quota" in text:
            raise HostDiskFullError from error
        if error.status_code == _NOT_FOUND:
            kind = ImageMissingError if "image" in text.lower() else PlaceLostError
            raise kind(detail=text[:200]) from error
        if error.status_code == _CONFLICT:
            raise
        if error.is_server_error() and "cannot connect" in text.lower():
            raise HostUnavailableError from error
        raise
    except (docker.errors.DockerException, requests.RequestException, OSError) as error:
        raise HostUnavailableError(detail=type(error).__name__) from error
