"""Alembic revisions of the database."""
