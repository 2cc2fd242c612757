"""Accounts as administrators see them: list them, close one, open it again."""

import builtins
from dataclasses import replace

from jiqi.domain.accounts import LastAdminError, Role, User
from jiqi.domain.errors import NotFoundError
from jiqi.domain.files import shown
from jiqi.domain.ids import UserId, is_id
from jiqi.domain.kernels import Reason
from jiqi.services.kernels import KernelService
from jiqi.services.ports import Database, Transaction

LISTED = 500


class People:
    """Every account of the installation; the caller has checked that an administrator asks."""

    def __init__(self, *, database: Database, kernels: KernelService) -> None:
        self._database = database
        self._kernels = kernels

    def list(self) -> "builtins.list[User]":
        """Return accounts, last seen first, at most 500."""
        return self._database.read(lambda tx: tx.users.recent(limit=LISTED))

    def set_disabled(self, user_id: UserId, *, disabled: bool, by: User) -> User:
        """Close or open an account: its keys stop working, its kernels stop, its files stay.

        Raises NotFoundError, LastAdminError.
        """

        def work(tx: Transaction) -> User:
            user = tx.users.get(user_id) if is_id(user_id) else None
            if user is None:
                raise NotFoundError(user=shown(user_id[:26]))
            if disabled and user.role is Role.ADMIN and [a.id for a in tx.users.admins()] == [user.id]:
                raise LastAdminError(by=by.name)
            changed = replace(user, disabled=disabled)
            tx.users.save(changed)
            return changed

        user = self._database.write(work)
        if disabled:
            for kernel in self._kernels.live(user_id):
                self._kernels.stop(user_id, kernel.id, reason=Reason.ACCOUNT)
        return user
