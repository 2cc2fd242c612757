"""Jiqi 即启: a browser-based online experiment notebook platform."""

__version__ = "0.1.0"
