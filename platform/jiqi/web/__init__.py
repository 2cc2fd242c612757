"""The web process: portal API, pages, health, and the Jupyter applications."""
