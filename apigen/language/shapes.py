"""Shapes: the accepted forms of a value. A shape reads a node, and describes the same form as JSON Schema for editors.

This module has shapes that consist of other shapes; those of scalars are in `words`, that of mappings with keys in `keys`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar

from apigen.language.broken import Name
from apigen.language.context import Context
from apigen.language.habits import habitual_entries
from apigen.language.json_values import JsonValue
from apigen.language.nodes import Mapping, Node, Scalar, Sequence

T = TypeVar("T")
V = TypeVar("V")
T_co = TypeVar("T_co", covariant=True)

_WORD = re.compile(r"[A-Za-z][\w./-]{0,60}")

Schema = dict[str, JsonValue]
Definitions = dict[str, Schema]


class Shape(ABC, Generic[T_co]):
    """The expected form of one value; `expected` describes it (`a list of text`)."""

    expected: str

    @abstractmethod
    def read(self, node: Node, context: Context) -> T_co | None:
        """The value; None after an error, and only then."""

    @abstractmethod
    def schema(self, definitions: Definitions) -> Schema:
        """Return its JSON Schema; schemas that are used more than once are added to `definitions`."""


class ListOf(Shape[tuple[T_co, ...]]):
    """A list of at least `least` and at most `most` elements; a bad element makes all of it bad. `example` is the hint
    for another value.
    """

    def __init__(
        self, item: Shape[T_co], expected: str, least: int = 0, most: int | None = None, *, example: str | None = None
    ) -> None:
        self._example = example
        self._item = item
        self._least = least
        self._most = most
        self.expected = expected

    def read(self, node: Node, context: Context) -> tuple[T_co, ...] | None:
        if not isinstance(node, Sequence):
            is_text = isinstance(node, Scalar) and isinstance(node.value, str)
            text = node.text if is_text and isinstance(node, Scalar) and _WORD.fullmatch(node.text) else "…"
            context.mismatch(node, self.expected, f"write it in brackets: `[{text}]`" if is_text else self._example)
            return None
        count = len(node.items)
        if count < self._least or (self._most is not None and count > self._most):
            elements = "1 element" if count == 1 else f"{count or 'no'} elements"
            context.error("AG0211", node.place, f"expected {self.expected}, found {elements}")
            return None
        items = [self._item.read(item, context) for item in node.items]
        read = tuple(item for item in items if item is not None)
        return read if len(read) == count else None

    def schema(self, definitions: Definitions) -> Schema:
        schema: Schema = {"type": "array", "items": self._item.schema(definitions)}
        if self._least:
            schema["minItems"] = self._least
        if self._most is not None:
            schema["maxItems"] = self._most
        return schema


class MapOf(Shape[tuple[T_co, ...]]):
    """A mapping from names of the author's choice; `read_entry` returns the result for a name and its value.

    With `owner`, an entry with an error is omitted alone: it is marked as broken, by the names in `owner` and its
    own. Otherwise an error makes the whole owner of the mapping unreadable. Entries that cannot be read are omitted.
    """

    def __init__(
        self,
        value: Shape[object],
        read_entry: Callable[[Scalar, Node, Context], T_co | None],
        expected: str,
        owner: Name | None = None,
        *,
        needs_no_value: bool = False,
    ) -> None:
        self._value = value
        self._read_entry = read_entry
        self._owner = owner
        self._needs_no_value = needs_no_value
        self.expected = expected

    def _listed_hint(self, node: Node) -> str | None:
        """Return the hint for a list of names or of mappings with a name; None without names."""
        if not isinstance(node, Sequence):
            return None
        names = [each.text for each in node.items if isinstance(each, Scalar)]
        if names:
            return habitual_entries(names) if self._needs_no_value else f"write `{{{names[0]}: {{…}}}}`"
        named = (_name_in(each) for each in node.items)
        name = next((name for name in named if name is not None), None)
        return None if name is None else f"write each element below its name: `{name}: {{…}}`, without `name:`"

    def read(self, node: Node, context: Context) -> tuple[T_co, ...] | None:
        if not isinstance(node, Mapping):
            context.mismatch(node, self.expected, empty_hint(node) or self._listed_hint(node))
            return None
        if node.damaged:
            context.mark_broken()
        read: list[T_co] = []
        for key, value in node.entries:
            inner = context if self._owner is None else context.inside(*self._owner, key.text)
            if key.text in node.repeated:
                inner.mark_broken()
            entry = self._read_entry(key, value, inner)
            if entry is not None:
                read.append(entry)
        return tuple(read)

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": "object", "additionalProperties": self._value.schema(definitions)}


class ByForm(Shape[T_co]):
    """A value that may be written in more than one form: as a scalar, a mapping, a list. `empty` is the hint for
    `null`.
    """

    def __init__(
        self,
        expected: str,
        scalar: Shape[T_co] | None = None,
        mapping: Shape[T_co] | None = None,
        sequence: Shape[T_co] | None = None,
        *,
        empty: str | None = None,
    ) -> None:
        self.expected = expected
        self._empty = empty
        self._scalar = scalar
        self._mapping = mapping
        self._sequence = sequence

    def read(self, node: Node, context: Context) -> T_co | None:
        match node:
            case Scalar():
                shape = None if node.value is None else self._scalar
            case Mapping():
                shape = self._mapping
            case _:
                shape = self._sequence
        if shape is None:
            context.mismatch(node, self.expected, self._empty if isinstance(node, Scalar) else None)
            return None
        return shape.read(node, context)

    def schema(self, definitions: Definitions) -> Schema:
        forms: tuple[tuple[Shape[T_co] | None, JsonValue], ...] = (
            (self._scalar, ["string", "number", "boolean"]),
            (self._mapping, "object"),
            (self._sequence, "array"),
        )
        return {"anyOf": [shape.schema(definitions) or {"type": type_} for shape, type_ in forms if shape is not None]}


class Mapped(Shape[T_co]):
    """Reads a value with another shape, and converts it."""

    def __init__(self, shape: Shape[object], read: Callable[[Node, Context], T_co | None]) -> None:
        self.expected = shape.expected
        self._shape = shape
        self._read = read

    def read(self, node: Node, context: Context) -> T_co | None:
        return self._read(node, context)

    def schema(self, definitions: Definitions) -> Schema:
        return self._shape.schema(definitions)


def mapped(shape: Shape[V], make: Callable[[V, Node, Context], T | None]) -> Shape[T]:
    """Return a shape whose values `make` converts; it returns None after it reported an error."""

    def read(node: Node, context: Context) -> T | None:
        value = shape.read(node, context)
        return None if value is None else make(value, node, context)

    return Mapped(shape, read)


def map_of(
    value: Shape[V],
    make: Callable[[Scalar, V, Context], T | None],
    expected: str,
    owner: Name | None = None,
    *,
    needs_no_value: bool = False,
) -> Shape[tuple[T, ...]]:
    """Return the shape of a mapping whose entries `make` converts; see MapOf."""

    def read_entry(key: Scalar, node: Node, context: Context) -> T | None:
        read = value.read(node, context)
        return None if read is None else make(key, read, context)

    return MapOf(value, read_entry, expected, owner, needs_no_value=needs_no_value)


def _name_in(node: Node) -> str | None:
    """Return the value of `name:` in a mapping; None without it."""
    entries = node.entries if isinstance(node, Mapping) else ()
    return next((v.text for k, v in entries if k.text == "name" and isinstance(v, Scalar)), None)


def empty_hint(node: Node) -> str | None:
    """Return the hint for an empty value where a mapping is expected."""
    return "an empty one is written `{}`" if isinstance(node, Scalar) and node.value is None else None
