"""Forkservers for the kernel tests: one shared where tests only need a kernel, one of its own where they need more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.kernels.processes import Forkserver, Kernel, forkserver


@pytest.fixture(scope="session")
def shared() -> Iterator[Forkserver]:
    with forkserver(options=("--standby-delay", "0")) as server:
        yield server


@pytest.fixture
def server() -> Iterator[Forkserver]:
    with forkserver(options=("--standby-delay", "0")) as server:
        yield server


@pytest.fixture
def kernel(shared: Forkserver) -> Kernel:
    """A fresh generation of the shared forkserver's kernel."""
    return shared.kernel()
