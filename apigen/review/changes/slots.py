"""Compare slots: their types, constraints, defaults, and nested slots."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.review.changes import traits
from apigen.review.changes.change import Altered, AnyChange, Trait
from apigen.review.changes.matching import Sides, altered, altered_in, by_name, matched
from apigen.review.surface import Branch, Element, ElementKind, ListOf, MapOf, Several, Slot, Type


def slot_changes(element: Element, old: Slot, new: Slot) -> Iterator[AnyChange]:
    """Yield the changes of a slot and of its nested slots. A list that remains a list is compared by its items."""
    if old == new:
        return
    nested = list(_nested(element, old.type, new.type))
    is_same_form = bool(nested) and _without_places(old.type) == _without_places(new.type)
    for change in altered(element, old, new, traits.SLOT):
        if change.trait is not Trait.TYPE or not is_same_form:
            yield change
    yield from altered_in(element, old, new, traits.MERGE, lambda slot: slot.merge)
    yield from constraint_changes(element, old, new)
    yield from _rules(element, old, new)
    yield from _branches(element, old, new)
    for inner, before, after in nested:
        yield from slot_changes(inner, before, after)


def _nested(element: Element, old: Type, new: Type) -> Iterator[tuple[Element, Slot, Slot]]:
    """The places of items, keys and values, where both sides have a list, or a map; of several types, the one of each form."""
    match old, new:
        case ListOf(before), ListOf(after):
            yield element.inside(ElementKind.ITEM, "[]"), before, after
        case MapOf(key, value), MapOf(new_key, new_value):
            yield element.inside(ElementKind.KEY, "{key}"), key, new_key
            yield element.inside(ElementKind.VALUE, "{}"), value, new_value
        case (Several(), _) | (_, Several()):
            for form in (ListOf, MapOf):
                old_types, new_types = (
                    [each for each in _types(type_) if isinstance(each, form)] for type_ in (old, new)
                )
                if len(old_types) == 1 and len(new_types) == 1:
                    yield from _nested(element, old_types[0], new_types[0])


def _types(of: Type) -> tuple[Type, ...]:
    return of.types if isinstance(of, Several) else (of,)


def _without_places(type_: Type) -> tuple[str, ...] | str:
    """Return a type without the constraints of its items, keys and values, which are compared separately."""
    match type_:
        case ListOf():
            return "list"
        case MapOf():
            return "map"
        case Several(types):
            return tuple(map(str, map(_without_places, types)))
        case _:
            return repr(type_)


def constraint_changes(element: Element, old: Slot, new: Slot) -> Iterator[Altered]:
    """Yield the constraints that were added, removed or changed."""
    for keyword in (*new.constraints, *(each for each in old.constraints if each not in new.constraints)):
        old_constraint, new_constraint = old.constraints.get(keyword), new.constraints.get(keyword)
        if old_constraint != new_constraint:
            places = (
                old_constraint.place if old_constraint else old.place,
                new_constraint.place if new_constraint else new.place,
            )
            before, after = old_constraint.value if old_constraint else None, (
                new_constraint.value if new_constraint else None
            )
            yield Altered(element, *places, Trait.CONSTRAINT, old, new, before, after, keyword)


def _rules(element: Element, old: Slot, new: Slot) -> Iterator[AnyChange]:
    rules = by_name(old.rules, new.rules, lambda rule: rule.name)
    sides = Sides(old.place, new.place, new)
    yield from matched(sides, rules, lambda text: element.inside(ElementKind.RULE, f"({text})"), lambda *_: iter(()))


def _branches(element: Element, old: Slot, new: Slot) -> Iterator[AnyChange]:
    branches = by_name(old.branches, new.branches, lambda branch: f"{branch.keyword}[{branch.label}]")
    sides = Sides(old.place, new.place, new)
    yield from matched(sides, branches, lambda name: element.inside(ElementKind.BRANCH, f"({name})"), _inside_branch)


def _inside_branch(element: Element, old: Branch, new: Branch) -> Iterator[AnyChange]:
    yield from slot_changes(element, old.slot, new.slot)
