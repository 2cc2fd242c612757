"""A private PostgreSQL cluster for a test: made by initdb, run as an unprivileged user, on a Unix socket only."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

_PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


def installed() -> bool:
    """Whether Debian's server is on this machine; `make test` installs it."""
    return bool(_PLACES)


class PostgresCluster:
    """Started on entry, stopped and removed on exit."""

    def __init__(self) -> None:
        self._count = 0
        # PostgreSQL refuses to run as root.
        self._user = pwd.getpwnam("postgres") if os.getuid() == 0 else pwd.getpwuid(os.getuid())

    def __enter__(self) -> Self:
        # Not in pytest's folder, which only root can reach; and a socket's path ends at 107 bytes.
        self._data = Path(tempfile.mkdtemp(prefix="jiqi-pg-"))
        os.chown(self._data, self._user.pw_uid, self._user.pw_gid)
        self._run(
            "initdb",
            "--pgdata",
            str(self._data / "data"),
            "--auth=trust",
            "--encoding=UTF8",
            "--no-sync",
            "-U",
            "jiqi",
        )
        options = f"-c listen_addresses='' -c unix_socket_directories={self._data} -c fsync=off -c max_connections=60"
        self._run(
            "pg_ctl",
            "-D",
            str(self._data / "data"),
            "-w",
            "-l",
            str(self._data / "log"),
            "-o",
            options,
            "start",
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._run("pg_ctl", "-D", str(self._data / "data"), "-m", "immediate", "stop")
        shutil.rmtree(self._data)

    def new_database(self) -> str:
        """Return the URL of an empty database."""
        self._count += 1
        name = f"jiqi{self._count}"
        self._run("createdb", "-h", str(self._data), "-U", "jiqi", name)
        return f"postgresql+psycopg://jiqi@/{name}?host={self._data}"

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(_PLACES[0] / program), *arguments]
        done = subprocess.run(
            command,
            user=self._user.pw_uid if os.getuid() == 0 else None,
            group=self._user.pw_gid if os.getuid() == 0 else None,
            extra_groups=[] if os.getuid() == 0 else None,
            cwd="/",
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/tmp"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if program == "pg_ctl" else subprocess.PIPE,
            stderr=subprocess.DEVNULL if program == "pg_ctl" else subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        if done.returncode != 0:
            log = self._data / "log"
            said = done.stdout or (log.read_text()[-2000:] if log.exists() else "")
            raise RuntimeError(f"{program}: {said}")
