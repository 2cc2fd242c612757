"""Alembic's entry: runs revisions on the connection that `migrating.py` hands over, inside its transaction."""

from alembic import context

from jiqi.adapters.db.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=False,  # the caller begins and commits
)
context.run_migrations()
