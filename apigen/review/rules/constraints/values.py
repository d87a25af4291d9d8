"""Constraints on values: bounds, patterns, formats and unique items."""

from __future__ import annotations

from apigen.dataclass import replace
from apigen.review.changes.change import Altered, Trait
from apigen.review.context import Context
from apigen.review.mitigations import ratcheting, ratcheting_before
from apigen.review.prover.keywords import satisfies
from apigen.review.prover.result import INCLUDED, Inclusion, NotProven
from apigen.review.results import Direction, RuleResult, depends
from apigen.review.rules.constraints.comparing import (
    BOUNDS,
    COMPARED_BY_VALUES,
    UNIQUENESS,
    Compared,
    change_in_words,
    compared,
    if_loosened,
    if_tightened,
    is_status_only,
    result_of,
    value_shown,
)
from apigen.review.rules.rule import altered, change_rule, once_per_change
from apigen.review.surface import Keyword, Slot, Surface, without_aliases

_TOLD_APART = frozenset({"set", "map"})


@once_per_change
def _compared(change: Altered, context: Context) -> Compared:
    """Compare both sides of a constraint. Items that differ in some fields differ in more fields, too."""
    before, after = change.before, change.after
    if change.keyword is Keyword.UNIQUE_ITEMS and False in (before, after):
        return _switched(change, context)
    if change.keyword is not Keyword.UNIQUE_BY or not isinstance(before, tuple) or not isinstance(after, tuple):
        return compared(change, context)
    old, new = {str(name) for name in before}, {str(name) for name in after}
    return Compared(_differing(old, new), _differing(new, old))


def _differing(names: set[str], others: set[str]) -> Inclusion:
    """Return whether items that differ in some fields differ in others."""
    one, other = " and ".join(sorted(names)), " and ".join(sorted(others))
    doubt = NotProven(f"elements that differ in {one} may be equal in {other}")
    return INCLUDED if names <= others else doubt


def _switched(change: Altered, context: Context) -> Compared:
    """Compare lists with `uniqueItems: false`, which turns off the uniqueness check of sets and list maps."""
    old, new = change.both(Slot)
    was, is_ = _must_differ(old, context.old), _must_differ(new, context.new)
    differing = ((Keyword.UNIQUE_ITEMS, True),)
    return Compared(
        satisfies(old, context.old, differing) if is_ and not was else INCLUDED,
        satisfies(new, context.new, differing) if was and not is_ else INCLUDED,
    )


def _must_differ(slot: Slot, surface: Surface) -> bool:
    """Return whether a list with a duplicate element is rejected."""
    constraint = slot.constraints.get(Keyword.UNIQUE_ITEMS)
    if constraint is not None:
        return constraint.value is True
    return without_aliases(surface, slot).merge.list_type in _TOLD_APART


@change_rule("constraint-without-effect", altered(Trait.CONSTRAINT), severities="I/I/I")
def constraint_without_effect(change: Altered, context: Context) -> RuleResult | None:
    """The accepted values are the same: the range of the type, another keyword or an equal pattern has the same effect."""
    if change.keyword not in COMPARED_BY_VALUES:
        return None
    comparison = _compared(change, context)
    if comparison.tightens or comparison.loosens:
        return None
    return RuleResult(f"{change_in_words(change)}, which accepts the same values")


@change_rule("status-constraint-tightened", altered(Trait.CONSTRAINT), severities="I/I/W", mitigated_by=(ratcheting,))
def status_constraint_tightened(change: Altered, context: Context) -> RuleResult | None:
    """Only the controllers of the API write status, and they are released with it."""
    if change.keyword not in COMPARED_BY_VALUES or not is_status_only(change.element, context):
        return None
    comparison = compared(change, context)
    if not comparison.tightens:
        return None
    result = result_of(f"{change_in_words(change)}, which only controllers write", comparison)
    value = value_shown(comparison.forward, "values that were accepted")
    effects = {
        Direction.OLD_CLIENT: depends(f"older controllers that write {value} to status are rejected"),
        Direction.STORED: depends(f"updates of a status with {value} are rejected until the value is fixed"),
    }
    return replace(result, effects={**result.effects, **effects})


