"""How handlers run what blocks: the shape of `Pool.run`, so that a test can bring its own."""

from collections.abc import Awaitable, Callable
from typing import ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class RunInPool(Protocol):
    """Run a blocking function in the web process's threads."""

    def __call__(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Awaitable[T]:
        """Return what `function` returns."""
