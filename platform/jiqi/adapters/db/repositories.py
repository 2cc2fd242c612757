"""The repositories of one transaction, over SQLAlchemy Core."""

from functools import cached_property

from sqlalchemy import Connection

from jiqi.adapters.db.accounts import SqlApiTokens, SqlLoginSessions, SqlTickets, SqlUsers
from jiqi.adapters.db.failures import SqlLoginFailures
from jiqi.adapters.db.work import SqlKernels, SqlNodes, SqlOutbox, SqlProjects


class SqlTransaction:
    """Every repository, bound to one connection with an open transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @cached_property
    def users(self) -> SqlUsers:
        """Accounts."""
        return SqlUsers(self._connection)

    @cached_property
    def sessions(self) -> SqlLoginSessions:
        """Logged-in browsers."""
        return SqlLoginSessions(self._connection)

    @cached_property
    def tokens(self) -> SqlApiTokens:
        """Keys for programs."""
        return SqlApiTokens(self._connection)

    @cached_property
    def tickets(self) -> SqlTickets:
        """One-time secrets."""
        return SqlTickets(self._connection)

    @cached_property
    def failures(self) -> SqlLoginFailures:
        """Wrong passwords by account."""
        return SqlLoginFailures(self._connection)

    @cached_property
    def projects(self) -> SqlProjects:
        """Folders of homes."""
        return SqlProjects(self._connection)

    @cached_property
    def kernels(self) -> SqlKernels:
        """Kernel records."""
        return SqlKernels(self._connection)

    @cached_property
    def nodes(self) -> SqlNodes:
        """Hosts of kernels."""
        return SqlNodes(self._connection)

    @cached_property
    def outbox(self) -> SqlOutbox:
        """Wake-ups to publish."""
        return SqlOutbox(self._connection)
