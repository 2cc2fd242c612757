"""A door before the Docker engine: open, shut (nobody answers) or stuck (it answers nothing)."""

import contextlib
import socket
import threading
from pathlib import Path

ENGINE = "/var/run/docker.sock"


class DockerDoor:
    """Forwards a Unix socket to the engine's while it is open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._listener: socket.socket | None = None
        self._open: set[socket.socket] = set()
        self._stuck = False
        self.open()

    @property
    def url(self) -> str:
        """What DOCKER_HOST has to be."""
        return f"unix://{self.path}"

    def open(self) -> None:
        """Answer, again."""
        self._stuck = False
        if self._listener is None:
            self.path.unlink(missing_ok=True)
            self._listener = socket.socket(socket.AF_UNIX)
            self._listener.bind(str(self.path))
            self._listener.listen(64)
            threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def shut(self) -> None:
        """Be gone, as when the engine was stopped."""
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        self._cut()

    def stick(self) -> None:
        """Take connections and never answer."""
        self._stuck = True
        self._cut()

    def _cut(self) -> None:
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            self._open.add(near)
            if self._stuck:
                continue
            far = socket.socket(socket.AF_UNIX)
            far.connect(ENGINE)
            self._open.add(far)
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(source, target), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        for end in (source, target):
            self._open.discard(end)
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
