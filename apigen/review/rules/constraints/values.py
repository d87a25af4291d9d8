"""Constraints on values: bounds, patterns, formats, excluded values, updates, access, dependent fields."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from apigen.dataclass import dataclass, replace
from apigen.ir.graphs import reached
from apigen.ir.surface import (
    Element,
    ElementKind,
    Field,
    Keyword,
    Scalar,
    Slot,
    Struct,
    Surface,
    TypeName,
    UnknownFields,
    restrictions,
    struct_of,
    unfold,
    without_aliases,
)
from apigen.language.json_values import JsonValue
from apigen.review.changes.change import Added, Altered, Removed
from apigen.review.changes.words import value_words
from apigen.review.context import Context
from apigen.review.effects.member import quoted
from apigen.review.links import Links, names_in_slot
from apigen.review.mitigations import ratcheting, ratcheting_before
from apigen.review.prover.domains import KeywordValue
from apigen.review.prover.enforced import by_hand, rejects_no_more
from apigen.review.prover.keywords import satisfies
from apigen.review.prover.result import INCLUDED, Inclusion, NotIncluded, NotProven
from apigen.review.prover.samples import samples
from apigen.review.results import Direction, Effect, Effects, Example, RuleResult, Side, breaks, depends
from apigen.review.rules.fields import is_excluded, unknown_in
from apigen.review.rules.rule import INFO, about, added, change_rule, constraint, note, removed, silent

_EXCLUSIVE = {Keyword.EXCLUSIVE_MINIMUM: Keyword.MINIMUM, Keyword.EXCLUSIVE_MAXIMUM: Keyword.MAXIMUM}

_NOT_MONOTONE = ("(not[", "(if[", "(contains[", "(oneOf (may overlap)[")


@dataclass(frozen=True, slots=True)
class Compared:
    """`forward`: whether values that the base accepts satisfy the new constraint; `backward`: the reverse."""

    forward: Inclusion
    backward: Inclusion

    @property
    def tightens(self) -> bool:
        """Return whether values that were accepted may be rejected."""
        return self.forward != INCLUDED

    @property
    def loosens(self) -> bool:
        """Return whether values that were rejected may be accepted."""
        return self.backward != INCLUDED

    @property
    def doubts(self) -> str:
        """The reason why it could not be decided; empty if it could, or if a rejected value was found."""
        if isinstance(self.forward, NotIncluded):
            return ""
        found = (each.reason for each in (self.forward, self.backward) if isinstance(each, NotProven))
        return ", and ".join(dict.fromkeys(found))


def compared(change: Altered, context: Context) -> Compared:
    """Compare all constraints of a value on one side with the changed constraint of the other."""
    assert change.keyword is not None
    old, new = change.both(Slot)
    if any(word in change.element.path for word in _NOT_MONOTONE):
        doubt = NotProven("the effect of a change inside of an alternative, a condition or a negation is unknown")
        return Compared(doubt, doubt)
    if not _are_alike(old, new, context):
        old, new = _with_only(old, change.keyword), _with_only(new, change.keyword)
    return Compared(
        _satisfies(old, context.old, new, change.keyword), _satisfies(new, context.new, old, change.keyword)
    )


def _satisfies(slot: Slot, surface: Surface, other: Slot, word: Keyword) -> Inclusion:
    """Return whether the values that a slot accepts satisfy a constraint of the other slot."""
    constraint = other.constraints.get(word)
    if constraint is None:
        return INCLUDED
    constraints: list[KeywordValue] = [(word, constraint.value)]
    bound = other.constraints.get(_EXCLUSIVE[word]) if word in _EXCLUSIVE else None
    if bound is not None and constraint.value is True:
        constraints.append((_EXCLUSIVE[word], bound.value))
    return satisfies(slot, surface, constraints)


def _are_alike(old: Slot, new: Slot, context: Context) -> bool:
    """Return whether both slots have values of the same type, so that their constraints can be compared as a whole."""
    old_type, new_type = unfold(old, context.old).type, unfold(new, context.new).type
    if isinstance(old_type, Scalar) or isinstance(new_type, Scalar):
        return old_type == new_type
    return type(old_type) is type(new_type)


def _with_only(slot: Slot, word: Keyword) -> Slot:
    """Return the slot with only one constraint."""
    constraints = {each: constraint for each, constraint in slot.constraints.items() if each is word}
    return Slot(slot.type, slot.place, constraints=constraints)


_LONGEST = 60


def shown(value: JsonValue) -> str:
    """Return a value as JSON; for a long one, its size."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= _LONGEST:
        return text
    match value:
        case str():
            return f"a string of {len(value)} characters"
        case list():
            return f"a list of {len(value)} items"
        case dict():
            return f"a map of {len(value)} entries"
    return f"{text[:_LONGEST]}…"


