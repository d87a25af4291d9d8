"""Generated packages that are imported without being written: what two of them have alike is compiled once."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import PurePosixPath
from types import CodeType, ModuleType

MOST_KNOWN = 8_192
"""Modules that are kept compiled."""


class Modules(MetaPathFinder, Loader):
    """Python's way to the modules of packages that were added."""

    def __init__(self) -> None:
        self._sources: dict[str, tuple[bytes, bool]] = {}

    def add(self, package: str, files: Iterable[tuple[str, bytes]]) -> None:
        """Make a package importable; `files` are paths in it, with what they hold."""
        for path, content in files:
            parts = PurePosixPath(path).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            if path.endswith(".py"):
                name = ".".join((package, *(parts[:-1] if is_package else parts)))
                self._sources[name] = (content, is_package)

    def __contains__(self, package: str) -> bool:
        """Whether a package was added, and not forgotten."""
        return package in self._sources

    def forget(self, ending: str) -> None:
        """Drop the packages whose names end so."""
        for known in (self._sources, sys.modules):
            for name in [each for each in known if each.partition(".")[0].endswith(ending)]:
                del known[name]

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module comes from; None for those that were not added."""
        found = self._sources.get(fullname)
        return None if found is None else spec_from_loader(fullname, self, is_package=found[1])

    def exec_module(self, module: ModuleType) -> None:
        """Run a module."""
        exec(_compiled(self._sources[module.__name__][0]), vars(module))


@lru_cache(maxsize=MOST_KNOWN)
def _compiled(source: bytes) -> CodeType:
    return compile(source, "<made up>", "exec", dont_inherit=True)


MODULES = Modules()
"""The one that Python asks."""

sys.meta_path.append(MODULES)
