"""Fresh random states after a fork: two kernels of one preloaded process must not draw the same numbers."""

from __future__ import annotations

import os
import random
import sys
from typing import Any

_TORCH_BITS = 63


def reseed() -> None:
    """Seed every loaded generator that a fork would share, from the operating system."""
    random.seed()
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed([int.from_bytes(os.urandom(4)) for _ in range(8)])
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        # manual_seed only queues the CUDA part while CUDA is not initialised.
        torch.manual_seed(int.from_bytes(os.urandom(8)) >> (64 - _TORCH_BITS))
    paddle: Any = sys.modules.get("paddle")
    if paddle is not None:
        paddle.seed(int.from_bytes(os.urandom(4)))
