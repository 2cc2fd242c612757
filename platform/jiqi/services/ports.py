"""What the use cases need from the world: the database, wake-ups, passwords.

Repositories live inside one transaction. `Database.write` runs a function inside BEGIN IMMEDIATE (SERIALIZABLE
on PostgreSQL) and runs it again when the database asks for it: the function must have no effect outside.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Protocol, TypeVar

from jiqi.domain.accounts import ApiToken, LoginSession, Ticket, User
from jiqi.domain.ids import KernelId, NodeId, ProjectId, SessionId, TokenId, UserId
from jiqi.domain.kernels import Kernel, Node
from jiqi.domain.projects import Project
from jiqi.domain.throttle import Failures

T = TypeVar("T")


class Users(Protocol):
    """Accounts."""

    def add(self, user: User) -> None:
        """Insert. Raises NameTakenError when the name key is in use."""

    def get(self, user_id: UserId) -> User | None:
        """Return the account, disabled ones too."""

    def by_name_key(self, key: str) -> User | None:
        """Return the account that logs in under `key`."""

    def save(self, user: User) -> None:
        """Write every column. Raises NameTakenError."""

    def touch(self, user_id: UserId, *, now: datetime) -> None:
        """Remember the last visit, and nothing else."""

    def guests_unseen_since(self, moment: datetime, *, limit: int) -> list[User]:
        """Return guests whose last visit is before `moment`, oldest first."""

    def recent(self, *, limit: int) -> list[User]:
        """Return accounts, last seen first."""

    def delete(self, user_id: UserId) -> None:
        """Remove the account and what belongs to it in SQL."""

    def admins(self) -> list[User]:
        """Return the administrators that are not disabled, oldest first."""


class LoginSessions(Protocol):
    """Logged-in browsers."""

    def add(self, session: LoginSession) -> None:
        """Insert."""

    def by_hash(self, secret_hash: str) -> LoginSession | None:
        """Return the session whose cookie has this hash."""

    def get(self, session_id: SessionId) -> LoginSession | None:
        """Return the session."""

    def children(self, session_id: SessionId) -> list[LoginSession]:
        """Return the sessions that descend from it."""

    def of_user(self, user_id: UserId) -> list[LoginSession]:
        """Return the person's sessions, newest first."""

    def save(self, session: LoginSession) -> None:
        """Write every column."""

    def revoke(self, session_id: SessionId) -> None:
        """Remove the session and those that descend from it."""

    def revoke_all(self, user_id: UserId) -> None:
        """Remove every session of the person."""

    def living(self, ids: list[SessionId], *, now: datetime) -> set[SessionId]:
        """Return those of `ids` that exist, have not expired, and belong to an enabled account."""

    def sweep(self, now: datetime) -> int:
        """Remove expired sessions; return how many."""


class ApiTokens(Protocol):
    """Keys for programs."""

    def add(self, token: ApiToken) -> None:
        """Insert."""

    def by_hash(self, secret_hash: str) -> ApiToken | None:
        """Return the token with this hash."""

    def of_user(self, user_id: UserId) -> list[ApiToken]:
        """Return the person's tokens, newest first."""

    def touch(self, token_id: TokenId, *, now: datetime) -> None:
        """Remember the last use."""

    def revoke(self, user_id: UserId, token_id: TokenId) -> bool:
        """Remove the person's token; say whether there was one."""

    def revoke_all(self, user_id: UserId) -> None:
        """Remove every token of the person."""

    def living(self, ids: list[TokenId], *, now: datetime) -> set[TokenId]:
        """Return those of `ids` that exist, have not expired, and belong to an enabled account."""


class Tickets(Protocol):
    """One-time secrets."""

    def add(self, ticket: Ticket) -> None:
        """Insert."""

    def get(self, secret_hash: str) -> Ticket | None:
        """Return the ticket and leave it."""

    def take(self, secret_hash: str) -> Ticket | None:
        """Remove and return the ticket, expired or not."""

    def sweep(self, now: datetime) -> int:
        """Remove expired tickets; return how many."""


class LoginFailures(Protocol):
    """Wrong passwords by account."""

    def get(self, key: str) -> Failures | None:
        """Return what is remembered about an account."""

    def put(self, failures: Failures) -> None:
        """Insert or replace."""

    def clear(self, key: str) -> None:
        """Forget."""

    def sweep(self, before: datetime) -> int:
        """Forget what began before a moment; return how many."""


