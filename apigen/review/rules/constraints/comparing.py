"""Comparison of the constraints of two slots, and the effects of tightened and loosened ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from apigen.dataclass import dataclass
from apigen.ir.graphs import reached
from apigen.language.json_values import JsonValue
from apigen.review.changes.change import Altered
from apigen.review.changes.words import value_words
from apigen.review.context import Context
from apigen.review.links import Links, names_in_slot
from apigen.review.prover.domains import KeywordValue
from apigen.review.prover.keywords import satisfies
from apigen.review.prover.result import INCLUDED, Inclusion, NotIncluded, NotProven
from apigen.review.prover.unfolding import unfold
from apigen.review.results import Direction, Effects, Example, RuleResult, Side, breaks, depends
from apigen.review.rules.rule import once_per_change
from apigen.review.surface import Element, Keyword, Scalar, Slot, Struct, Surface, TypeName

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


@once_per_change
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


def if_tightened(change: Altered, found: Compared) -> RuleResult | None:
    """Return the result for a constraint that may reject values that were accepted; None for other changes."""
    return result_of(change_in_words(change), found) if found.tightens else None


def if_loosened(change: Altered, found: Compared) -> RuleResult | None:
    """Return the result for a constraint that may accept values that were rejected; None for other changes."""
    return result_of(change_in_words(change), found) if found.loosens else None


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
    known = context.kept(_places_of)
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
