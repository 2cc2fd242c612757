"""Background processes: Celery, the scheduler's periodic work, and the agent of a host."""
