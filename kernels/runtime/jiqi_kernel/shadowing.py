"""Which of the user's packages would replace one that is already loaded, so that only a cold start honours them."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from jiqi_kernel.packages import site_dir


@dataclass(frozen=True, slots=True)
class Loaded:
    """Distributions and top-level modules that a preloaded process holds."""

    versions: dict[str, str]
    owners: dict[str, tuple[str, ...]]

    @classmethod
    def now(cls) -> Loaded:
        """Look at what this process has imported (50 to 100 ms: once, before the first fork)."""
        modules = {name.partition(".")[0] for name in sys.modules}
        owners: dict[str, tuple[str, ...]] = {}
        versions: dict[str, str] = {}
        for module, names in metadata.packages_distributions().items():
            if module not in modules:
                continue
            owners[module] = tuple(sorted({normal(name) for name in names}))
            versions.update({normal(name): metadata.version(name) for name in names})
        for module in modules - owners.keys():
            origin = getattr(getattr(sys.modules.get(module), "__spec__", None), "origin", None)
            if origin is not None and "-packages" in origin:
                owners[module] = ()
        return cls(versions=versions, owners=owners)


def normal(name: str) -> str:
    """A distribution's name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def shadowed(user_base: str, *, loaded: Loaded) -> list[str]:
    """Names of the user's distributions (or bare modules) that differ from what is loaded, sorted."""
    try:
        entries = [entry.name for entry in site_dir(user_base).iterdir()]
    except OSError:
        return []
    installed = dict(filter(None, map(_distribution, entries)))
    found = {name for name, version in installed.items() if loaded.versions.get(name, version) != version}
    for entry in entries:
        module = _module(entry, folder=site_dir(user_base))
        if module is None or module not in loaded.owners:
            continue
        owners = loaded.owners[module]
        # A copy of the same version is the same code; anything else under that name is not.
        if not any(owner in installed for owner in owners):
            found.add(owners[0] if owners else module)
    return sorted(found)


def outdated(user_base: str) -> list[str]:
    """Modules of the user's that this process has already imported from another place, sorted."""
    folder = site_dir(user_base)
    try:
        modules = {_module(entry.name, folder=folder) for entry in folder.iterdir()}
    except OSError:
        return []
    loaded = {name: getattr(sys.modules.get(name), "__file__", None) for name in modules if name is not None}
    return sorted(name for name, file in loaded.items() if file and not file.startswith(f"{folder}/"))


def _distribution(entry: str) -> tuple[str, str] | None:
    stem, dot, kind = entry.rpartition(".")
    if dot and kind in {"dist-info", "egg-info"} and "-" in stem:
        name, _, version = stem.partition("-")
        return normal(name), version
    return None


def _module(entry: str, *, folder: Path) -> str | None:
    if entry.endswith((".dist-info", ".egg-info", ".pth", ".data", ".libs")) or entry.startswith(
        (".", "_", "-")
    ):
        return None
    name = entry.partition(".")[0]
    is_module = entry.endswith((".py", ".so")) or any(
        (folder / entry / f"__init__.py{end}").exists() for end in ("", "c")
    )
    return name if is_module else None
