"""Places that are reached through fields of structs only."""

from __future__ import annotations

from apigen.ir.model import Field

FieldPath = tuple[Field, ...]
"""The fields on the way to a place, the last of which is meant."""


def spell(path: FieldPath) -> str:
    """The path as the spec writes it."""
    return ".".join(json_names(path))


def json_names(path: FieldPath) -> tuple[str, ...]:
    """The names of the fields on the way, as JSON has them."""
    return tuple(f.json_name for f in path)


def optional_parents(path: FieldPath) -> tuple[FieldPath, ...]:
    """Return the parents of a path that may be `None`, outermost first."""
    return tuple(path[:i] for i in range(1, len(path)) if path[i - 1].can_be_none)
