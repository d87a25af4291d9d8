"""Decide whether all values of a slot satisfy a keyword."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.ir.surface import Enum, Keyword, ListOf, MapOf, Scalar, Scalars, Slot, Surface, Unfolded, unfold
from apigen.language.json_values import JsonValue
from apigen.review.prover.cel import narrowed
from apigen.review.prover.domains import (
    NUMBER_WORDS,
    SIZE_WORDS,
    TEXT_WORDS,
    KeywordValue,
    constraints_of,
    literal_of,
    numbers_of,
    sizes_of,
    texts_of,
)
from apigen.review.prover.numbers import numbers_included
from apigen.review.prover.result import INCLUDED, Inclusion, NotIncluded, NotProven
from apigen.review.prover.samples import samples
from apigen.review.prover.texts import texts_included

_TEXT = frozenset({Scalars.STRING, Scalars.BYTES})


def satisfies(slot: Slot, surface: Surface, conditions: Iterable[KeywordValue]) -> Inclusion:
    """Return whether every value that a slot accepts satisfies all `conditions` constraints, which are of one kind."""
    without_aliases = unfold(slot, surface)
    constraints, conditions = constraints_of(without_aliases), tuple(conditions)
    if all(each in constraints for each in conditions):
        return INCLUDED
    words = {word for word, _ in conditions}
    if words & NUMBER_WORDS:
        return numbers_included(
            narrowed(numbers_of(without_aliases.type, constraints), _rules(slot)), numbers_of(None, conditions)
        )
    if words & TEXT_WORDS:
        return _texts(slot, without_aliases, conditions)
    if words & SIZE_WORDS.keys():
        return _sizes(slot, surface, constraints, conditions)
    if words & {Keyword.CONST, Keyword.NOT_VALUE}:
        return _constants(slot, without_aliases, conditions)
    if words & {Keyword.UNIQUE_ITEMS, Keyword.UNIQUE_BY}:
        return _unique(slot, surface, constraints)
    if Keyword.FORBIDDEN in words:
        found = samples(slot, surface, 1)
        return NotIncluded(found[0] if found else None)
    return NotProven(f"the values that {', '.join(sorted(words))} accepts are unknown")


def _rules(slot: Slot) -> list[str]:
    """Return the rules of a slot that apply to each value, not only to updates."""
    return [rule.text for rule in slot.rules if not rule.is_transition]


def _texts(slot: Slot, without_aliases: Unfolded, conditions: tuple[KeywordValue, ...]) -> Inclusion:
    inner = narrowed(texts_of(without_aliases.type, constraints_of(without_aliases)), _rules(slot))
    found = texts_included(inner, texts_of(None, conditions))
    is_bytes = isinstance(without_aliases.type, Scalar) and without_aliases.type.name is Scalars.BYTES
    if is_bytes and isinstance(found, NotIncluded) and isinstance(found.counter_example, str):
        import base64  # few places hold bytes

        return NotIncluded(base64.b64encode(found.counter_example.encode()).decode())
    return found


def _sizes(
    slot: Slot, surface: Surface, constraints: tuple[KeywordValue, ...], conditions: tuple[KeywordValue, ...]
) -> Inclusion:
    unit = next(SIZE_WORDS[word] for word, _ in conditions if word in SIZE_WORDS)
    found = numbers_included(sizes_of(constraints, unit), sizes_of(conditions, unit))
    if isinstance(found, NotIncluded) and isinstance(found.counter_example, int):
        return NotIncluded(_of_size(slot, surface, found.counter_example))
    return found


def _of_size(slot: Slot, surface: Surface, size: int) -> list[JsonValue] | dict[str, JsonValue] | None:
    """Return a list or map of this size, or `None` if none can be generated."""
    match unfold(slot, surface).type:
        case ListOf(item):
            return samples(item, surface, size)
        case MapOf(key, value):
            keys, values = samples(key, surface, size), samples(value, surface, 1)
            return {str(each): values[0] for each in keys} if keys is not None and values else None
    return None


def _constants(slot: Slot, without_aliases: Unfolded, conditions: tuple[KeywordValue, ...]) -> Inclusion:
    constraints, type_ = constraints_of(without_aliases), without_aliases.type
    others = [literal_of(value) for _, value in conditions]
    if isinstance(type_, Enum) or (isinstance(type_, Scalar) and type_.name in _TEXT):
        if all(isinstance(other, str) for other in others):
            return texts_included(narrowed(texts_of(type_, constraints), _rules(slot)), texts_of(None, conditions))
    elif isinstance(type_, Scalar) and type_.name is Scalars.BOOL:
        flags = (flag for flag in (True, False) if _allows(constraints, flag) and not _allows(conditions, flag))
        rejected = next(flags, None)
        return INCLUDED if rejected is None else NotIncluded(rejected)
    elif isinstance(type_, Scalar) and all(_is_number(other) for other in others):
        return numbers_included(narrowed(numbers_of(type_, constraints), _rules(slot)), numbers_of(None, conditions))
    elif len(constraints) == 1 and constraints[0][0] is Keyword.CONST and not slot.rules:
        constant = constraints[0][1]  # as canonical JSON, like that of the conditions
        is_valid = all((constant == value) is (word is Keyword.CONST) for word, value in conditions)
        return INCLUDED if is_valid else NotIncluded(literal_of(constant))
    return NotProven("values of this type are not compared with each other")


def _allows(constraints: Iterable[KeywordValue], flag: bool) -> bool:
    return all(
        (literal_of(value) is flag) == (word is Keyword.CONST)
        for word, value in constraints
        if word in (Keyword.CONST, Keyword.NOT_VALUE)
    )


def _unique(slot: Slot, surface: Surface, constraints: tuple[KeywordValue, ...]) -> Inclusion:
    if numbers_included(sizes_of(constraints, "items"), sizes_of([(Keyword.MAX_ITEMS, 1)], "items")) == INCLUDED:
        return INCLUDED
    type_ = unfold(slot, surface).type
    one = samples(type_.item, surface, 1) if isinstance(type_, ListOf) else None
    return NotIncluded([one[0], one[0]] if one else None)


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
