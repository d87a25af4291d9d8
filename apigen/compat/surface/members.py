"""Members of types by the paths of elements."""

from __future__ import annotations

from apigen.compat.surface.elements import Element
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Field, Struct


def struct_of(surface: Surface, element: Element) -> Struct | None:
    """The struct that an element is, or stands in, as a side has it."""
    type_ = surface.type(element.type_name)
    return type_ if isinstance(type_, Struct) else None


def field_at(surface: Surface, element: Element) -> Field | None:
    """The field that an element is, as a side has it; None for all else, such as a place inside a field."""
    struct = struct_of(surface, element)
    return None if struct is None else struct.fields.get(element.path)


def field_of(struct: Struct, path: str) -> Field | None:
    """The field that a path within a type begins with; a name may hold dots, so the longest that fits is taken."""
    found = struct.fields.get(path)
    if found is not None:
        return found
    ends = (index for index in range(len(path) - 1, -1, -1) if path[index] in ".[{(")
    return next((struct.fields[path[:end]] for end in ends if path[:end] in struct.fields), None)
