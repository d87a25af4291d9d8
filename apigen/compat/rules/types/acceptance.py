"""Whether whatever one type writes in JSON is read by another as it is."""

from __future__ import annotations

from apigen.compat.rules.types.scalars import is_within
from apigen.compat.surface.types import Scalar, Scalars, Several, Type

_ANYTHING = frozenset({Scalars.ANYTHING, Scalars.RAW_EXTENSION, Scalars.FIELDS_V1})


def accepts(reader: Type, writer: Type) -> bool:
    """Whether it surely is. Lists, maps and definitions are only taken for the same where they are equal."""
    match reader, writer:
        case Several(types), Several(others):
            return all(any(accepts(each, other) for each in types) for other in others)
        case Several(types), _:
            return any(accepts(each, writer) for each in types)
        case _, Several(others):
            return all(accepts(reader, other) for other in others)
        case Scalar(name), Scalar(other):
            return is_within(other, name)
        case Scalar(name), _:
            return name in _ANYTHING
        case _:
            return reader == writer
