"""Constraints on fields: forbidden values, updates, access, dependent fields, and hand-written validation."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.review.changes.change import Added, Altered, Removed, Trait
from apigen.review.context import Context
from apigen.review.effects.member import quoted
from apigen.review.mitigations.time import Ratcheting, RatchetingBefore
from apigen.review.prover.enforced import by_hand, rejects_no_more
from apigen.review.prover.samples import samples
from apigen.review.results import Direction, Effect, Example, RuleResult, Side, breaks, depends
from apigen.review.rules.constraints.comparing import (
    UPDATES,
    VALUES,
    change_in_words,
    compared,
    if_loosened,
    if_tightened,
    loosened_effects,
    tightened_effects,
)
from apigen.review.rules.fields import is_excluded, unknown_in
from apigen.review.rules.rule import INFO, added, altered, change_rule, note, removed, silent
from apigen.review.surface import ElementKind, Field, Keyword, Slot, Surface, UnknownFields, restrictions, struct_of

_VALUE = "a field of this name"


def _excluded(change: Added | Removed, context: Context) -> RuleResult | None:
    """Return the result for an added or removed schema that excludes a field by name; None for other fields."""
    if not isinstance(change.part, Field) or not is_excluded(change.part):
        return None
    if isinstance(change, Added):
        other, how, rejected, effects = (
            context.old,
            "was excluded by name",
            "was rejected before",
            tightened_effects(_VALUE),
        )
    else:
        other, how, rejected, effects = (
            context.new,
            "is no longer excluded by name",
            "is still rejected",
            loosened_effects(_VALUE),
        )
    if unknown_in(other, change, context) == (UnknownFields.REJECTED,):
        return note(f"{change.element.words} {how}, and {rejected} like all undeclared fields")
    return RuleResult(f"{change.element.words} {how}", effects)


WORDS = (Keyword.REQUIRES, Keyword.FORBIDS)


@dataclass(frozen=True, slots=True)
class Dependents:
    """The added and removed names; `added` has only the added names that existing objects can violate."""

    added: tuple[str, ...]
    removed: tuple[str, ...]


def dependents(change: Altered, context: Context) -> Dependents:
    """Return the changes of the fields that a field requires or forbids."""
    before, after = restrictions(change.before), restrictions(change.after)
    added_names, removed_names = after - before, before - after
    if change.keyword is Keyword.FORBIDS:
        added_names = frozenset(name for name in added_names if _has(context.old, change, name))
        removed_names = frozenset(name for name in removed_names if _has(context.new, change, name))
    return Dependents(tuple(sorted(added_names)), tuple(sorted(removed_names)))


def broken_by(change: Altered, names: tuple[str, ...], side: Side, context: Context) -> tuple[Example, ...]:
    """Return a value of the field with or without its sibling that one side accepts and the other rejects."""
    surface, slot = (context.old, change.old) if side is Side.OLD else (context.new, change.new)
    found = samples(slot, surface, 1) if isinstance(slot, Slot) else None
    if not found or not names:
        return ()
    if change.keyword is Keyword.REQUIRES:
        return (Example(side, found[0]),)
    struct = struct_of(surface, change.element)
    sibling = struct.fields.get(names[0]) if struct is not None else None
    other = samples(sibling.slot, surface, 1) if sibling is not None else None
    return (Example(side, found[0], ((names[0], other[0]),)),) if other else ()


def in_words(change: Altered, names: tuple[str, ...]) -> str:
    """Return the fields of an object that one side rejects, for messages."""
    how = "without" if change.keyword is Keyword.REQUIRES else "together with"
    return f"`{change.element.path}` {how} {quoted(names, ' or ')}"


def _has(surface: Surface, change: Altered, name: str) -> bool:
    struct = struct_of(surface, change.element)
    return struct is None or name in struct.fields


@change_rule(
    "value-excluded",
    altered(Trait.CONSTRAINT),
    added(ElementKind.FIELD),
    severities="W/E/E",
    mitigated_by=(Ratcheting(), RatchetingBefore()),
)
def value_excluded(change: Added | Altered, context: Context) -> RuleResult | None:
    """`not`, `const` or `forbidden` reject values that were accepted."""
    if isinstance(change, Added):
        return _excluded(change, context)
    return if_tightened(change, compared(change, context)) if change.keyword in VALUES else None


@change_rule(
    "value-accepted",
    altered(Trait.CONSTRAINT),
    removed(ElementKind.FIELD),
    severities="I/W/W",
    mitigated_by=(RatchetingBefore(),),
)
def value_accepted(change: Removed | Altered, context: Context) -> RuleResult | None:
    """`not`, `const` or `forbidden` reject fewer values."""
    if isinstance(change, Removed):
        return _excluded(change, context)
    return if_loosened(change, compared(change, context)) if change.keyword in VALUES else None


@change_rule("enforcement-by-hand-changed", altered(Trait.CONSTRAINT), severities="I/W/W")
def enforcement_by_hand_changed(change: Altered, context: Context) -> RuleResult | None:
    """`enforcedByHand` changed. Whether the hand-written code changed, too, is not verified."""
    if change.keyword is not Keyword.ENFORCED_BY_HAND:
        return None
    old, new = change.old, change.new
    assert isinstance(old, Slot) and isinstance(new, Slot)
    removed_names = _more(old, new, context.new)
    added_names = _more(new, old, context.old)
    if not removed_names and not added_names:
        return silent(f"`enforcedByHand` of {change.element.words} changed without effect")
    effects: dict[Direction, Effect] = {}
    parts = [f"no longer lists {quoted(removed_names, ' and ')}"] if removed_names else []
    parts += [f"lists {quoted(added_names, ' and ')}"] if added_names else []
    message = f"`enforcedByHand` of {change.element.words} {' and '.join(parts)}"
    if removed_names:
        names = quoted(removed_names, " and ")
        effects[Direction.NEW_CLIENT] = depends(
            f"newer clients may send values that {names} rejected in hand-written code"
        )
        effects[Direction.ROLLBACK] = depends(f"objects may contain values that {names} rejected in hand-written code")
    if added_names:
        effects[Direction.OLD_CLIENT] = depends(
            f"older clients are rejected if {quoted(added_names, ' and ')} was not enforced before"
        )
    return RuleResult(message, effects, severities=None if removed_names else INFO)


def _more(one: Slot, other: Slot, other_surface: Surface) -> tuple[Keyword, ...]:
    """Return the constraints that hand-written code enforces on one side, and that the other side does not enforce at all."""
    return tuple(word for word in by_hand(one.constraints) if not rejects_no_more(other, other_surface, one, word))


@change_rule("update-restricted", altered(Trait.CONSTRAINT), severities="W/E/E")
def update_restricted(change: Altered, context: Context) -> RuleResult | None:
    """`immutable`, `monotonic` or `update` reject updates that were accepted. Ratcheting does not apply to updates."""
    before, after = restrictions(change.before), restrictions(change.after)
    if change.keyword not in UPDATES or not after - before:
        return None
    effects = {Direction.OLD_CLIENT: breaks("older clients that change the value of an existing object are rejected")}
    if before - after:
        effects[Direction.NEW_CLIENT] = breaks("newer clients that change the value on an older server are rejected")
    return RuleResult(change_in_words(change), effects)


@change_rule("update-freed", altered(Trait.CONSTRAINT), severities="I/I/W")
def update_freed(change: Altered, context: Context) -> RuleResult | None:
    """`immutable`, `monotonic` or `update` reject fewer updates."""
    if change.keyword not in UPDATES or not restrictions(change.before) - restrictions(change.after):
        return None
    effects = {
        Direction.OLD_CLIENT: depends("older clients that cached the value do not notice that it changed"),
        Direction.NEW_CLIENT: breaks("newer clients that change the value on an older server are rejected"),
        Direction.ROLLBACK: depends("the previous release may rely on the value being unchanged"),
    }
    return RuleResult(change_in_words(change), effects)


_ACCESS = (Keyword.READ_ONLY, Keyword.WRITE_ONLY)


@change_rule("access-restricted", altered(Trait.CONSTRAINT), severities="W/E/E")
def access_restricted(change: Altered, context: Context) -> RuleResult | None:
    """`readOnly` or `writeOnly` was added."""
    if change.keyword not in _ACCESS or not restrictions(change.after):
        return None
    text = "older clients no longer receive the value"
    if change.keyword is Keyword.READ_ONLY:
        text = "the server drops or rejects the value that older clients set"
    stored = depends("the server may drop a stored value when the object is written, or never return it")
    return RuleResult(change_in_words(change), {Direction.OLD_CLIENT: breaks(text), Direction.STORED: stored})


@change_rule("access-freed", altered(Trait.CONSTRAINT), severities="I/W/W")
def access_freed(change: Altered, context: Context) -> RuleResult | None:
    """`readOnly` or `writeOnly` was removed."""
    if change.keyword not in _ACCESS or restrictions(change.after):
        return None
    effects = {
        Direction.OLD_CLIENT: depends("older clients that send back an object set the value"),
        Direction.NEW_CLIENT: breaks("an older server drops, rejects or does not return the value of newer clients"),
        Direction.ROLLBACK: depends("the previous release does not expect clients to set the value"),
    }
    return RuleResult(change_in_words(change), effects)


@change_rule(
    "dependents-tightened",
    altered(Trait.CONSTRAINT),
    severities="W/E/E",
    mitigated_by=(Ratcheting(), RatchetingBefore()),
)
def dependents_tightened(change: Altered, context: Context) -> RuleResult | None:
    """`requires` or `forbids` name more fields."""
    named = dependents(change, context) if change.keyword in WORDS else None
    if named is None or not named.added:
        return None
    loosened = loosened_effects(in_words(change, named.removed)) if named.removed else {}
    effects = {**loosened, **tightened_effects(in_words(change, named.added))}
    examples = (
        *broken_by(change, named.added, Side.OLD, context),
        *broken_by(change, named.removed, Side.NEW, context),
    )
    return RuleResult(change_in_words(change), effects, examples=examples, siblings=(*named.added, *named.removed))


@change_rule("dependents-loosened", altered(Trait.CONSTRAINT), severities="I/W/W", mitigated_by=(RatchetingBefore(),))
def dependents_loosened(change: Altered, context: Context) -> RuleResult | None:
    """`requires` or `forbids` name fewer fields, or only fields that are new."""
    if change.keyword not in WORDS:
        return None
    named = dependents(change, context)
    if not named.removed:
        return note(f"{change_in_words(change)}, which no existing object violates")
    effects = loosened_effects(in_words(change, named.removed))
    examples = broken_by(change, named.removed, Side.NEW, context)
    return RuleResult(change_in_words(change), effects, examples=examples, siblings=named.removed)
