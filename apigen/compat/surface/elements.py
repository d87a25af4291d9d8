"""Names of the parts of a surface, the same on both sides of a comparison."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from apigen.dataclass import dataclass


class ElementKind(StrEnum):
    """What a part of a surface is."""

    GROUP = "group"
    VERSION = "version"
    KIND = "kind"
    STRUCT = "struct"
    ENUM = "enum"
    ALIAS = "alias"
    FIELD = "field"
    ITEM = "item"  # of a list
    KEY = "key"  # of a map
    VALUE = "value"  # of a map
    BRANCH = "branch"  # a schema below allOf, anyOf, oneOf, not and the like
    ENUM_VALUE = "enum value"
    UNION = "union"
    UNION_MEMBER = "union member"
    RULE = "rule"
    TOMBSTONE = "tombstone"
    GATE = "feature gate"
    SERVICE = "service"
    METHOD = "method"
    FILE = "file"


class TypeName(NamedTuple):
    """A type of a surface: a tuple, as it is the key of much that is looked up. `name` may be a path, where an input nests types that have no name of their own."""

    group: str
    version: str
    name: str

    def __str__(self) -> str:
        return f"{'/'.join(part for part in (self.group, self.version) if part)}.{self.name}".lstrip(".")


@dataclass(frozen=True, slots=True, order=True)
class Element:
    """A part of a surface by its identity. `path` goes on from the type: `spec.ports[].name`, an enum's value, a method."""

    kind: ElementKind
    group: str = ""
    version: str = ""
    type: str = ""
    path: str = ""

    def __str__(self) -> str:
        if self.kind in (ElementKind.GATE, ElementKind.FILE):
            return self.path
        scope = "/".join(part for part in (self.group, self.version) if part)
        return ".".join(part for part in (scope, self.name) if part) or "the API"

    @property
    def name(self) -> str:
        """Its name within its version."""
        return ".".join(part for part in (self.type, self.path) if part)

    @property
    def type_name(self) -> TypeName:
        """The type that it is, or stands in."""
        return TypeName(self.group, self.version, self.type)

    def inside(self, kind: ElementKind, path: str) -> Element:
        """A part of it; `path` is appended as it is."""
        return Element(kind, self.group, self.version, self.type, f"{self.path}{path}")
