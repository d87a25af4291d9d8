"""The paths of generated modules, by group, version and name."""

from __future__ import annotations

import keyword
import re
from functools import lru_cache

from apigen.dataclass import dataclass

_TAKEN = frozenset({"features", "runtime", "scheme", "tests"})
"""Modules and packages at the top of the output."""


@lru_cache(maxsize=1024)
def package_name(folder: str) -> str:
    """Return the Python name of a group's package: `things.example.com` becomes `things_example_com`.

    Names that are reserved by Python or by the output get a trailing underscore, and names with a leading digit a
    leading one.
    """
    name = re.sub(r"[^0-9A-Za-z_]", "_", folder)
    if name[:1].isdigit():
        return f"_{name}"
    return f"{name}_" if keyword.iskeyword(name) or name in _TAKEN else name


@dataclass(frozen=True, slots=True, order=True)
class Module:
    """A generated module: `(group package, version, name)`, or fewer parts nearer the root."""

    parts: tuple[str, ...]

    @classmethod
    def of(cls, group: str, version: str, name: str) -> Module:
        """The module `name` of a version (or `hub`) of a group."""
        return cls((package_name(group), version, name))

    @property
    def path(self) -> str:
        """The file, relative to the output folder."""
        return "/".join(self.parts) + ".py"