class Projects(Protocol):
    """Folders of a home."""

    def add(self, project: Project) -> None:
        """Insert."""

    def get(self, project_id: ProjectId) -> Project | None:
        """Return the project."""

    def of_user(self, user_id: UserId) -> list[Project]:
        """Return the person's projects, last opened first."""

    def of_lesson(self, user_id: UserId, lesson: str) -> Project | None:
        """Return the person's copy of a lesson."""

    def save(self, project: Project) -> None:
        """Write every column."""

    def delete(self, project_id: ProjectId) -> None:
        """Remove the row; files are the caller's."""


class Kernels(Protocol):
    """Kernel records."""

    def add(self, kernel: Kernel) -> None:
        """Insert. A second live record of (user, document) is refused by the database."""

    def get(self, kernel_id: KernelId) -> Kernel | None:
        """Return the record, ended ones too."""

    def live_of_document(self, user_id: UserId, document: str) -> Kernel | None:
        """Return the one live kernel of a document."""

    def live_of_project(self, user_id: UserId, project_id: ProjectId) -> list[Kernel]:
        """Return the live kernels of a project, oldest first."""

    def live_of_session(self, user_id: UserId, session_id: str) -> Kernel | None:
        """Return the live kernel of a Jupyter session."""

    def live_of_user(self, user_id: UserId) -> list[Kernel]:
        """Return the person's live kernels, oldest first."""

    def live_of_node(self, node_id: NodeId) -> list[Kernel]:
        """Return a node's live kernels, oldest first."""

    def live_per_node(self) -> dict[NodeId, int]:
        """Return how many live kernels each node has."""

    def versions(self, ids: list[KernelId]) -> Mapping[KernelId, int]:
        """Return the version of each record that exists."""

    def save(self, kernel: Kernel) -> Kernel | None:
        """Write every column when `kernel.version` is still the stored one; return it with the new version."""


class Nodes(Protocol):
    """Hosts of kernels."""

    def put(self, node: Node) -> None:
        """Insert or replace."""

    def tell_warm(self, node_id: NodeId, warm: int) -> None:
        """Write how many warm kernels stand ready, and nothing else."""

    def all(self) -> list[Node]:
        """Return every node that ever reported."""


class Outbox(Protocol):
    """Wake-ups that wait for the relay: written with the change they announce."""

    def add(self, *, queue: str, task: str, argument: str, now: datetime) -> None:
        """Insert."""

    def oldest(self, *, limit: int) -> list[tuple[int, str, str, str]]:
        """Return (id, queue, task, argument)."""

    def remove(self, ids: list[int]) -> None:
        """Remove what was published."""


class Transaction(Protocol):
    """Every repository, bound to one transaction."""

    @property
    def users(self) -> Users: ...
    @property
    def sessions(self) -> LoginSessions: ...
    @property
    def tokens(self) -> ApiTokens: ...
    @property
    def tickets(self) -> Tickets: ...
    @property
    def failures(self) -> LoginFailures: ...
    @property
    def projects(self) -> Projects: ...
    @property
    def kernels(self) -> Kernels: ...
    @property
    def nodes(self) -> Nodes: ...
    @property
    def outbox(self) -> Outbox: ...


class Database(Protocol):
    """Transactions over functions."""

    def read(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a transaction that only reads."""

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in one transaction, again when the database asks for it, and commit."""


class Clock(Protocol):
    """The time, in UTC."""

    def __call__(self) -> datetime: ...


class Events(Protocol):
    """Wake-ups between processes; they may be lost, so every reader also polls."""

    def publish(self, topic: str, body: str) -> None:
        """Tell whoever listens; never blocks for more than a moment and never raises."""


class Relay(Protocol):
    """The thread that publishes the outbox."""

    def nudge(self) -> None:
        """Say that there is something new; returns at once."""


class Passwords(Protocol):
    """Password hashes (argon2id); each call costs about 50 ms of CPU."""

    def hash(self, password: str) -> str:
        """Return a salted hash."""

    def matches(self, password: str, hashed: str | None) -> bool:
        """Say whether it fits; takes as long when there is no hash."""
