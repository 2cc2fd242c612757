"""What every integration test of this folder may need once."""

import pytest
from tests.integration.agent_world import tag_tiny


@pytest.fixture(scope="session")
def tiny_image() -> None:
    """Docker knows the tiny environment."""
    tag_tiny()
