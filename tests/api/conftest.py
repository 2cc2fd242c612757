"""A web process for each test module."""

from collections.abc import Iterator

import pytest
from tests.api.portal import Portal, running, settings_for


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Portal]:
    with running(settings_for(tmp_path_factory.mktemp("state"))) as found:
        yield found