def value_shown(found: Inclusion, otherwise: str) -> str:
    """Return the counterexample of an inclusion, or `otherwise`."""
    if isinstance(found, NotIncluded) and found.counter_example is not None:
        return shown(found.counter_example)
    return otherwise


def tightened_effects(value: str) -> Effects:
    """Return the effects of a value that was accepted and is rejected."""
    return {
        Direction.OLD_CLIENT: breaks(f"older clients that send {value} are rejected"),
        Direction.STORED: breaks(f"updates of stored objects with {value} are rejected"),
    }


def loosened_effects(value: str) -> Effects:
    """Return the effects of a value that was rejected and is accepted."""
    return {
        Direction.OLD_CLIENT: depends(f"older clients may receive {value}, which no object could contain"),
        Direction.NEW_CLIENT: breaks(f"newer clients that send {value} to an older server are rejected"),
        Direction.ROLLBACK: breaks(f"the previous release rejects updates of objects with {value}"),
    }


def effects_of(found: Compared) -> Effects:
    """Return the effects of both directions; the more severe one wins."""
    loosened = loosened_effects(value_shown(found.backward, "values that were rejected")) if found.loosens else {}
    tightened = tightened_effects(value_shown(found.forward, "values that were accepted")) if found.tightens else {}
    return {**loosened, **tightened}


def examples_of(found: Compared) -> tuple[Example, ...]:
    """Return the counterexamples."""
    return (*_example(found.forward, Side.OLD), *_example(found.backward, Side.NEW))


def _example(found: Inclusion, side: Side) -> tuple[Example, ...]:
    if not isinstance(found, NotIncluded) or found.counter_example is None:
        return ()
    return (Example(side, found.counter_example),)


def result_of(message: str, found: Compared) -> RuleResult:
    """Return the result with the effects of both directions."""
    return RuleResult(message, effects_of(found), examples=examples_of(found), not_verified=found.doubts)


BOUNDS = (
    Keyword.MINIMUM,
    Keyword.MAXIMUM,
    Keyword.EXCLUSIVE_MINIMUM,
    Keyword.EXCLUSIVE_MAXIMUM,
    Keyword.MULTIPLE_OF,
    Keyword.MIN_LENGTH,
    Keyword.MAX_LENGTH,
    Keyword.MIN_BYTES,
    Keyword.MAX_BYTES,
    Keyword.MIN_ITEMS,
    Keyword.MAX_ITEMS,
    Keyword.MIN_PROPERTIES,
    Keyword.MAX_PROPERTIES,
)
VALUES = (Keyword.NOT_VALUE, Keyword.CONST, Keyword.FORBIDDEN)
UNIQUENESS = (Keyword.UNIQUE_ITEMS, Keyword.UNIQUE_BY)
COMPARED_BY_VALUES = (*BOUNDS, Keyword.PATTERN, Keyword.FORMAT, *VALUES, *UNIQUENESS)
UPDATES = (Keyword.IMMUTABLE, Keyword.MONOTONIC, Keyword.UPDATE)
CONDITIONAL = (Keyword.IF_ENABLED, Keyword.IF_DISABLED, Keyword.IF_MODE, Keyword.SUBFIELDS)


def change_in_words(change: Altered) -> str:
    """Return the change of a constraint as a message."""
    word, of = change.keyword, change.element.words
    before, after = value_words(change.before), value_words(change.after)
    if change.before is None:
        return f"`{word}: {after}` was added to {of}"
    if change.after is None:
        return f"`{word}: {before}` was removed from {of}"
    return f"`{word}` of {of} {_moved(change.before, change.after)} from {before} to {after}"


def _moved(before: object, after: object) -> str:
    if isinstance(before, bool) or isinstance(after, bool):
        return "changed"
    if isinstance(before, int | float) and isinstance(after, int | float):
        return "was raised" if after > before else "was lowered"
    return "changed"


