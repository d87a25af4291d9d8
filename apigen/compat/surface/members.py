"""Members of types by the paths of elements."""

from __future__ import annotations

from apigen.compat.surface.types import Field, Struct


def field_of(struct: Struct, path: str) -> Field | None:
    """The field that a path within a type begins with; a name may hold dots, so the longest that fits is taken."""
    found = struct.fields.get(path)
    if found is not None:
        return found
    names = [name for name in struct.fields if path.startswith(name) and path[len(name) : len(name) + 1] in ".[{("]
    return struct.fields[max(names, key=len)] if names else None
