"""Packages whose modules load when they are first used."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # True for type checkers; importing `typing` would take longer than this whole module
if TYPE_CHECKING:
    from collections.abc import Callable


def load_on_first_use(
    package: str, *modules: str
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a package of these modules.

    The names that its module `types` exports, if it has one, are those of the package as well.
    """
    contents = _Contents(package, modules)
    return contents.find, contents.names


class _Contents:
    """The attributes of a package, which are loaded on first use."""

    __slots__ = ("_modules", "_package")

    def __init__(self, package: str, modules: tuple[str, ...]) -> None:
        self._package = package
        self._modules = modules

    def find(self, name: str) -> object:
        """Return the attribute of the package with that name, and cache it: concurrent threads get the same one."""
        if name in self._modules:
            return self._load(name)
        if name == "__all__":
            return sorted({*self._modules, *self._exported()})
        if name.startswith("__") or name not in self._exported():
            raise AttributeError(f"module {self._package!r} has no attribute {name!r}")
        value: object = getattr(self._load("types"), name)
        setattr(sys.modules[self._package], name, value)
        return value

    def names(self) -> list[str]:
        """Return the names of all attributes, loaded or not."""
        loaded = vars(sys.modules[self._package])
        return sorted({*loaded, *self._modules, *self._exported()})

    def _exported(self) -> list[str]:
        if "types" not in self._modules:
            return []
        exported: list[str] = getattr(self._load("types"), "__all__", [])
        return exported

    def _load(self, module: str) -> object:
        name = f"{self._package}.{module}"
        __import__(name)
        return sys.modules[name]