_STATUS = "status"


@dataclass(frozen=True, slots=True)
class _Places:
    """Types that are used only in status, and those used elsewhere; the root types, and whether status is a subresource of all their kinds."""

    in_status: frozenset[TypeName]
    elsewhere: frozenset[TypeName]
    roots: Mapping[TypeName, bool]


def is_status_only(element: Element, context: Context) -> bool:
    """Return whether an element of the revision belongs only to the status of kinds with that subresource.

    Only clients that may write the status, which are controllers, can then set it.
    """
    known = context.cached(_places_of)
    name = element.type_name
    if name in known.elsewhere:
        is_field = element.path == _STATUS or element.path.startswith((f"{_STATUS}[", f"{_STATUS}{{", f"{_STATUS}("))
        return is_field and name not in known.in_status and known.roots.get(name, False)
    return name in known.in_status


def _places_of(context: Context) -> _Places:
    """Return the types used in status, and those used elsewhere. Types that no kind uses are in neither."""
    surface, links = context.new, context.new_facts.links
    in_status: list[TypeName] = []
    elsewhere: list[TypeName] = []
    roots = _roots(surface)
    for root, has_status in roots.items():
        struct = surface.type(root)
        fields = struct.fields.values() if isinstance(struct, Struct) else ()
        for field in fields:
            (in_status if has_status and field.name == _STATUS else elsewhere).extend(names_in_slot(field.slot))
    others = _reachable_types(elsewhere, surface, links) | roots.keys()
    return _Places(_reachable_types(in_status, surface, links) - others, others, roots)


def _reachable_types(names: Iterable[TypeName], surface: Surface, links: Links) -> frozenset[TypeName]:
    """Return the existing types that are reachable from some types, including these."""
    return frozenset(name for name in reached(names, links.of) if surface.type(name) is not None)


def _roots(surface: Surface) -> dict[TypeName, bool]:
    """Return the root types of all kinds, and whether status is a subresource of each kind that has it."""
    found: dict[TypeName, bool] = {}
    for version in surface.versions():
        for kind in version.kinds.values():
            found[kind.root] = found.get(kind.root, True) and _STATUS in kind.subresources
    return found


_TOLD_APART = frozenset({"set", "map"})


def _compared_values(change: Altered, context: Context) -> Compared:
    """Compare both sides of a constraint. Items that differ in some fields differ in more fields, too."""
    before, after = change.before, change.after
    if change.keyword is Keyword.UNIQUE_ITEMS and False in (before, after):
        return _switched(change, context)
    if change.keyword is not Keyword.UNIQUE_BY or not isinstance(before, tuple) or not isinstance(after, tuple):
        return context.latest(compared, change, context)
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
@about(_compared_values)
def constraint_without_effect(change: Altered, comparison: Compared, context: Context) -> RuleResult | None:
    """The accepted values are the same: the range of the type, another keyword or an equal pattern has the same effect."""
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
    comparison = context.latest(compared, change, context)
    if not comparison.tightens:
        return None
    result = result_of(f"{change_in_words(change)}, which only controllers write", comparison)
    value = value_shown(comparison.forward, "values that were accepted")
    effects = {
        Direction.OLD_CLIENT: depends(f"older controllers that write {value} to status are rejected"),
        Direction.STORED: depends(f"updates of a status with {value} are rejected until the value is fixed"),
    }
    return replace(result, effects={**result.effects, **effects})


@about(_compared_values)
def _tightened(change: Altered, comparison: Compared, context: Context) -> RuleResult | None:
    """A value that was valid is rejected. It may be unknown which."""
    return result_of(change_in_words(change), comparison) if comparison.tightens else None


def _tightened_or_added(change: Altered, context: Context, fix: str) -> RuleResult | None:
    """Return the result of `_tightened`, with a fix of its own for a new constraint."""
    found = _tightened(change, context)
    return replace(found, fix=fix) if found is not None and change.before is None else found


@about(_compared_values)
def _loosened(change: Altered, comparison: Compared, context: Context) -> RuleResult | None:
    """A value that was rejected is accepted, and older clients and servers still reject it."""
    return result_of(change_in_words(change), comparison) if comparison.loosens else None


