"""What integration tests, browser tests and benches share: a running installation and its clients."""
