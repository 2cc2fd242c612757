"""A real browser against a real installation."""
