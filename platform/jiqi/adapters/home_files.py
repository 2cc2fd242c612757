"""Homes on the local disk, as the use cases see them."""

import os
from pathlib import Path

from jiqi.adapters.files import HomeFiles
from jiqi.adapters.homes import ensure_home
from jiqi.config import Settings
from jiqi.domain.errors import BadInputError
from jiqi.domain.ids import UserId, is_id


class DiskHomes:
    """See `services.ports_homes.Homes`; what a web process that runs as root makes belongs to the kernels' user."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._owner = settings.kernel_uid if os.getuid() == 0 else None

    def of(self, user_id: UserId) -> HomeFiles:
        """Return the files of a home that may not exist yet."""
        return HomeFiles(self.folder(user_id), owner=self._owner)

    def made(self, user_id: UserId) -> HomeFiles:
        """Return the files of a home, making the home when it is missing."""
        return HomeFiles(ensure_home(self._settings, user_id), owner=self._owner)

    def folder(self, user_id: UserId) -> Path:
        """Return where the home is. Raises BadInputError for what is no id."""
        if not is_id(user_id):
            raise BadInputError(where="user_id")
        return self._settings.homes / user_id
