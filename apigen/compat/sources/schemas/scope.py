"""What the readers of one schema share: where its types go, what it cannot judge, what its references mean."""

from __future__ import annotations

from typing import Protocol

from apigen.compat.sources.schemas.dialect import Dialect
from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.surface import Unread
from apigen.compat.surface.types import Scalar, Scalars, Slot, TypeDef
from apigen.diagnostics import Place
from apigen.spec.nodes import Node

_OF_PATHS = frozenset(".[]{}()")
"""Characters that mean something in a path."""


class References(Protocol):
    """What `$ref` means in a document. `has_any`: whether the form has references at all."""

    @property
    def has_any(self) -> bool: ...

    def name(self, reference: str, at: Node) -> str | None:
        """The name of the type that a reference leads to; None, with a word about it, where it leads nowhere."""

    def target(self, name: str) -> Node | None:
        """The schema of a type that a reference leads to."""


class Scope:
    """A version whose types are made: they are collected in `types`, by name, their schemas in `places`, what cannot be judged in `unread`."""

    def __init__(self, group: str, version: str, dialect: Dialect) -> None:
        self.group = group
        self.version = version
        self.dialect = dialect
        self.types: dict[str, TypeDef] = {}
        self.unread: list[Unread] = []
        self.places: dict[str, Node | None] = {}

    def name(self, path: str) -> TypeName:
        """The name of the type at a path."""
        return TypeName(self.group, self.version, path)

    def keep(self, path: str, node: Node) -> None:
        """Keep the schema of a place; of a path that stands for two there is none."""
        self.places[path] = node if self.places.get(path, node) is node else None

    def anything(self, place: Place) -> Slot:
        """A place for any value."""
        return Slot(Scalar(Scalars.ANYTHING), place, nullable=self.dialect.is_null_anything)

    def complain(self, node: Node, message: str) -> None:
        """Something that cannot be judged."""
        self.unread.append(Unread(node.place, message))


class NoReferences:
    """Of a form that has none."""

    has_any = False

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def name(self, reference: str, at: Node) -> str | None:
        """None: there are no references."""
        self._scope.complain(
            at, f"`$ref: {reference}` is not part of {self._scope.dialect.name}; any value is taken for valid"
        )
        return None

    def target(self, name: str) -> Node | None:
        """None: there are no references."""
        return None


def member_path(path: str, name: str) -> str:
    """The path of a member of the type at `path`."""
    return f"{path}.{name}" if name and _OF_PATHS.isdisjoint(name) else f'{path}["{name}"]'
