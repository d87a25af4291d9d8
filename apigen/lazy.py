"""Packages that give out the names of their modules, and import a module when one of its names is first asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazily(package: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package; `names` are those that it gives out, by module, with spaces between.

    Type checkers read the imports that stand beside it under `TYPE_CHECKING`.
    """
    homes = {name: module for module, found in names.items() for name in found.split()}

    def get(name: str) -> object:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{home}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return get