@change_rule(
    "loosened-in-atomic-list", constraint(*COMPARED_BY_VALUES), severities="I/E/E", mitigated_by=(ratcheting_before,)
)
@about(_compared_values)
def loosened_in_atomic_list(change: Altered, comparison: Compared, context: Context) -> RuleResult | None:
    """A server of the previous release validates all elements of a changed list, whose elements have no old counterparts."""
    if comparison.tightens or not comparison.loosens or not context.old.ratchets:
        return None
    if not context.old_facts.is_in_atomic_list(change.element):
        return None
    return result_of(f"{change_in_words(change)}, in an atomic list", comparison)


_BOUNDS, _PATTERN, _FORMAT = constraint(*BOUNDS), constraint(Keyword.PATTERN), constraint(Keyword.FORMAT)
_UNIQUENESS = constraint(*UNIQUENESS)
_BY_TIGHTENED, _BY_LOOSENED = (ratcheting, ratcheting_before), (ratcheting_before,)


@change_rule("bound-tightened", _BOUNDS, severities="W/E/E", mitigated_by=_BY_TIGHTENED)
def bound_tightened(change: Altered, context: Context) -> RuleResult | None:
    """Values outside of the new bound are rejected, and were accepted."""
    return _tightened_or_added(
        change, context, "remove the bound, or approve the finding if no client sends such values"
    )


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
@about(_compared_values)
def pattern_widened(change: Altered, comparison: Compared, context: Context) -> RuleResult | None:
    """Verified by automata: all strings that were accepted still are."""
    if comparison.tightens or not comparison.loosens:
        return None
    return result_of(f"{change_in_words(change)}, which matches all strings that the old one matches", comparison)


pattern_changed = change_rule("pattern-changed", _PATTERN, severities="W/E/E", mitigated_by=_BY_TIGHTENED)(_tightened)


@change_rule("format-tightened", _FORMAT, severities="W/E/E", mitigated_by=_BY_TIGHTENED)
def format_tightened(change: Altered, context: Context) -> RuleResult | None:
    """Strings of another form are rejected, and were accepted."""
    return _tightened_or_added(change, context, "remove the format, and document the expected form of the string")


format_loosened = change_rule("format-loosened", _FORMAT, severities="I/W/E", mitigated_by=_BY_LOOSENED)(_loosened)
uniqueness_added = change_rule("uniqueness-added", _UNIQUENESS, severities="W/E/E", mitigated_by=_BY_TIGHTENED)(
    _tightened
)
uniqueness_removed = change_rule("uniqueness-removed", _UNIQUENESS, severities="I/W/W", mitigated_by=_BY_LOOSENED)(
    _loosened
)


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


_DEPENDENTS = (Keyword.REQUIRES, Keyword.FORBIDS)


