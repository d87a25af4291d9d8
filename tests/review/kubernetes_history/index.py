"""The changes that a comparison finds, by where they are in Go sources."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from apigen.ir.surface import ElementKind, Struct, Surface, field_of
from apigen.review.changes.change import AnyChange
from apigen.review.changes.comparing import compare

Key = tuple[str, str, str, str]
"""Group, version, type and field; what is of no field has an empty one, what is of no type an empty type, too."""

_NAMED = (ElementKind.TOMBSTONE, ElementKind.ENUM_VALUE)


class Index:
    """The changes of a step."""

    def __init__(self, old: Surface, new: Surface) -> None:
        self.old = old
        self.new = new
        self.changes = tuple(compare(old, new))

    def at(self, key: Key) -> tuple[AnyChange, ...]:
        """The changes that may come from a place in Go sources."""
        return tuple(self._by_key.get(key, ()))

    def keys(self, change: AnyChange) -> Iterator[Key]:
        """The types in which a change may originate: fields of an inlined struct belong to other types, too."""
        element = change.element
        if element.kind is ElementKind.GATE:
            return
        name = self._field(change)
        yield element.group, element.version, element.type, name
        for side in (self.new, self.old):
            struct = side.type(element.type_name)
            if isinstance(struct, Struct):
                for _, text in struct.inlines:
                    yield element.group, element.version, text.partition(" = ")[0], name

    @cached_property
    def _by_key(self) -> dict[Key, list[AnyChange]]:
        found: dict[Key, list[AnyChange]] = defaultdict(list)
        for change in self.changes:
            for key in self.keys(change):
                found[key].append(change)
        return found

    def _field(self, change: AnyChange) -> str:
        element = change.element
        if element.kind in _NAMED:
            return element.path
        for side in (self.new, self.old):
            struct = side.type(element.type_name)
            if isinstance(struct, Struct) and element.path:
                found = field_of(struct, element.path)
                if found is not None:
                    return found.name
        return ""
