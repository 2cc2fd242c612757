"""The tables, in SQLAlchemy Core; the migrations create the same and a test compares both."""

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
)
from sqlalchemy.engine import Dialect

NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = MetaData(naming_convention=NAMING)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC on every database: SQLite keeps no zone, so it is put back at reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse a moment without a zone: it would be somebody's local time."""
        del dialect
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored moment needs a zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the moment in UTC."""
        del dialect
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _user() -> Column[str]:
    return Column(
        "user_id", String(26), ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True
    )


users = Table(
    "users",
    metadata,
    Column("id", String(26), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("name_key", String(160), unique=True),
    Column("role", String(16), nullable=False),
    Column("password_hash", Text),
    Column("language", String(8), nullable=False),
    Column("created", UtcDateTime, nullable=False),
    Column("last_seen", UtcDateTime, nullable=False),
    Column("disabled", Boolean, nullable=False),
)
Index("ix_users_role_last_seen", users.c.role, users.c.last_seen)

login_sessions = Table(
    "login_sessions",
    metadata,
    Column("id", String(26), primary_key=True),
    _user(),
    Column("kind", String(16), nullable=False),
    Column("secret_hash", String(64), nullable=False, unique=True),
    Column("parent", String(26), ForeignKey("login_sessions.id", ondelete="CASCADE"), index=True),
    Column("created", UtcDateTime, nullable=False),
    Column("expires", UtcDateTime, nullable=False, index=True),
    Column("password_at", UtcDateTime),
    Column("agent", String(200), nullable=False),
)

api_tokens = Table(
    "api_tokens",
    metadata,
    Column("id", String(26), primary_key=True),
    _user(),
    Column("label", String(100), nullable=False),
    Column("secret_hash", String(64), nullable=False, unique=True),
    Column("created", UtcDateTime, nullable=False),
    Column("expires", UtcDateTime),
    Column("last_used", UtcDateTime),
)

tickets = Table(
    "tickets",
    metadata,
    Column("secret_hash", String(64), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("user_id", String(26), ForeignKey("users.id", ondelete="CASCADE")),
    Column("session_id", String(26), ForeignKey("login_sessions.id", ondelete="CASCADE")),
    Column("expires", UtcDateTime, nullable=False, index=True),
)

projects = Table(
    "projects",
    metadata,
    Column("id", String(26), primary_key=True),
    _user(),
    Column("name", String(200), nullable=False),
    Column("folder", String(255), nullable=False),
    Column("environment", String(64), nullable=False),
    Column("lesson", String(64)),
    Column("created", UtcDateTime, nullable=False),
    Column("last_opened", UtcDateTime, nullable=False),
)
Index("uq_projects_user_folder", projects.c.user_id, projects.c.folder, unique=True)
Index(
    "uq_projects_user_lesson",
    projects.c.user_id,
    projects.c.lesson,
    unique=True,
    sqlite_where=projects.c.lesson.is_not(None),
    postgresql_where=projects.c.lesson.is_not(None),
)

nodes = Table(
    "nodes",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("isolates", Boolean, nullable=False),
    Column("capacity", Integer, nullable=False),
    Column("environments", JSON, nullable=False),
    Column("beat", UtcDateTime, nullable=False),
    Column("epoch", String(40), nullable=False),
    Column("problem", String(40)),
    Column("warm", Integer, nullable=False),
)

# A kernel keeps no foreign key to its project or node: the record outlives both.
kernels = Table(
    "kernels",
    metadata,
    Column("id", String(36), primary_key=True),
    _user(),
    Column("project_id", String(26)),
    Column("document", Text),
    Column("session_id", String(64), nullable=False),
    Column("session_name", Text, nullable=False),
    Column("session_type", String(32), nullable=False),
    Column("environment", String(64), nullable=False),
    Column("node_id", String(40), nullable=False),
    Column("network", String(8), nullable=False),
    Column("safe", Boolean, nullable=False),
    Column("status", String(16), nullable=False),
    Column("target", String(16), nullable=False),
    Column("generation", Integer, nullable=False),
    Column("wanted", Integer, nullable=False),
    Column("interrupts_wanted", Integer, nullable=False),
    Column("interrupts_done", Integer, nullable=False),
    Column("key", String(64), nullable=False),
    Column("prefix", Text),
    Column("warm", String(16)),
    Column("kernel_info", JSON(none_as_null=True)),
    Column("cold", Boolean, nullable=False),
    Column("shadowed", JSON, nullable=False),
    Column("reason", String(32)),
    Column("reason_params", JSON, nullable=False),
    Column("created", UtcDateTime, nullable=False),
    Column("changed", UtcDateTime, nullable=False),
    Column("deadline", UtcDateTime),
    Column("ended", UtcDateTime),
    Column("version", Integer, nullable=False),
)
_live = kernels.c.ended.is_(None)
Index(
    "uq_kernels_live_document",
    kernels.c.user_id,
    kernels.c.document,
    unique=True,
    sqlite_where=_live & kernels.c.document.is_not(None),
    postgresql_where=_live & kernels.c.document.is_not(None),
)
Index("ix_kernels_live_node", kernels.c.node_id, sqlite_where=_live, postgresql_where=_live)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("queue", String(64), nullable=False),
    Column("task", String(64), nullable=False),
    Column("argument", String(64), nullable=False),
    Column("created", UtcDateTime, nullable=False),
)

login_failures = Table(
    "login_failures",
    metadata,
    Column("name_key", String(160), primary_key=True),
    Column("count", Integer, nullable=False),
    Column("window_start", UtcDateTime, nullable=False),
)
