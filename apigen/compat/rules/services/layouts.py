"""Whether two messages are the same but for their names."""

from __future__ import annotations

from apigen.compat.context import Context
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Struct


def is_same_layout(old: str, new: str, context: Context) -> bool:
    """Whether a message of the old side and one of the new side, by full names, have equal fields."""
    before, after = _message(old, context.old), _message(new, context.new)
    return before is not None and after is not None and before.fields == after.fields


def _message(name: str, surface: Surface) -> Struct | None:
    versions = (version for group in surface.groups.values() for version in group.versions.values())
    types = (type_ for version in versions for type_ in version.types.values())
    return next((type_ for type_ in types if isinstance(type_, Struct) and type_.wire_name == name), None)
