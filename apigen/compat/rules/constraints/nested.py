"""Constraints that hold under a condition, or for a part: what of them became tighter, and what looser."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from apigen.compat.changes.change import Altered, Value
from apigen.compat.context import Context
from apigen.compat.inclusion.keywords import satisfies
from apigen.compat.inclusion.restrictions import restrictions
from apigen.compat.inclusion.result import INCLUDED, Inclusion, NotProven
from apigen.compat.rules.constraints.words import JUDGED_BY_VALUES
from apigen.compat.surface.constraints import Constraint, ConstraintValue, Keyword
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Scalar, Scalars, Slot, Type
from apigen.compat.verdict.example import JsonValue
from apigen.dataclass import dataclass

_NUMBERS = frozenset({Keyword.MINIMUM, Keyword.MAXIMUM, Keyword.EXCLUSIVE_MINIMUM, Keyword.EXCLUSIVE_MAXIMUM})
_JUDGED = {word.value: word for word in JUDGED_BY_VALUES if word is not Keyword.FORBIDDEN}
_ADDED_REFUSES = frozenset({"required", "immutable", "monotonic", "forbidden", "update", "requires", "forbids"})
_DEPTH = {Keyword.IF_MODE: 2}


@dataclass(frozen=True, slots=True)
class Nested:
    """Where it is tighter and where looser, in words, and what could not be decided."""

    tighter: tuple[str, ...]
    looser: tuple[str, ...]
    doubts: tuple[str, ...]


def nested_change(change: Altered, context: Context) -> Nested:
    """Compare the blocks of both sides, block by block and keyword by keyword."""
    assert change.keyword is not None and isinstance(change.old, Slot) and isinstance(change.new, Slot)
    depth = _DEPTH.get(change.keyword, 1)
    old, new = dict(_blocks(change.before, depth)), dict(_blocks(change.after, depth))
    found: list[tuple[str, Inclusion, Inclusion]] = []
    for name in sorted({*old, *new}):
        where = ".".join(name)
        if change.keyword is Keyword.IF_MODE and (name in old) != (name in new):
            found.append(_mode(where, name in new, change))
            continue
        mine, theirs = old.get(name, {}), new.get(name, {})
        for word in sorted({*mine, *theirs}):
            if mine.get(word) != theirs.get(word):
                forward, backward = _compared(word, mine.get(word), theirs.get(word), change, context)
                found.append((f"{where}.{word}", forward, backward))
    doubts = (each.reason for _, *both in found for each in both if isinstance(each, NotProven))
    return Nested(
        tuple(where for where, forward, _ in found if forward != INCLUDED),
        tuple(where for where, _, backward in found if backward != INCLUDED),
        tuple(dict.fromkeys(doubts)),
    )


def _blocks(value: Value, depth: int) -> Iterator[tuple[tuple[str, ...], Mapping[str, JsonValue]]]:
    try:
        read: JsonValue = json.loads(value) if isinstance(value, str) else {}
    except ValueError:
        read = {"": {"": str(value)}}
    yield from _below((), read, depth)


def _below(
    path: tuple[str, ...], value: JsonValue, depth: int
) -> Iterator[tuple[tuple[str, ...], Mapping[str, JsonValue]]]:
    if not isinstance(value, dict):
        yield path, {"": value}
    elif depth == 0:
        yield path, value
    else:
        for name, inner in value.items():
            yield from _below((*path, name), inner, depth - 1)


def _mode(where: str, is_new: bool, change: Altered) -> tuple[str, Inclusion, Inclusion]:
    """A mode in which the value may be set now, or no longer; it may not in modes that are not listed."""
    other = NotProven("what a mode that is not listed lets through")
    if change.before is None:
        return where, other, INCLUDED
    if change.after is None:
        return where, INCLUDED, other
    return (where, INCLUDED, other) if is_new else (where, other, INCLUDED)


def _compared(
    word: str, before: JsonValue, after: JsonValue, change: Altered, context: Context
) -> tuple[Inclusion, Inclusion]:
    if word in _JUDGED and change.keyword is not Keyword.IF_MODE:
        keyword = _JUDGED[word]
        assert isinstance(change.old, Slot) and isinstance(change.new, Slot)
        of_part = change.keyword is Keyword.SUBFIELDS
        return (
            _satisfies(_slot(change.old, keyword, before, of_part), context.old, keyword, after),
            _satisfies(_slot(change.new, keyword, after, of_part), context.new, keyword, before),
        )
    if word in _ADDED_REFUSES:
        old, new = _words(before), _words(after)
        doubt = NotProven(f"what `{word}` refuses there")
        return INCLUDED if new <= old else doubt, INCLUDED if old <= new else doubt
    doubt = NotProven(f"what a change of `{word}` does")
    return doubt, doubt


def _satisfies(slot: Slot, surface: Surface, keyword: Keyword, value: JsonValue) -> Inclusion:
    said = _constraint(keyword, value)
    return INCLUDED if said is None else satisfies(slot, surface, [(keyword, said)])


def _slot(slot: Slot, keyword: Keyword, value: JsonValue, of_part: bool) -> Slot:
    """The slot with what a block says of it; the type of a part is not known here."""
    said = _constraint(keyword, value)
    constraints = {} if of_part else dict(slot.constraints)
    if said is not None:
        constraints[keyword] = Constraint(said, slot.place)
    type_: Type = Scalar(Scalars.NUMBER if keyword in _NUMBERS else Scalars.STRING)
    return Slot(type_ if of_part else slot.type, slot.place, constraints=constraints)


def _constraint(keyword: Keyword, value: JsonValue) -> ConstraintValue | None:
    if value is None:
        return None
    if keyword is Keyword.NOT_VALUE:
        return json.dumps(value)
    return (
        tuple(map(str, value))
        if isinstance(value, list)
        else value if not isinstance(value, dict) else json.dumps(value)
    )


def _words(value: JsonValue) -> frozenset[str]:
    return restrictions(tuple(map(str, value)) if isinstance(value, list) else True if value is True else None)
