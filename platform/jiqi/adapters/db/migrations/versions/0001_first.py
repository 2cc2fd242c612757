"""The first tables: people and their keys, projects, nodes, kernels, the outbox."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make every table."""
    op.create_table(
        "login_failures",
        sa.Column("name_key", sa.String(length=160), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("window_start", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name_key", name=op.f("pk_login_failures")),
    )
    op.create_table(
        "nodes",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("isolates", sa.Boolean(), nullable=False),
        sa.Column("capacity", sa.Integer(), nullable=False),
        sa.Column("environments", sa.JSON(), nullable=False),
        sa.Column("beat", sa.DateTime(timezone=True), nullable=False),
        sa.Column("epoch", sa.String(length=40), nullable=False),
        sa.Column("problem", sa.String(length=40), nullable=True),
        sa.Column("warm", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_nodes")),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("queue", sa.String(length=64), nullable=False),
        sa.Column("task", sa.String(length=64), nullable=False),
        sa.Column("argument", sa.String(length=64), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("name_key", sa.String(length=160), nullable=True),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("name_key", name=op.f("uq_users_name_key")),
    )
    op.create_index("ix_users_role_last_seen", "users", ["role", "last_seen"], unique=False)
    op.create_table(
        "api_tokens",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("label", sa.String(length=100), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_used", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_api_tokens_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_tokens")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_api_tokens_secret_hash")),
    )
    op.create_index(op.f("ix_api_tokens_user_id"), "api_tokens", ["user_id"], unique=False)
    op.create_table(
        "kernels",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("project_id", sa.String(length=26), nullable=True),
        sa.Column("document", sa.Text(), nullable=True),
        sa.Column("session_id", sa.String(length=64), nullable=False),
        sa.Column("session_name", sa.Text(), nullable=False),
        sa.Column("session_type", sa.String(length=32), nullable=False),
        sa.Column("environment", sa.String(length=64), nullable=False),
        sa.Column("node_id", sa.String(length=40), nullable=False),
        sa.Column("network", sa.String(length=8), nullable=False),
        sa.Column("safe", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("target", sa.String(length=16), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("interrupts_wanted", sa.Integer(), nullable=False),
        sa.Column("interrupts_done", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=True),
        sa.Column("warm", sa.String(length=16), nullable=True),
        sa.Column("kernel_info", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("cold", sa.Boolean(), nullable=False),
        sa.Column("shadowed", sa.JSON(), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=True),
        sa.Column("reason_params", sa.JSON(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_kernels_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_kernels")),
    )
    op.create_index(
        "ix_kernels_live_node",
        "kernels",
        ["node_id"],
        unique=False,
        sqlite_where=sa.text("ended IS NULL"),
        postgresql_where=sa.text("ended IS NULL"),
    )
    op.create_index(op.f("ix_kernels_user_id"), "kernels", ["user_id"], unique=False)
    op.create_index(
        "uq_kernels_live_document",
        "kernels",
        ["user_id", "document"],
        unique=True,
        sqlite_where=sa.text("ended IS NULL AND document IS NOT NULL"),
        postgresql_where=sa.text("ended IS NULL AND document IS NOT NULL"),
    )
    op.create_table(
        "login_sessions",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("parent", sa.String(length=26), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.Column("password_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("agent", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(
            ["parent"],
            ["login_sessions.id"],
            name=op.f("fk_login_sessions_parent_login_sessions"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_login_sessions_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_login_sessions")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_login_sessions_secret_hash")),
    )
    op.create_index(op.f("ix_login_sessions_expires"), "login_sessions", ["expires"], unique=False)
    op.create_index(op.f("ix_login_sessions_parent"), "login_sessions", ["parent"], unique=False)
    op.create_index(op.f("ix_login_sessions_user_id"), "login_sessions", ["user_id"], unique=False)
    op.create_table(
        "projects",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("folder", sa.String(length=255), nullable=False),
        sa.Column("environment", sa.String(length=64), nullable=False),
        sa.Column("lesson", sa.String(length=64), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_opened", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_projects_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
    )
    op.create_index(op.f("ix_projects_user_id"), "projects", ["user_id"], unique=False)
    op.create_index("uq_projects_user_folder", "projects", ["user_id", "folder"], unique=True)
    op.create_index(
        "uq_projects_user_lesson",
        "projects",
        ["user_id", "lesson"],
        unique=True,
        sqlite_where=sa.text("lesson IS NOT NULL"),
        postgresql_where=sa.text("lesson IS NOT NULL"),
    )
    op.create_table(
        "tickets",
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=True),
        sa.Column("session_id", sa.String(length=26), nullable=True),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["login_sessions.id"],
            name=op.f("fk_tickets_session_id_login_sessions"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_tickets_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("secret_hash", name=op.f("pk_tickets")),
    )
    op.create_index(op.f("ix_tickets_expires"), "tickets", ["expires"], unique=False)


def downgrade() -> None:
    """Remove every table."""
    op.drop_index(op.f("ix_tickets_expires"), table_name="tickets")
    op.drop_table("tickets")
    op.drop_index(
        "uq_projects_user_lesson",
        table_name="projects",
        sqlite_where=sa.text("lesson IS NOT NULL"),
        postgresql_where=sa.text("lesson IS NOT NULL"),
    )
    op.drop_index("uq_projects_user_folder", table_name="projects")
    op.drop_index(op.f("ix_projects_user_id"), table_name="projects")
    op.drop_table("projects")
    op.drop_index(op.f("ix_login_sessions_user_id"), table_name="login_sessions")
    op.drop_index(op.f("ix_login_sessions_parent"), table_name="login_sessions")
    op.drop_index(op.f("ix_login_sessions_expires"), table_name="login_sessions")
    op.drop_table("login_sessions")
    op.drop_index(
        "uq_kernels_live_document",
        table_name="kernels",
        sqlite_where=sa.text("ended IS NULL AND document IS NOT NULL"),
        postgresql_where=sa.text("ended IS NULL AND document IS NOT NULL"),
    )
    op.drop_index(op.f("ix_kernels_user_id"), table_name="kernels")
    op.drop_index(
        "ix_kernels_live_node",
        table_name="kernels",
        sqlite_where=sa.text("ended IS NULL"),
        postgresql_where=sa.text("ended IS NULL"),
    )
    op.drop_table("kernels")
    op.drop_index(op.f("ix_api_tokens_user_id"), table_name="api_tokens")
    op.drop_table("api_tokens")
    op.drop_index("ix_users_role_last_seen", table_name="users")
    op.drop_table("users")
    op.drop_table("outbox")
    op.drop_table("nodes")
    op.drop_table("login_failures")