@change_rule(
    "bound-tightened", altered(Trait.CONSTRAINT), severities="W/E/E", mitigated_by=(ratcheting, ratcheting_before)
)
def bound_tightened(change: Altered, context: Context) -> RuleResult | None:
    """A value that was valid is rejected."""
    return if_tightened(change, _compared(change, context)) if change.keyword in BOUNDS else None


@change_rule("bound-loosened", altered(Trait.CONSTRAINT), severities="I/W/W", mitigated_by=(ratcheting_before,))
def bound_loosened(change: Altered, context: Context) -> RuleResult | None:
    """A value that was rejected is accepted, and older clients and servers still reject it."""
    return if_loosened(change, _compared(change, context)) if change.keyword in BOUNDS else None


@change_rule(
    "pattern-added", altered(Trait.CONSTRAINT), severities="W/E/E", mitigated_by=(ratcheting, ratcheting_before)
)
def pattern_added(change: Altered, context: Context) -> RuleResult | None:
    """Strings that do not match are rejected, and were accepted."""
    is_added = change.keyword is Keyword.PATTERN and change.before is None
    return if_tightened(change, _compared(change, context)) if is_added else None


@change_rule("pattern-removed", altered(Trait.CONSTRAINT), severities="I/W/W", mitigated_by=(ratcheting_before,))
def pattern_removed(change: Altered, context: Context) -> RuleResult | None:
    """Strings that did not match are accepted."""
    is_removed = change.keyword is Keyword.PATTERN and change.after is None
    return if_loosened(change, _compared(change, context)) if is_removed else None


def _has_both_patterns(change: Altered) -> bool:
    return change.keyword is Keyword.PATTERN and change.before is not None and change.after is not None


@change_rule("pattern-widened", altered(Trait.CONSTRAINT), severities="I/W/W", mitigated_by=(ratcheting_before,))
def pattern_widened(change: Altered, context: Context) -> RuleResult | None:
    """Verified by automata: all strings that were accepted still are."""
    if not _has_both_patterns(change):
        return None
    comparison = _compared(change, context)
    if comparison.tightens or not comparison.loosens:
        return None
    return result_of(f"{change_in_words(change)}, which matches all strings that the old one matches", comparison)


@change_rule(
    "pattern-changed", altered(Trait.CONSTRAINT), severities="W/E/E", mitigated_by=(ratcheting, ratcheting_before)
)
def pattern_changed(change: Altered, context: Context) -> RuleResult | None:
    """The new pattern accepts less, or something else, or it is not known which."""
    return if_tightened(change, _compared(change, context)) if _has_both_patterns(change) else None


@change_rule(
    "format-tightened", altered(Trait.CONSTRAINT), severities="W/E/E", mitigated_by=(ratcheting, ratcheting_before)
)
def format_tightened(change: Altered, context: Context) -> RuleResult | None:
    """Strings without the format are rejected, if servers validate the format."""
    return if_tightened(change, _compared(change, context)) if change.keyword is Keyword.FORMAT else None


@change_rule("format-loosened", altered(Trait.CONSTRAINT), severities="I/W/E", mitigated_by=(ratcheting_before,))
def format_loosened(change: Altered, context: Context) -> RuleResult | None:
    """Strings without the format are accepted."""
    return if_loosened(change, _compared(change, context)) if change.keyword is Keyword.FORMAT else None


@change_rule(
    "uniqueness-added", altered(Trait.CONSTRAINT), severities="W/E/E", mitigated_by=(ratcheting, ratcheting_before)
)
def uniqueness_added(change: Altered, context: Context) -> RuleResult | None:
    """A list that contains an item twice is rejected."""
    return if_tightened(change, _compared(change, context)) if change.keyword in UNIQUENESS else None


@change_rule("uniqueness-removed", altered(Trait.CONSTRAINT), severities="I/W/W", mitigated_by=(ratcheting_before,))
def uniqueness_removed(change: Altered, context: Context) -> RuleResult | None:
    """A list that contains an item twice is accepted."""
    return if_loosened(change, _compared(change, context)) if change.keyword in UNIQUENESS else None
