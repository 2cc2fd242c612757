"""Implementations of the ports, one technology a file."""
