"""Compare types: structs field by field, enums value by value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.dataclass import replace
from apigen.review.changes import traits
from apigen.review.changes.change import Altered, AnyChange, Trait
from apigen.review.changes.matching import Sides, altered, altered_in, by_name, matched, nearest_value
from apigen.review.changes.slots import slot_changes
from apigen.review.surface import (
    Alias,
    Branch,
    Element,
    ElementKind,
    Enum,
    EnumValue,
    Field,
    Slot,
    Struct,
    Tombstone,
    TypeDef,
    Union,
    UnknownFields,
)

FORMS: Mapping[type[TypeDef], ElementKind] = {
    Struct: ElementKind.STRUCT,
    Enum: ElementKind.ENUM,
    Alias: ElementKind.ALIAS,
}
"""The kind of element of each class of types."""


def type_changes(element: Element, old: TypeDef, new: TypeDef) -> Iterator[AnyChange]:
    """Yield the changes inside a type of both sides. A type of another form is a single change."""
    if isinstance(old, Struct) and isinstance(new, Struct):
        yield from _struct(element, old, new)
    elif isinstance(old, Enum) and isinstance(new, Enum):
        yield from _enum(element, old, new)
    elif isinstance(old, Alias) and isinstance(new, Alias):
        yield from slot_changes(element, old.slot, new.slot)
    else:
        forms = FORMS[type(old)].value, FORMS[type(new)].value
        yield Altered(element, old.place, new.place, Trait.FORM, old, new, *forms)
        yield from _beside_form(element, old, new)


def _beside_form(element: Element, old: TypeDef, new: TypeDef) -> Iterator[AnyChange]:
    """Yield the changes of an alias's constraints if the other side has an enum instead, which has none."""
    if isinstance(old, Alias) and isinstance(new, Enum):
        yield from slot_changes(element, old.slot, Slot(old.slot.type, new.place, doc=new.doc))
    elif isinstance(old, Enum) and isinstance(new, Alias):
        yield from slot_changes(element, Slot(new.slot.type, old.place, doc=old.doc), new.slot)


def _struct(element: Element, old: Struct, new: Struct) -> Iterator[AnyChange]:
    sides = Sides(old.place, new.place, new)
    yield from altered(element, old, new, traits.STRUCT)
    yield from altered_in(element, old, new, traits.LIFECYCLE, lambda type_: type_.lifecycle)
    fields = {**_implied(old, new), **_kept_fields(old, new)}, {**_implied(new, old), **_kept_fields(new, old)}
    is_same = fields[0].keys() == fields[1].keys() and old.patterns == new.patterns
    yield from slot_changes(element, _with_condition_of(new.slot, old.slot) if is_same else old.slot, new.slot)
    yield from _defaults(element, old, new)
    yield from matched(sides, fields, lambda name: element.member(ElementKind.FIELD, name), _field)
    yield from _order(element, old, new)
    unions = by_name(old.unions, new.unions, union_name)
    yield from matched(sides, unions, lambda name: element.member(ElementKind.UNION, name), _union)
    yield from _tombstones(element, sides, old.tombstones, new.tombstones)


def _kept_fields(of: Struct, other: Struct) -> dict[str, Field]:
    """The fields of a struct, without those that a server of CRDs prunes: required ones that only the other struct defines."""
    if of.unknown is not UnknownFields.DROPPED:
        return dict(of.fields)
    defined = {name for name, field in other.fields.items() if field.is_defined}
    return {name: field for name, field in of.fields.items() if field.is_defined or name not in defined}


def _implied(of: Struct, other: Struct) -> dict[str, Field]:
    """The fields that only the `other` struct has and that this one treats in the same way, except that it does not require them.

    A field that the other one only requires is one of them: neither side defines it. A defined one is, if `additionalProperties` of
    this struct has its schema.
    """
    is_open = of.unknown is UnknownFields.KEPT and not of.patterns
    if any(branch.keyword.startswith("unevaluated") for branch in of.slot.branches):
        return {}
    others = _others(of.slot) if is_open else None
    return {
        name: replace(field, required=False, place=of.place)
        for name, field in other.fields.items()
        if name not in of.fields and (not field.is_defined or (others is not None and field.slot == others.slot))
    }


