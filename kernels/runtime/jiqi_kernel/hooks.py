"""Run a function right after a module is first imported, without importing it."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from types import ModuleType


def when_imported(name: str, act: Callable[[ModuleType], None]) -> None:
    """Call `act(module)` now when the module is loaded, else once it is."""
    if name in sys.modules:
        act(sys.modules[name])
    else:
        sys.meta_path.insert(0, _Watcher(name, act=act))


class _Watcher(importlib.abc.MetaPathFinder):
    """Finds one module by asking the other finders, and wraps its loader."""

    def __init__(self, name: str, *, act: Callable[[ModuleType], None]) -> None:
        self._name = name
        self._act = act

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Answer only for the watched name, and only once."""
        del path, target
        if fullname != self._name:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, act=self._act)
        return spec


class _Loader(importlib.abc.Loader):
    """A loader that tells when it is done; everything else is the original's."""

    def __init__(self, loader: importlib.abc.Loader, *, act: Callable[[ModuleType], None]) -> None:
        self._loader = loader
        self._act = act

    def __getattr__(self, name: str) -> object:
        return getattr(self._loader, name)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        """Leave it to the original."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the original, give the module its own loader back, then tell."""
        self._loader.exec_module(module)
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._act(module)
