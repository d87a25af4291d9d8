"""Shared by decoding and encoding of JSON: the names of functions and of the members of kinds."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.codegen.python.source_text import Imports
from apigen.dataclass import dataclass
from apigen.ir.model import TypeDef
from apigen.ir.types import (
    TypeId,
)

MODULE = "json_codec"


TYPE_META = (("kind", "kind"), ("apiVersion", "api_version"))
"""JSON and Python names of the members that kinds and lists have in addition to their fields, in the order of JSON."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names that the current module uses, with their imports.

    `recursive` are the types that may contain themselves; the function that is written is of one of them if
    `counts_depth`.
    """

    imports: Imports
    types: Mapping[TypeId, TypeDef]
    recursive: frozenset[TypeId]
    counts_depth: bool = False

    def function(self, verb: str, id_: TypeId) -> str:
        """The function of a type that has one; `verb` is `decode` or `encode`."""
        return self.imports.function(id_, MODULE, f"{verb}_{self.types[id_].snake_name}")

    def depth(self, id_: TypeId) -> str:
        """Return the argument with the current depth for the function of another type."""
        return ", depth + 1" if self.counts_depth and id_ in self.recursive else ""

    def runtime(self, name: str) -> str:
        """A name of the run-time library."""
        return self.imports.runtime(name)
