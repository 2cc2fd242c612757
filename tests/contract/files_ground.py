"""What tests of files share."""

import os
from pathlib import Path

from jiqi.domain.files import (
    is_temporary,
)


def leftovers(root: Path) -> list[str]:
    return [name for _, folders, names in os.walk(root) for name in folders + names if is_temporary(name)]
