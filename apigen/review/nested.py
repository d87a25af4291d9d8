"""Evaluate nested changes: two types that replace each other are compared, and the rules evaluate each difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.dataclass import replace
from apigen.review.changes.change import Altered, AnyChange, Trait
from apigen.review.changes.comparing import FORMS, slot_changes, type_changes
from apigen.review.changes.words import change_words
from apigen.review.context import Context
from apigen.review.results import Effects, NestedChange, RuleResult, Severities, breaks, everywhere, joined
from apigen.review.surface import Element, ListOf, MapOf, Named, Slot, Struct, TypeDef, TypeName, behind

_OF_NAMES = frozenset({Trait.WIRE_NAME, Trait.FILE, Trait.HUB_NAME, Trait.DOC})
"""Differences of two types that exist because they are two, and that no object contains."""

_DEEPEST = 16
"""The maximum nesting of replaced types."""


def slot_differences(element: Element, old: Slot, new: Slot) -> Iterator[AnyChange]:
    """Yield the differences of two slots besides their types; lists and maps are compared by their elements."""
    is_nested = isinstance(old.type, ListOf | MapOf) and type(old.type) is type(new.type)
    for change in slot_changes(element, old, new if is_nested else replace(new, type=old.type)):
        if not (isinstance(change, Altered) and change.trait is Trait.DOC):
            yield change


def type_differences(old: TypeDef, new: TypeDef) -> Iterator[AnyChange]:
    """Yield the differences of two types that replace each other, without the names of types and messages."""
    element = Element(FORMS[type(new)], new.name.group, new.name.version, new.name.name)
    for change in type_changes(element, old, new):
        is_name = isinstance(change, Altered) and change.trait in _OF_NAMES and isinstance(change.old, Struct | Slot)
        if not is_name:
            yield change


def evaluate_differences(changes: Iterable[AnyChange], context: Context) -> tuple[NestedChange, ...]:
    """Evaluate each difference by the rules of the comparison."""
    return tuple(context.evaluate(change, context) for change in changes)


def effects_of(inner: Iterable[NestedChange]) -> Effects:
    """Return the worst effect of all in each direction."""
    return joined(each.effects for each in inner)


def severities_of(inner: Iterable[NestedChange], floor: Severities) -> Severities:
    """Return the worst severity of all at each stability, and at least `floor`."""
    found = [floor, *(each.severities for each in inner)]
    return Severities(
        max(each.alpha for each in found), max(each.beta for each in found), max(each.stable for each in found)
    )


def words_of(inner: Iterable[NestedChange], most: int = 3) -> str:
    """Return the first few differences as text."""
    listed = [each for each in inner if each.effects] or list(inner)
    words = [each.result.message or change_words(each.change) for each in listed[:most]]
    more = len(listed) - len(words)
    return "; ".join(words) + (f"; and {more} more" if more > 0 else "")


def differences_behind(old: Slot, new: Slot, context: Context) -> tuple[NestedChange, ...] | None:
    """Return the evaluated differences of the definitions of two unfolded slots; None if they are not of the same form.

    Two types that are already being compared, or that have the same name, are treated as equal: a recursive type is
    compared once.
    """
    one, other = behind(context.old_types, old.type), behind(context.new, new.type)
    if not isinstance(one, Named) or not isinstance(other, Named):
        return None
    old_type, new_type = context.old_types.type(one.name), context.new.type(other.name)
    if old_type is None or new_type is None or type(old_type) is not type(new_type):
        return None
    return _of_pair((one.name, other.name), old_type, new_type, context)


def _of_pair(
    names: tuple[TypeName, TypeName], old: TypeDef, new: TypeDef, context: Context
) -> tuple[NestedChange, ...]:
    """Cache only complete comparisons: a nested one omits what the outer ones report."""
    if names in context.compared:
        return context.compared[names]
    if names in context.comparing:
        return context.comparing[names]
    if context.depth >= _DEEPEST:
        return (_too_deep(old, new),)
    context.comparing[names] = ()
    differences = evaluate_differences(type_differences(old, new), context.for_replacement(old, new.name))
    context.comparing[names] = differences
    if not context.depth:
        context.comparing.clear()
        context.compared[names] = differences
    return differences


def _too_deep(old: TypeDef, new: TypeDef) -> NestedChange:
    element = Element(FORMS[type(new)], new.name.group, new.name.version, new.name.name)
    change = Altered(element, old.place, new.place, Trait.TYPE, old, new, Named(old.name), Named(new.name))
    effects = everywhere(breaks("the nested types may differ in any way"))
    words = f"`{new.name.name}` and `{old.name.name}` differ in a deeply nested type"
    return NestedChange(
        change,
        RuleResult(words, effects, not_verified="the types are nested too deeply"),
        effects,
        Severities.of("E/E/E"),
    )
