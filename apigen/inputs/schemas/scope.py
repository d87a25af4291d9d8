"""State shared by the readers of one schema: its types, its unsupported parts, its references."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place
from apigen.ir.graphs import breadth_first
from apigen.ir.surface import (
    Alias,
    Named,
    Scalar,
    Scalars,
    Several,
    Slot,
    Struct,
    TypeDef,
    TypeName,
    UnknownFields,
    Unread,
)
from apigen.language.nodes import Node
from apigen.runtime.schema_formats import FORMATS
from apigen.runtime.structural.nodes import Schema, sub


@dataclass(frozen=True, slots=True)
class Dialect:
    """A form of schemas. `unknown` is the handling of unknown fields; `formats` are the string formats that are a
    type of their own, others are constraints; `fills_defaults`: readers of an object fill them in;
    `keeps_empty_enum`: an `enum` without values has none, where Go's types for schemas do not know it from no `enum`.
    `validated` are the formats of text that are validated, without their hyphens; None: all.
    """

    name: str
    unknown: UnknownFields
    formats: Mapping[str, Scalars]
    fills_defaults: bool
    is_null_anything: bool
    keeps_empty_enum: bool
    validated: frozenset[str] | None = None

    def ignores(self, format_: str) -> bool:
        """Return whether a string format has no effect, because it is not validated."""
        return self.validated is not None and format_.replace("-", "") not in self.validated


CRD = Dialect(
    name="a CustomResourceDefinition",
    unknown=UnknownFields.DROPPED,
    formats={"date-time": Scalars.TIME, "byte": Scalars.BYTES, "int-or-string": Scalars.INT_OR_STRING},
    fills_defaults=True,
    is_null_anything=False,
    keeps_empty_enum=False,
    validated=frozenset(FORMATS),
)
JSON_SCHEMA = Dialect(
    name="JSON Schema",
    unknown=UnknownFields.KEPT,
    formats={},
    fills_defaults=False,
    is_null_anything=True,
    keeps_empty_enum=True,
)


_OF_PATHS = frozenset(".[]{}()")
"""Characters that mean something in a path."""


class References(Protocol):
    """Resolves `$ref` in a document. `has_any`: whether the form has references at all."""

    @property
    def has_any(self) -> bool: ...

    def name(self, reference: str, at: Node) -> str | None:
        """Return the name of the type that a reference refers to; None, with a diagnostic, if it is unknown."""

    def target(self, name: str) -> Node | None:
        """The schema of a type that a reference leads to."""


class Scope:
    """A version under construction: its types by name in `types`, their schemas in `places`, unsupported parts in `unread`,
    and the types that the `allOf` of a struct refers to in `bases`.
    """

    def __init__(self, group: str, version: str, dialect: Dialect) -> None:
        self.group = group
        self.version = version
        self.dialect = dialect
        self.types: dict[str, TypeDef] = {}
        self.unread: list[Unread] = []
        self.places: dict[str, Node | None] = {}
        self.bases: dict[str, tuple[str, ...]] = {}

    def inherit(self) -> None:
        """Add the fields of their bases to the structs, when all types are known."""
        for name in self.bases:
            struct = self.types.get(name)
            if isinstance(struct, Struct):
                bases = ((base, self.types.get(base)) for base in breadth_first(name, self._bases)[1:])
                inherited = {base: each.fields for base, each in bases if isinstance(each, Struct)}
                self.types[name] = replace(struct, inherited=inherited)

    def _bases(self, name: str) -> tuple[str, ...]:
        type_ = self.types.get(name)
        if isinstance(type_, Alias):
            types = type_.slot.type.types if isinstance(type_.slot.type, Several) else (type_.slot.type,)
            return tuple(each.name.name for each in types if isinstance(each, Named))
        return self.bases.get(name, ())

    def name(self, path: str) -> TypeName:
        """The name of the type at a path."""
        return TypeName(self.group, self.version, path)

    def keep(self, path: str, node: Node) -> None:
        """Keep the schema of a place; an ambiguous path has none."""
        self.places[path] = node if self.places.get(path, node) is node else None

    def anything(self, place: Place) -> Slot:
        """A place for any value."""
        return Slot(Scalar(Scalars.ANYTHING), place, nullable=self.dialect.is_null_anything)

    def complain(self, node: Node, message: str) -> None:
        """Report an unsupported part."""
        self.unread.append(Unread(node.place, message))


class NoReferences:
    """The references of a form without any."""

    has_any = False

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def name(self, reference: str, at: Node) -> str | None:
        """Report the reference and return None."""
        self._scope.complain(
            at, f"`$ref: {reference}` is not part of {self._scope.dialect.name}; any value counts as valid"
        )
        return None

    def target(self, name: str) -> Node | None:
        """Return None, because there are no references."""
        return None


def member_path(path: str, name: str) -> str:
    """The path of a member of the type at `path`."""
    return f"{path}.{name}" if name and _OF_PATHS.isdisjoint(name) else f'{path}["{name}"]'


SchemaPlace = tuple[str, ...]
"""A place in a schema: names of fields, `ITEM` and `VALUE`."""

ITEM, VALUE = "[]", "{}"
"""Steps of a place in a schema that lead into a list or a map."""

_STEP = re.compile(r"""\.?(?P<member>[^.\[\](){}]+)|\["(?P<quoted>[^"]*)"\]|(?P<inside>\[\]|\{\})""")


def place_of(path: str) -> SchemaPlace:
    """Return the names, and the steps into lists and maps, of the path of a schema: `.spec.rules[]["a.b"]{}`."""
    return tuple(found["member"] or found["quoted"] or found["inside"] for found in _STEP.finditer(path))


def stepped(schema: Schema | None, step: str) -> Schema | None:
    """Return the schema at a step of a place; None if the schema has no such place."""
    if step == ITEM:
        return sub(schema, "items")
    return sub(schema, "additionalProperties") if step == VALUE else sub(sub(schema, "properties"), step)
