"""Projects, kernels, nodes and the outbox in SQL."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from jiqi.adapters.db import tables
from jiqi.adapters.db.rows import from_row, to_row
from jiqi.domain.ids import KernelId, NodeId, ProjectId, UserId
from jiqi.domain.kernels import Kernel, Node
from jiqi.domain.projects import Project

_K = tables.kernels.c


class SqlProjects:
    """Folders of homes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, project: Project) -> None:
        """Insert."""
        self._connection.execute(insert(tables.projects), to_row(project))

    def get(self, project_id: ProjectId) -> Project | None:
        """Return the project."""
        return self._first(tables.projects.c.id == project_id)

    def of_user(self, user_id: UserId) -> list[Project]:
        """Return the person's projects, last opened first."""
        table = tables.projects
        query = select(table).where(table.c.user_id == user_id).order_by(table.c.last_opened.desc())
        return [from_row(Project, row) for row in self._connection.execute(query).mappings()]

    def of_lesson(self, user_id: UserId, lesson: str) -> Project | None:
        """Return the person's copy of a lesson."""
        return self._first((tables.projects.c.user_id == user_id) & (tables.projects.c.lesson == lesson))

    def save(self, project: Project) -> None:
        """Write every column."""
        table = tables.projects
        self._connection.execute(update(table).where(table.c.id == project.id).values(to_row(project)))

    def delete(self, project_id: ProjectId) -> None:
        """Remove the row; files are the caller's."""
        self._connection.execute(delete(tables.projects).where(tables.projects.c.id == project_id))

    def _first(self, where: ColumnElement[bool]) -> Project | None:
        row = self._connection.execute(select(tables.projects).where(where)).mappings().first()
        return from_row(Project, row) if row is not None else None


class SqlKernels:
    """Kernel records."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, kernel: Kernel) -> None:
        """Insert. A second live record of (user, document) is refused by the database."""
        self._connection.execute(insert(tables.kernels), to_row(kernel))

    def get(self, kernel_id: KernelId) -> Kernel | None:
        """Return the record, ended ones too."""
        return self._first(_K.id == kernel_id)

    def live_of_document(self, user_id: UserId, document: str) -> Kernel | None:
        """Return the one live kernel of a document."""
        return self._first((_K.user_id == user_id) & (_K.document == document) & _K.ended.is_(None))

    def live_of_project(self, user_id: UserId, project_id: ProjectId) -> list[Kernel]:
        """Return the live kernels of a project, oldest first."""
        return self._all((_K.user_id == user_id) & (_K.project_id == project_id) & _K.ended.is_(None))

    def live_of_session(self, user_id: UserId, session_id: str) -> Kernel | None:
        """Return the live kernel of a Jupyter session."""
        return self._first((_K.user_id == user_id) & (_K.session_id == session_id) & _K.ended.is_(None))

    def live_of_user(self, user_id: UserId) -> list[Kernel]:
        """Return the person's live kernels, oldest first."""
        return self._all((_K.user_id == user_id) & _K.ended.is_(None))

    def live_of_node(self, node_id: NodeId) -> list[Kernel]:
        """Return a node's live kernels, oldest first."""
        return self._all((_K.node_id == node_id) & _K.ended.is_(None))

    def live_per_node(self) -> dict[NodeId, int]:
        """Return how many live kernels each node has."""
        query = select(_K.node_id, func.count()).where(_K.ended.is_(None)).group_by(_K.node_id)
        return {NodeId(node): count for node, count in self._connection.execute(query).tuples()}

    def versions(self, ids: list[KernelId]) -> Mapping[KernelId, int]:
        """Return the version of each record that exists."""
        query = select(_K.id, _K.version).where(_K.id.in_(ids))
        return {KernelId(found): version for found, version in self._connection.execute(query).tuples()}

    def save(self, kernel: Kernel) -> Kernel | None:
        """Write every column when `kernel.version` is still the stored one; return it with the new version."""
        following = replace(kernel, version=kernel.version + 1)
        done = self._connection.execute(
            update(tables.kernels)
            .where(_K.id == kernel.id, _K.version == kernel.version)
            .values(to_row(following))
        )
        return following if done.rowcount == 1 else None

    def _first(self, where: ColumnElement[bool]) -> Kernel | None:
        row = self._connection.execute(select(tables.kernels).where(where)).mappings().first()
        return from_row(Kernel, row) if row is not None else None

    def _all(self, where: ColumnElement[bool]) -> list[Kernel]:
        query = select(tables.kernels).where(where).order_by(_K.created, _K.id)
        return [from_row(Kernel, row) for row in self._connection.execute(query).mappings()]


class SqlNodes:
    """Hosts of kernels."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(self, node: Node) -> None:
        """Insert or replace."""
        table = tables.nodes
        done = self._connection.execute(update(table).where(table.c.id == node.id).values(to_row(node)))
        if done.rowcount == 0:
            self._connection.execute(insert(table), to_row(node))

    def tell_warm(self, node_id: NodeId, warm: int) -> None:
        """Write how many warm kernels stand ready, and nothing else."""
        table = tables.nodes
        self._connection.execute(update(table).where(table.c.id == node_id).values(warm=warm))

    def all(self) -> list[Node]:
        """Return every node that ever reported."""
        query = select(tables.nodes).order_by(tables.nodes.c.id)
        return [from_row(Node, row) for row in self._connection.execute(query).mappings()]


class SqlOutbox:
    """Wake-ups to publish."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, *, queue: str, task: str, argument: str, now: datetime) -> None:
        """Insert."""
        row = {"queue": queue, "task": task, "argument": argument, "created": now}
        self._connection.execute(insert(tables.outbox), row)

    def oldest(self, *, limit: int) -> list[tuple[int, str, str, str]]:
        """Return (id, queue, task, argument)."""
        table = tables.outbox.c
        query = select(table.id, table.queue, table.task, table.argument).order_by(table.id).limit(limit)
        return [(row[0], row[1], row[2], row[3]) for row in self._connection.execute(query)]

    def remove(self, ids: list[int]) -> None:
        """Remove what was published."""
        self._connection.execute(delete(tables.outbox).where(tables.outbox.c.id.in_(ids)))