def _dependents(change: Altered, context: Context) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the added and the removed names of fields that a field requires or forbids; of the forbidden ones, those that
    objects of the other side can have.
    """
    before, after = restrictions(change.before), restrictions(change.after)
    added_names, removed_names = after - before, before - after
    if change.keyword is Keyword.FORBIDS:
        added_names = frozenset(name for name in added_names if _has(context.old, change, name))
        removed_names = frozenset(name for name in removed_names if _has(context.new, change, name))
    return tuple(sorted(added_names)), tuple(sorted(removed_names))


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
    constraint(*VALUES),
    added(ElementKind.FIELD),
    severities="W/E/E",
    mitigated_by=(ratcheting, ratcheting_before),
)
def value_excluded(change: Added | Altered, context: Context) -> RuleResult | None:
    """`not`, `const` or `forbidden` reject values that were accepted."""
    if isinstance(change, Added):
        return _excluded(change, context)
    return _tightened(change, context)


@change_rule(
    "value-accepted",
    constraint(*VALUES),
    removed(ElementKind.FIELD),
    severities="I/W/W",
    mitigated_by=(ratcheting_before,),
)
def value_accepted(change: Removed | Altered, context: Context) -> RuleResult | None:
    """`not`, `const` or `forbidden` reject fewer values."""
    if isinstance(change, Removed):
        return _excluded(change, context)
    return _loosened(change, context)


@change_rule("enforcement-by-hand-changed", constraint(Keyword.ENFORCED_BY_HAND), severities="I/W/W")
def enforcement_by_hand_changed(change: Altered, context: Context) -> RuleResult | None:
    """`enforcedByHand` changed. Whether the hand-written code changed, too, is not verified."""
    old, new = change.both(Slot)
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


@change_rule("update-restricted", constraint(*UPDATES), severities="W/E/E")
def update_restricted(change: Altered, context: Context) -> RuleResult | None:
    """`immutable`, `monotonic` or `update` reject updates that were accepted. ratcheting does not apply to updates."""
    before, after = restrictions(change.before), restrictions(change.after)
    if not after - before:
        return None
    effects = {Direction.OLD_CLIENT: breaks("older clients that change the value of an existing object are rejected")}
    if before - after:
        effects[Direction.NEW_CLIENT] = breaks("newer clients that change the value on an older server are rejected")
    return RuleResult(change_in_words(change), effects)


@change_rule("update-freed", constraint(*UPDATES), severities="I/I/W")
def update_freed(change: Altered, context: Context) -> RuleResult | None:
    """`immutable`, `monotonic` or `update` reject fewer updates."""
    if not restrictions(change.before) - restrictions(change.after):
        return None
    effects = {
        Direction.OLD_CLIENT: depends("older clients that cached the value do not notice that it changed"),
        Direction.NEW_CLIENT: breaks("newer clients that change the value on an older server are rejected"),
        Direction.ROLLBACK: depends("the previous release may rely on the value being unchanged"),
    }
    return RuleResult(change_in_words(change), effects)


_ACCESS = (Keyword.READ_ONLY, Keyword.WRITE_ONLY)


@change_rule("access-restricted", constraint(*_ACCESS), severities="W/E/E")
def access_restricted(change: Altered, context: Context) -> RuleResult | None:
    """`readOnly` or `writeOnly` was added."""
    if not restrictions(change.after):
        return None
    text = "older clients no longer receive the value"
    if change.keyword is Keyword.READ_ONLY:
        text = "the server drops or rejects the value that older clients set"
    stored = depends("the server may drop a stored value when the object is written, or never return it")
    return RuleResult(change_in_words(change), {Direction.OLD_CLIENT: breaks(text), Direction.STORED: stored})


@change_rule("access-freed", constraint(*_ACCESS), severities="I/W/W")
def access_freed(change: Altered, context: Context) -> RuleResult:
    """`readOnly` or `writeOnly` was removed. The reverse is `access-restricted`."""
    effects = {
        Direction.OLD_CLIENT: depends("older clients that send back an object set the value"),
        Direction.NEW_CLIENT: breaks("an older server drops, rejects or does not return the value of newer clients"),
        Direction.ROLLBACK: depends("the previous release does not expect clients to set the value"),
    }
    return RuleResult(change_in_words(change), effects)


@change_rule(
    "dependents-tightened",
    constraint(*_DEPENDENTS),
    severities="W/E/E",
    mitigated_by=(ratcheting, ratcheting_before),
)
def dependents_tightened(change: Altered, context: Context) -> RuleResult | None:
    """`requires` or `forbids` name more fields."""
    now_rejected, now_accepted = _dependents(change, context)
    return _dependents_result(change, now_rejected, now_accepted, context) if now_rejected else None


def _dependents_result(
    change: Altered, now_rejected: tuple[str, ...], now_accepted: tuple[str, ...], context: Context
) -> RuleResult:
    loosened = loosened_effects(in_words(change, now_accepted)) if now_accepted else {}
    tightened = tightened_effects(in_words(change, now_rejected)) if now_rejected else {}
    examples = (
        *broken_by(change, now_rejected, Side.OLD, context),
        *broken_by(change, now_accepted, Side.NEW, context),
    )
    effects, siblings = {**loosened, **tightened}, (*now_rejected, *now_accepted)
    return RuleResult(change_in_words(change), effects, examples=examples, siblings=siblings)


@change_rule("dependents-loosened", constraint(*_DEPENDENTS), severities="I/W/W", mitigated_by=(ratcheting_before,))
def dependents_loosened(change: Altered, context: Context) -> RuleResult | None:
    """`requires` or `forbids` name fewer fields, or only fields that are new."""
    now_rejected, now_accepted = _dependents(change, context)
    if not now_accepted:
        return note(f"{change_in_words(change)}, which no existing object violates")
    return _dependents_result(change, now_rejected, now_accepted, context)
