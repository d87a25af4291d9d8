"""What a place for values is once the names of aliases are unfolded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.compat.surface.constraints import Constraint, Constraints, Keyword
from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Alias, Branch, Enum, Merge, Named, Slot, Struct, Type
from apigen.dataclass import replace

_LOWER = frozenset(
    {Keyword.MINIMUM, Keyword.EXCLUSIVE_MINIMUM, Keyword.MIN_LENGTH, Keyword.MIN_BYTES, Keyword.MIN_ITEMS}
    | {Keyword.MIN_PROPERTIES}
)
_UPPER = frozenset(
    {Keyword.MAXIMUM, Keyword.EXCLUSIVE_MAXIMUM, Keyword.MAX_LENGTH, Keyword.MAX_BYTES, Keyword.MAX_ITEMS}
    | {Keyword.MAX_PROPERTIES}
)


def unfolded(surface: Surface, slot: Slot) -> Slot:
    """The slot with the aliases that it names replaced by what they stand for, and with all that they say of the value."""
    seen: set[TypeName] = set()
    while isinstance(slot.type, Named) and slot.type.name not in seen:
        alias = surface.type(slot.type.name)
        if not isinstance(alias, Alias):
            break
        seen.add(slot.type.name)
        slot = _through(slot, alias.slot)
    return slot


def behind(surface: Surface, type_: Type) -> Type:
    """What a type is behind the names of aliases. Those that name each other in a circle are left as they are."""
    seen: set[TypeName] = set()
    while isinstance(type_, Named) and type_.name not in seen:
        alias = surface.type(type_.name)
        if not isinstance(alias, Alias):
            break
        seen.add(type_.name)
        type_ = alias.slot.type
    return type_


def definition(surface: Surface, type_: Type) -> Struct | Enum | None:
    """The struct or enum that a type is behind aliases; None for all else."""
    found = behind(surface, type_)
    named = surface.type(found.name) if isinstance(found, Named) else None
    return named if isinstance(named, Struct | Enum) else None


def tighter(keyword: Keyword, said: Constraint, other: Constraint) -> Constraint:
    """Of two bounds by the same keyword the one that lets less through; of all else the first."""
    if not isinstance(said.value, int | float) or not isinstance(other.value, int | float):
        return said
    if keyword in _LOWER:
        return max(said, other, key=_number)
    return min(said, other, key=_number) if keyword in _UPPER else said


def _through(slot: Slot, alias: Slot) -> Slot:
    return replace(
        slot,
        type=alias.type,
        nullable=slot.nullable or alias.nullable,
        default=slot.default or alias.default,
        constraints=_both(slot.constraints, alias.constraints),
        rules=(*slot.rules, *(rule for rule in alias.rules if rule not in slot.rules)),
        merge=_merged(slot.merge, alias.merge),
        branches=(*slot.branches, *alias.branches, *_besides(slot, alias)),
    )


def _both(slot: Constraints, alias: Constraints) -> Mapping[Keyword, Constraint]:
    """Both hold; of two bounds the tighter one is told."""
    joined = dict(alias)
    for keyword, said in slot.items():
        other = joined.get(keyword)
        joined[keyword] = said if other is None else tighter(keyword, said, other)
    return joined


def _besides(slot: Slot, alias: Slot) -> Iterator[Branch]:
    """What an alias says by a word that the place says otherwise, where neither is the tighter one: both hold."""
    for keyword, said in alias.constraints.items():
        own = slot.constraints.get(keyword)
        if own is not None and keyword not in _LOWER | _UPPER and own.value != said.value:
            label = f"{keyword.value}: {said.value}"
            yield Branch("allOf", label, Slot(alias.type, said.place, constraints={keyword: said}))


def _number(constraint: Constraint) -> float:
    return constraint.value if isinstance(constraint.value, int | float) else 0


def _merged(slot: Merge, alias: Merge) -> Merge:
    return Merge(
        list_type=slot.list_type or alias.list_type,
        list_map_keys=slot.list_map_keys or alias.list_map_keys,
        map_type=slot.map_type or alias.map_type,
        struct_type=slot.struct_type or alias.struct_type,
        patch_strategy=slot.patch_strategy or alias.patch_strategy,
        patch_merge_key=slot.patch_merge_key or alias.patch_merge_key,
    )
