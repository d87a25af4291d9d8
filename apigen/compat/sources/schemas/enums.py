"""The values of an `enum`."""

from __future__ import annotations

from apigen.compat.sources.schemas.literals import text_of
from apigen.compat.sources.schemas.words import Words, items_of
from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.types import Enum, EnumValue, Scalar, Scalars, Type
from apigen.diagnostics import Place
from apigen.spec.nodes import Node
from apigen.spec.nodes import Scalar as ScalarNode

_ANYTHING = Scalar(Scalars.ANYTHING)
_TEXT = frozenset({Scalars.STRING, Scalars.BYTES, Scalars.TIME})


def enum_of(words: Words, base: Type, name: TypeName, place: Place, *, nullable: bool) -> Enum | None:
    """The enum of a schema whose type is `base`; None where it lists no scalars, or nothing.

    `null` is none of its values where the place for values says `nullable`. Values that are no text are JSON.
    """
    if not is_scalar_enum(words):
        return None
    items = [item for item in items_of(words, "enum") if isinstance(item, ScalarNode)]
    items = [item for item in items if item.value is not None or not nullable]
    if base == _ANYTHING:
        base = _common(items)
    is_text = isinstance(base, Scalar) and base.name in _TEXT
    values: dict[str, EnumValue] = {}
    for item in items:
        text = item.value if is_text and isinstance(item.value, str) else text_of(item)
        values.setdefault(text, EnumValue(text, item.place))
    return Enum(name, values, place, base)


def is_scalar_enum(words: Words) -> bool:
    """Whether `enum` lists scalars alone."""
    items = items_of(words, "enum")
    return bool(items) and all(isinstance(item, ScalarNode) for item in items)


def _common(items: list[ScalarNode]) -> Type:
    """The type that all values have; anything, where they differ."""
    kinds = {_kind(item) for item in items}
    return Scalar(kinds.pop()) if len(kinds) == 1 else _ANYTHING


def _kind(item: Node) -> Scalars:
    value = item.value if isinstance(item, ScalarNode) else None
    if isinstance(value, bool):
        return Scalars.BOOL
    if isinstance(value, str):
        return Scalars.STRING
    return Scalars.INTEGER if isinstance(value, int) else Scalars.NUMBER if value is not None else Scalars.NULL
