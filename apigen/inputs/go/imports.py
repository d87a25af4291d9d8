"""The names of imported packages in a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.inputs.go.literals import string_value
from apigen.inputs.go.syntax import GoFile, children_of, specs_of

if TYPE_CHECKING:
    pass

NameOf = Callable[[str], str | None]
"""Return the name in the package clause of an import path, if the package can be read."""

_MAJOR_VERSION = re.compile(r"v\d+")
_GOPKG_VERSION = re.compile(r"\.v\d+$")
_AFFIX = re.compile(r"^go-|[-.]go$")


@dataclass(frozen=True)
class Imports:
    """The imports of a file, by their names in the file; others have no name of their own.

    `name_of` returns the name of an import without one. For a package that cannot be read, it is the last element of
    the path, which is nearly always the name.
    """

    named: dict[str, str]
    unnamed: tuple[str, ...]
    dots: tuple[tuple[str, Place], ...]
    name_of: NameOf

    def path_of(self, name: str) -> str | None:
        """Return the import path of a package name; None if the file imports no package with that name."""
        return self.named.get(name) or self._found.get(name)

    @cached_property
    def _found(self) -> dict[str, str]:
        found = {name: path for path in self.unnamed if (name := self.name_of(path)) is not None}
        guesses = [guess for path in self.unnamed if self.name_of(path) is None for guess in _guesses(path)]
        for _, name, path in sorted(guesses, key=lambda guess: guess[0]):
            found.setdefault(name, path)
        return found


def read_imports(file: GoFile, name_of: NameOf) -> Imports:
    """The imports of a file."""
    named: dict[str, str] = {}
    unnamed: list[str] = []
    dots: list[tuple[str, Place]] = []
    for spec in (spec for one in children_of(file.root, "import_declaration") for spec in specs_of(one)):
        path_node, name_node = spec.child_by_field_name("path"), spec.child_by_field_name("name")
        path = None if path_node is None else string_value(file.text(path_node))
        if not path or path == "C":
            continue
        if name_node is None:
            unnamed.append(path)
        elif name_node.type == "package_identifier":
            named[file.text(name_node)] = path
        elif name_node.type == "dot":
            dots.append((path, file.place(spec)))
    return Imports(named, tuple(unnamed), tuple(dots), name_of)


def _guesses(path: str) -> list[tuple[int, str, str]]:
    """Return possible names of the package of an import path, each with a rank: 0 is the most likely.

    `gopkg.in/inf.v0` is inf, `k8s.io/klog/v2` is klog, `example.com/go-things` is things.
    """
    *before, last = path.split("/")
    names = [last, _GOPKG_VERSION.sub("", last), _AFFIX.sub("", last)]
    if before and _MAJOR_VERSION.fullmatch(last):
        names += [before[-1], _AFFIX.sub("", before[-1])]
    return [(rank, name, path) for rank, name in enumerate(names)]