def _others(slot: Slot) -> Branch | None:
    """The schema of `additionalProperties` of an object."""
    return next((branch for branch in slot.branches if branch.keyword == "additionalProperties"), None)


def _with_condition_of(other: Slot, slot: Slot) -> Slot:
    """The slot with the label that `additionalProperties` has on the other side, if its schema is equal there."""
    own_branch, other_branch = _others(slot), _others(other)
    if own_branch is None or other_branch is None or own_branch.slot != other_branch.slot:
        return slot
    return replace(slot, branches=tuple(other_branch if branch is own_branch else branch for branch in slot.branches))


def _defaults(element: Element, old: Struct, new: Struct) -> Iterator[Altered]:
    """The defaults that a struct gives to places inside it. A place that has none on one side is there all the same."""
    for path in {**new.defaults, **old.defaults}:
        before, after = old.defaults.get(path), new.defaults.get(path)
        declared = before or after
        if before != after and declared is not None:
            old_slot = before or replace(declared, default=None, place=old.place)
            new_slot = after or replace(declared, default=None, place=new.place)
            yield from altered(element.member(ElementKind.FIELD, path), old_slot, new_slot, traits.SLOT)


def union_name(union: Union) -> str:
    """Return the name of a union; without one, that of its discriminator or its first member."""
    return union.name or union.discriminator or next(iter(union.members), "")


def _field(element: Element, old: Field, new: Field) -> Iterator[AnyChange]:
    yield from altered(element, old, new, traits.FIELD)
    yield from altered_in(element, old, new, traits.LIFECYCLE, lambda each: each.lifecycle)
    yield from slot_changes(element, old.slot, new.slot)


def _order(element: Element, old: Struct, new: Struct) -> Iterator[Altered]:
    before = tuple(name for name in old.fields if name in new.fields)
    after = tuple(name for name in new.fields if name in old.fields)
    if before != after:
        yield Altered(element, old.place, new.place, Trait.ORDER, old, new, before, after)


def _union(element: Element, old: Union, new: Union) -> Iterator[AnyChange]:
    yield from altered(element, old, new, traits.UNION)


def _enum(element: Element, old: Enum, new: Enum) -> Iterator[AnyChange]:
    sides = Sides(old.place, new.place, new)
    yield from altered(element, old, new, traits.ENUM)
    values = old.values, new.values
    changes = matched(sides, values, lambda value: element.member(ElementKind.ENUM_VALUE, value), _value)
    yield from (nearest_value(change, old, new) for change in changes)
    yield from _tombstones(element, sides, old.tombstones, new.tombstones)


def _value(element: Element, old: EnumValue, new: EnumValue) -> Iterator[AnyChange]:
    yield from altered(element, old, new, traits.ENUM_VALUE)
    yield from altered_in(element, old, new, traits.LIFECYCLE, lambda value: value.lifecycle)


def _tombstones(
    element: Element, sides: Sides, old: tuple[Tombstone, ...], new: tuple[Tombstone, ...]
) -> Iterator[AnyChange]:
    tombstones = by_name(old, new, tombstone_name)
    yield from matched(sides, tombstones, lambda name: element.member(ElementKind.TOMBSTONE, name), tombstone)


def tombstone_name(of: Tombstone) -> str:
    """Return the name of a tombstone; without one, its numbers."""
    return of.name or f"number {of.numbers}"


def tombstone(element: Element, old: Tombstone, new: Tombstone) -> Iterator[AnyChange]:
    """Yield the changes of a tombstone of both sides."""
    yield from altered(element, old, new, traits.TOMBSTONE)
