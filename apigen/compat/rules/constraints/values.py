"""Constraints on values: bounds, patterns, formats and unique items."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, Trait
from apigen.compat.context import Context
from apigen.compat.inclusion.keywords import satisfies
from apigen.compat.inclusion.result import INCLUDED, Inclusion, NotProven
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.comparing import (
    BOUNDS,
    JUDGED_BY_VALUES,
    UNIQUENESS,
    Compared,
    change_in_words,
    compared,
    constraint_change,
    examples_of,
    hits_of,
    is_status_only,
    value_shown,
    verdict_of,
)
from apigen.compat.rules.once_per_change import once_per_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.constraints import Keyword
from apigen.compat.surface.resolving import unfolded
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Slot
from apigen.compat.verdict.impact import Direction, Hits, depends
from apigen.compat.verdict.verdict import Verdict

_TOLD_APART = frozenset({"set", "map"})


@once_per_change
def uniqueness_compared(change: Altered, context: Context) -> Compared:
    """Elements that differ in some fields differ in more; of other fields nothing is known."""
    before, after = change.before, change.after
    if change.keyword is Keyword.UNIQUE_ITEMS and False in (before, after):
        return _switched(change, context)
    if change.keyword is not Keyword.UNIQUE_BY or not isinstance(before, tuple) or not isinstance(after, tuple):
        return compared(change, context)
    old, new = {str(name) for name in before}, {str(name) for name in after}
    doubt = NotProven(f"whether elements that differ in {_names(old)} differ in {_names(new)}")
    reverse = NotProven(f"whether elements that differ in {_names(new)} differ in {_names(old)}")
    return Compared(INCLUDED if old <= new else doubt, INCLUDED if new <= old else reverse)


def _switched(change: Altered, context: Context) -> Compared:
    """`uniqueItems: false` means something in a list whose elements are told apart: nobody looks whether they repeat."""
    old, new = change.old, change.new
    assert isinstance(old, Slot) and isinstance(new, Slot)
    was, is_ = _must_differ(old, context.old), _must_differ(new, context.new)
    return Compared(
        _with_differing(old, context.old) if is_ and not was else INCLUDED,
        _with_differing(new, context.new) if was and not is_ else INCLUDED,
    )


def _with_differing(slot: Slot, surface: Surface) -> Inclusion:
    return satisfies(slot, surface, ((Keyword.UNIQUE_ITEMS, True),))


def _must_differ(slot: Slot, surface: Surface) -> bool:
    """Whether a list with an element twice is refused."""
    said = slot.constraints.get(Keyword.UNIQUE_ITEMS)
    if said is not None:
        return said.value is True
    return unfolded(surface, slot).merge.list_type in _TOLD_APART


def _names(names: set[str]) -> str:
    return " and ".join(sorted(names))


@change_rule("constraint-without-effect", altered(Trait.CONSTRAINT), severities="I/I/I")
def constraint_without_effect(change: Altered, context: Context) -> Verdict | None:
    """Proven by inclusion both ways: the range of the type, another keyword or an equal pattern says the same."""
    found = constraint_change(change, *JUDGED_BY_VALUES)
    if found is None:
        return None
    both = uniqueness_compared(found, context)
    if both.tightens or both.loosens:
        return None
    return Verdict(f"{change_in_words(found)}, which accepts the same values", {})


@change_rule("status-constraint-tightened", altered(Trait.CONSTRAINT), severities="I/I/W", mitigated_by=(Ratcheting(),))
def status_constraint_tightened(change: Altered, context: Context) -> Verdict | None:
    """Only the controllers of the API write status, and they are released with it."""
    found = constraint_change(change, *JUDGED_BY_VALUES)
    if found is None or not is_status_only(found.element, context):
        return None
    both = compared(found, context)
    if not both.tightens:
        return None
    message = f"{change_in_words(found)}, in status, which controllers write"
    message += f"; not proven: {both.doubts}" if both.doubts else ""
    return Verdict(message, _hits(both), examples=examples_of(both), is_unproven=bool(both.doubts))


def _hits(both: Compared) -> Hits:
    value = value_shown(both.forward, "what was accepted")
    return {
        **hits_of(both),
        Direction.OLD_CLIENT: depends(f"a controller of before that writes {value} to status is refused"),
        Direction.STORED: depends(f"an object with {value} in its status gets no other status until that is mended"),
    }


@change_rule(
    "bound-tightened", altered(Trait.CONSTRAINT), severities="W/E/E", mitigated_by=(Ratcheting(), RatchetingBefore())
)
def bound_tightened(change: Altered, context: Context) -> Verdict | None:
    """A value that was valid is refused."""
    found = constraint_change(change, *BOUNDS)
    if found is None:
        return None
    both = compared(found, context)
    return verdict_of(change_in_words(found), both) if both.tightens else None


@change_rule("bound-loosened", altered(Trait.CONSTRAINT), severities="I/W/W", mitigated_by=(RatchetingBefore(),))
def bound_loosened(change: Altered, context: Context) -> Verdict | None:
    """A value that was refused is accepted, and meets who still refuses it."""
    found = constraint_change(change, *BOUNDS)
    if found is None:
        return None
    both = compared(found, context)
    return verdict_of(change_in_words(found), both) if both.loosens else None


@change_rule(
    "pattern-added", altered(Trait.CONSTRAINT), severities="W/E/E", mitigated_by=(Ratcheting(), RatchetingBefore())
)
def pattern_added(change: Altered, context: Context) -> Verdict | None:
    """Text that does not match is refused, and was accepted."""
    found = constraint_change(change, Keyword.PATTERN)
    if found is None or found.before is not None:
        return None
    both = compared(found, context)
    return verdict_of(change_in_words(found), both) if both.tightens else None


@change_rule("pattern-removed", altered(Trait.CONSTRAINT), severities="I/W/W", mitigated_by=(RatchetingBefore(),))
def pattern_removed(change: Altered, context: Context) -> Verdict | None:
    """Text that did not match is accepted."""
    found = constraint_change(change, Keyword.PATTERN)
    if found is None or found.after is not None:
        return None
    both = compared(found, context)
    return verdict_of(change_in_words(found), both) if both.loosens else None


@change_rule("pattern-widened", altered(Trait.CONSTRAINT), severities="I/W/W", mitigated_by=(RatchetingBefore(),))
def pattern_widened(change: Altered, context: Context) -> Verdict | None:
    """Proven by automata: whatever was accepted still is."""
    found = constraint_change(change, Keyword.PATTERN)
    if found is None or found.before is None or found.after is None:
        return None
    both = compared(found, context)
    if both.tightens or not both.loosens:
        return None
    return verdict_of(f"{change_in_words(found)}, and accepts all that was accepted", both)


@change_rule(
    "pattern-changed", altered(Trait.CONSTRAINT), severities="W/E/E", mitigated_by=(Ratcheting(), RatchetingBefore())
)
def pattern_changed(change: Altered, context: Context) -> Verdict | None:
    """Narrower, another, or not comparable: what cannot be decided is taken for the worst."""
    found = constraint_change(change, Keyword.PATTERN)
    if found is None or found.before is None or found.after is None:
        return None
    both = compared(found, context)
    return verdict_of(change_in_words(found), both) if both.tightens else None


@change_rule(
    "format-tightened", altered(Trait.CONSTRAINT), severities="W/E/E", mitigated_by=(Ratcheting(), RatchetingBefore())
)
def format_tightened(change: Altered, context: Context) -> Verdict | None:
    """Text without the format is refused, where the format is one that validation knows."""
    found = constraint_change(change, Keyword.FORMAT)
    if found is None:
        return None
    both = compared(found, context)
    return verdict_of(change_in_words(found), both) if both.tightens else None


@change_rule("format-loosened", altered(Trait.CONSTRAINT), severities="I/W/E", mitigated_by=(RatchetingBefore(),))
def format_loosened(change: Altered, context: Context) -> Verdict | None:
    """Text without the format is accepted."""
    found = constraint_change(change, Keyword.FORMAT)
    if found is None:
        return None
    both = compared(found, context)
    return verdict_of(change_in_words(found), both) if both.loosens else None


@change_rule(
    "uniqueness-added", altered(Trait.CONSTRAINT), severities="W/E/E", mitigated_by=(Ratcheting(), RatchetingBefore())
)
def uniqueness_added(change: Altered, context: Context) -> Verdict | None:
    """A list with an element twice is refused."""
    found = constraint_change(change, *UNIQUENESS)
    if found is None:
        return None
    both = uniqueness_compared(found, context)
    return verdict_of(change_in_words(found), both) if both.tightens else None


@change_rule("uniqueness-removed", altered(Trait.CONSTRAINT), severities="I/W/W", mitigated_by=(RatchetingBefore(),))
def uniqueness_removed(change: Altered, context: Context) -> Verdict | None:
    """A list with an element twice is accepted."""
    found = constraint_change(change, *UNIQUENESS)
    if found is None:
        return None
    both = uniqueness_compared(found, context)
    return verdict_of(change_in_words(found), both) if both.loosens else None
