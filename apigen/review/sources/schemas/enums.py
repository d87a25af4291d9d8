"""The values of an `enum`."""

from __future__ import annotations

from apigen.diagnostics import Place
from apigen.language.nodes import Node
from apigen.language.nodes import Scalar as ScalarNode
from apigen.review.sources.schemas.words import Words, is_null, items_of, text_of
from apigen.review.surface import Enum, EnumValue, Scalar, Scalars, Several, Type, TypeName

_ANYTHING = Scalar(Scalars.ANYTHING)
_NUMBERS = frozenset({Scalars.INTEGER, Scalars.INT32, Scalars.INT64})
_TEXT = frozenset({Scalars.STRING, Scalars.BYTES, Scalars.TIME})


def enum_of(words: Words, base: Type, name: TypeName, place: Place, *, nullable: bool) -> Enum | None:
    """Return the enum of a schema whose type is `base`; None if it has no value of this type.

    `null` is not one of its values if the slot is `nullable`. Values other than strings are written as JSON.
    """
    items = [item for item in items_of(words, "enum") if isinstance(item, ScalarNode)]
    items = [item for item in items if not (is_null(item) and nullable) and _fits(item, base)]
    if not items:
        return None
    if base == _ANYTHING:
        base = _common(items)
    is_text = isinstance(base, Scalar) and base.name in _TEXT
    values: dict[str, EnumValue] = {}
    for item in items:
        text = item.value if is_text and isinstance(item.value, str) else text_of(item)
        values.setdefault(text, EnumValue(text, item.place))
    return Enum(name, values, place, base)


def _fits(item: ScalarNode, base: Type) -> bool:
    """Return whether the values of an enum belong to a type."""
    if isinstance(base, Several):
        return any(_fits(item, each) for each in base.types)
    if not isinstance(base, Scalar) or base.name in (Scalars.ANYTHING, Scalars.INT_OR_STRING):
        return True
    kind = _kind(item)
    if kind is Scalars.NUMBER and isinstance(item.value, float) and item.value.is_integer():
        kind = Scalars.INTEGER
    if kind is Scalars.INTEGER:
        return base.name in _NUMBERS | {Scalars.NUMBER, Scalars.FLOAT32, Scalars.FLOAT64}
    if kind is Scalars.NUMBER:
        return base.name in (Scalars.NUMBER, Scalars.FLOAT32, Scalars.FLOAT64)
    return kind is base.name or (kind is Scalars.STRING and base.name in _TEXT)


def is_scalar_enum(words: Words) -> bool:
    """Return whether `enum` lists scalars alone."""
    items = items_of(words, "enum")
    return bool(items) and all(isinstance(item, ScalarNode) for item in items)


def lists_null(words: Words) -> bool:
    """Return whether `null` is listed by `enum`."""
    return any(map(is_null, items_of(words, "enum")))


def _common(items: list[ScalarNode]) -> Type:
    """Return the common type of all values; the type of any value if they differ."""
    kinds = {_kind(item) for item in items}
    return Scalar(kinds.pop()) if len(kinds) == 1 else _ANYTHING


def _kind(item: Node) -> Scalars:
    value = item.value if isinstance(item, ScalarNode) else None
    if isinstance(value, bool):
        return Scalars.BOOL
    if isinstance(value, str):
        return Scalars.STRING
    return Scalars.INTEGER if isinstance(value, int) else Scalars.NUMBER if value is not None else Scalars.NULL
