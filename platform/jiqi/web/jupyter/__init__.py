"""In-process jupyter_server applications, one per active user."""
