"""Constraints on values: bounds, patterns, formats and unique items."""

from __future__ import annotations

from apigen.dataclass import replace
from apigen.review.changes.change import Altered
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
from apigen.review.rules.rule import change_rule, constraint, once_per_change
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


@change_rule("constraint-without-effect", constraint(*COMPARED_BY_VALUES), severities="I/I/I")
def constraint_without_effect(change: Altered, context: Context) -> RuleResult | None:
    """The accepted values are the same: the range of the type, another keyword or an equal pattern has the same effect."""
    comparison = _compared(change, context)
    if comparison.tightens or comparison.loosens:
        return None
    return RuleResult(f"{change_in_words(change)}, which accepts the same values")


@change_rule(
    "status-constraint-tightened", constraint(*COMPARED_BY_VALUES), severities="I/I/W", mitigated_by=(ratcheting,)
)
def status_constraint_tightened(change: Altered, context: Context) -> RuleResult | None:
    """Only the controllers of the API write status, and they are released with it."""
    if not is_status_only(change.element, context):
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


def _tightened(change: Altered, context: Context) -> RuleResult | None:
    """A value that was valid is rejected. It may be unknown which."""
    return if_tightened(change, _compared(change, context))


def _loosened(change: Altered, context: Context) -> RuleResult | None:
    """A value that was rejected is accepted, and older clients and servers still reject it."""
    return if_loosened(change, _compared(change, context))


_BOUNDS, _PATTERN, _FORMAT = constraint(*BOUNDS), constraint(Keyword.PATTERN), constraint(Keyword.FORMAT)
_UNIQUENESS = constraint(*UNIQUENESS)
_BY_TIGHTENED, _BY_LOOSENED = (ratcheting, ratcheting_before), (ratcheting_before,)

bound_tightened = change_rule("bound-tightened", _BOUNDS, severities="W/E/E", mitigated_by=_BY_TIGHTENED)(_tightened)
bound_loosened = change_rule("bound-loosened", _BOUNDS, severities="I/W/W", mitigated_by=_BY_LOOSENED)(_loosened)


@change_rule("pattern-added", _PATTERN, severities="W/E/E", mitigated_by=_BY_TIGHTENED)
def pattern_added(change: Altered, context: Context) -> RuleResult | None:
    """Strings that do not match are rejected, and were accepted."""
    return _tightened(change, context) if change.before is None else None


@change_rule("pattern-removed", _PATTERN, severities="I/W/W", mitigated_by=_BY_LOOSENED)
def pattern_removed(change: Altered, context: Context) -> RuleResult | None:
    """Strings that did not match are accepted."""
    return _loosened(change, context) if change.after is None else None


@change_rule("pattern-widened", _PATTERN, severities="I/W/W", mitigated_by=_BY_LOOSENED)
def pattern_widened(change: Altered, context: Context) -> RuleResult | None:
    """Verified by automata: all strings that were accepted still are."""
    comparison = _compared(change, context)
    if comparison.tightens or not comparison.loosens:
        return None
    return result_of(f"{change_in_words(change)}, which matches all strings that the old one matches", comparison)


pattern_changed = change_rule("pattern-changed", _PATTERN, severities="W/E/E", mitigated_by=_BY_TIGHTENED)(_tightened)
format_tightened = change_rule("format-tightened", _FORMAT, severities="W/E/E", mitigated_by=_BY_TIGHTENED)(_tightened)
format_loosened = change_rule("format-loosened", _FORMAT, severities="I/W/E", mitigated_by=_BY_LOOSENED)(_loosened)
uniqueness_added = change_rule("uniqueness-added", _UNIQUENESS, severities="W/E/E", mitigated_by=_BY_TIGHTENED)(
    _tightened
)
uniqueness_removed = change_rule("uniqueness-removed", _UNIQUENESS, severities="I/W/W", mitigated_by=_BY_LOOSENED)(
    _loosened
)
