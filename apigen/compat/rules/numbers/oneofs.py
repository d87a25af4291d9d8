"""Which fields share a oneof on both sides, and messages that show it."""

from __future__ import annotations

from apigen.compat.context import Context
from apigen.compat.surface.elements import Element
from apigen.compat.surface.types import Field, Scalar, Scalars, Struct
from apigen.compat.verdict.example import Example, JsonValue, Side

_TEXTS = frozenset({Scalars.STRING, Scalars.BYTES})


def partners(element: Element, old: Field, new: Field, context: Context) -> tuple[frozenset[str], frozenset[str]]:
    """The fields that both sides have and that share a oneof with a field: on the old side, and on the new one."""
    before, after = (side.type(element.type_name) for side in (context.old, context.new))
    if not isinstance(before, Struct) or not isinstance(after, Struct):
        return frozenset(), frozenset()
    common = (before.fields.keys() & after.fields.keys()) - {old.name}
    return _sharing(before, old.oneof, common), _sharing(after, new.oneof, common)


def _sharing(struct: Struct, oneof: str, names: set[str]) -> frozenset[str]:
    return frozenset(name for name in names if oneof and struct.fields[name].oneof == oneof)


def examples(
    old: Field, new: Field, gained: frozenset[str], lost: frozenset[str], context: Context, element: Element
) -> tuple[Example, ...]:
    """Messages with the field and one that clears it on the other side."""
    sides = ((Side.OLD, context.old, old, gained), (Side.NEW, context.new, new, lost))
    found = []
    for side, surface, field, others in sides:
        struct = surface.type(element.type_name)
        if others and isinstance(struct, Struct):
            other = struct.fields[min(others)]
            mine, theirs = _sample(field), _sample(other)
            if mine is not None and theirs is not None:
                found.append(Example(side, mine, ((other.name, theirs),)))
    return tuple(found)


def _sample(field: Field) -> JsonValue:
    """A value of a scalar field; None of others."""
    type_ = field.slot.type
    if not isinstance(type_, Scalar):
        return None
    if type_.name is Scalars.BOOL:
        return True
    return "YQ==" if type_.name in _TEXTS else 1
