"""Judges what stands behind a change: two types that take each other's place are compared, and the rules asked of each difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.dataclass import replace
from apigen.review.changes.change import Altered, AnyChange, Trait
from apigen.review.changes.slots import slot_changes
from apigen.review.changes.types import FORMS, type_changes
from apigen.review.changes.words import change_words
from apigen.review.context import Context
from apigen.review.effects.effects import everywhere, joined
from apigen.review.surface import Element, ListOf, MapOf, Named, Slot, Struct, TypeDef, TypeName, behind
from apigen.review.verdict.impact import Effects, breaks
from apigen.review.verdict.severity import Severities
from apigen.review.verdict.verdict import Inner, Verdict

_OF_NAMES = frozenset({Trait.WIRE_NAME, Trait.FILE, Trait.HUB_NAME, Trait.DOC})
"""What differs between two types because they are two, and nobody sees in an object."""

_DEEPEST = 16
"""How many types that were replaced may stand in each other."""


def slot_differences(element: Element, old: Slot, new: Slot) -> Iterator[AnyChange]:
    """What differs between two slots besides their types, which are treated as one; lists and maps are compared by what they hold."""
    is_nested = isinstance(old.type, ListOf | MapOf) and type(old.type) is type(new.type)
    for change in slot_changes(element, old, new if is_nested else replace(new, type=old.type)):
        if not (isinstance(change, Altered) and change.trait is Trait.DOC):
            yield change


def type_differences(old: TypeDef, new: TypeDef) -> Iterator[AnyChange]:
    """What differs between two types that take each other's place; names of types and messages are not in it."""
    element = Element(FORMS[type(new)], new.name.group, new.name.version, new.name.name)
    for change in type_changes(element, old, new):
        is_name = isinstance(change, Altered) and change.trait in _OF_NAMES and isinstance(change.old, Struct | Slot)
        if not is_name:
            yield change


def judged_inside(changes: Iterable[AnyChange], context: Context) -> tuple[Inner, ...]:
    """Evaluate each difference by the rules of the comparison."""
    return tuple(context.evaluate(change, context) for change in changes)


def hits_of(inner: Iterable[Inner]) -> Effects:
    """The worst of all in each direction."""
    return joined(each.hits for each in inner)


def severities_of(inner: Iterable[Inner], floor: Severities) -> Severities:
    """The worst of all at each stability, and at least `floor`."""
    found = [floor, *(each.severities for each in inner)]
    return Severities(
        max(each.alpha for each in found), max(each.beta for each in found), max(each.stable for each in found)
    )


def words_of(inner: Iterable[Inner], most: int = 3) -> str:
    """The differences in words, the first few of them."""
    told = [each for each in inner if each.hits] or list(inner)
    words = [each.verdict.message or change_words(each.change) for each in told[:most]]
    more = len(told) - len(words)
    return "; ".join(words) + (f"; and {more} more" if more > 0 else "")


def differences_behind(old: Slot, new: Slot, context: Context) -> tuple[Inner, ...] | None:
    """The judged differences of the definitions that two unfolded slots name; None where they do not name two of one form.

    Two that are being compared further up, or that were found equal in name, are treated as equal: a type that holds
    itself is compared once.
    """
    one, other = behind(context.old_types, old.type), behind(context.new, new.type)
    if not isinstance(one, Named) or not isinstance(other, Named):
        return None
    mine, theirs = context.old_types.type(one.name), context.new.type(other.name)
    if mine is None or theirs is None or type(mine) is not type(theirs):
        return None
    return _of_pair((one.name, other.name), mine, theirs, context)


def _of_pair(names: tuple[TypeName, TypeName], old: TypeDef, new: TypeDef, context: Context) -> tuple[Inner, ...]:
    """Kept for good for whole comparisons only: one inside another omits what those around it tell."""
    if names in context.compared:
        return context.compared[names]
    if names in context.comparing:
        return context.comparing[names]
    if context.depth >= _DEEPEST:
        return (_too_deep(old, new),)
    context.comparing[names] = ()
    found = judged_inside(type_differences(old, new), context.standing_in(old, new.name))
    context.comparing[names] = found
    if not context.depth:
        context.comparing.clear()
        context.compared[names] = found
    return found


def _too_deep(old: TypeDef, new: TypeDef) -> Inner:
    element = Element(FORMS[type(new)], new.name.group, new.name.version, new.name.name)
    change = Altered(element, old.place, new.place, Trait.TYPE, old, new, Named(old.name), Named(new.name))
    hits = everywhere(breaks("what they hold may differ in any way"))
    words = f"{new.name.name} and {old.name.name} differ deep inside"
    return Inner(change, Verdict(words, hits, not_verified="nested too deep"), hits, Severities.of("E/E/E"))
