"""Constraints of the spec language, keyword by keyword."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.sources.api.words import canonical, literal
from apigen.compat.surface.constraints import CelRule, Constraint, ConstraintValue, Keyword
from apigen.compat.surface.constraints import Constraints as SurfaceConstraints
from apigen.diagnostics import Place
from apigen.ir.literal_reader import plain
from apigen.spec.model import NO_CONSTRAINTS, Constraints, Located, ModeConstraints, NamedConstraints, RuleSpec

_NONE: SurfaceConstraints = {}

_VALUES: tuple[tuple[Keyword, str], ...] = (
    (Keyword.MINIMUM, "minimum"),
    (Keyword.MAXIMUM, "maximum"),
    (Keyword.EXCLUSIVE_MINIMUM, "exclusive_minimum"),
    (Keyword.EXCLUSIVE_MAXIMUM, "exclusive_maximum"),
    (Keyword.MULTIPLE_OF, "multiple_of"),
    (Keyword.MIN_LENGTH, "min_length"),
    (Keyword.MAX_LENGTH, "max_length"),
    (Keyword.MAX_BYTES, "max_bytes"),
    (Keyword.PATTERN, "pattern"),
    (Keyword.FORMAT, "format"),
    (Keyword.MIN_ITEMS, "min_items"),
    (Keyword.MAX_ITEMS, "max_items"),
    (Keyword.MIN_PROPERTIES, "min_properties"),
    (Keyword.MAX_PROPERTIES, "max_properties"),
)
_FLAGS: tuple[tuple[Keyword, str], ...] = (
    (Keyword.UNIQUE_ITEMS, "unique_items"),
    (Keyword.IMMUTABLE, "immutable"),
    (Keyword.MONOTONIC, "monotonic"),
    (Keyword.FORBIDDEN, "forbidden"),
)
_NAMES: tuple[tuple[Keyword, str], ...] = (
    (Keyword.UPDATE, "update"),
    (Keyword.UNIQUE_BY, "unique_by"),
    (Keyword.REQUIRES, "requires"),
    (Keyword.FORBIDS, "forbids"),
)
_NESTED: tuple[tuple[Keyword, str], ...] = (
    (Keyword.IF_ENABLED, "if_enabled"),
    (Keyword.IF_DISABLED, "if_disabled"),
    (Keyword.SUBFIELDS, "subfields"),
)


def constraints_of(written: Constraints) -> SurfaceConstraints:
    """The keywords that say anything; what is nested is JSON in one form, with the words of the spec language."""
    if written is NO_CONSTRAINTS:
        return _NONE
    return {keyword: Constraint(value, place) for keyword, value, place in _keywords(written)} or _NONE


def rules_of(rules: tuple[RuleSpec, ...]) -> tuple[CelRule, ...]:
    """The rules in CEL."""
    return tuple(map(_rule, rules)) if rules else ()


def _rule(rule: RuleSpec) -> CelRule:
    optional = rule.optional_old_self is not None and rule.optional_old_self.value
    message = None if rule.message is None else rule.message.value
    return CelRule(rule.rule.value, rule.rule.place, message, optional)


def _keywords(written: Constraints) -> Iterator[tuple[Keyword, ConstraintValue, Place]]:
    for keyword, attribute in _VALUES:
        found: Located[int | float | str] | None = getattr(written, attribute)
        if found is not None:
            yield keyword, found.value, found.place
    for keyword, attribute in _FLAGS:
        flag: Located[bool] | None = getattr(written, attribute)
        if flag is not None and (flag.value or keyword is Keyword.UNIQUE_ITEMS):  # a set can be told not to look
            yield keyword, flag.value, flag.place
    for keyword, attribute in _NAMES:
        names: tuple[Located[str], ...] = getattr(written, attribute)
        if names:
            yield keyword, tuple(sorted(name.value for name in names)), names[0].place
    if written.not_value is not None:
        yield Keyword.NOT_VALUE, literal(written.not_value), written.not_value.place
    for keyword, attribute in _NESTED:
        nested: tuple[NamedConstraints, ...] = getattr(written, attribute)
        if nested:
            yield keyword, canonical(_named(nested)), nested[0].name.place
    if written.enforced_by_hand is not None:
        place = next((each for *_, each in _keywords(written.enforced_by_hand)), None)
        if place is not None:
            yield Keyword.ENFORCED_BY_HAND, canonical(_json(written.enforced_by_hand)), place
    if written.if_mode:
        yield Keyword.IF_MODE, canonical(_modes(written.if_mode)), written.if_mode[0].discriminator.place


def _named(nested: tuple[NamedConstraints, ...]) -> dict[str, object]:
    return {each.name.value: _json(each.constraints) for each in nested}


def _modes(modes: tuple[ModeConstraints, ...]) -> dict[str, object]:
    return {each.discriminator.value: _named(each.modes) for each in modes}


def _json(written: Constraints) -> dict[str, object]:
    """Constraints as data, in the words of the spec language."""
    found: dict[str, object] = {}
    for keyword, attribute in (*_VALUES, *_FLAGS):
        value: Located[bool | int | float | str] | None = getattr(written, attribute)
        if value is not None and value.value is not False:
            found[keyword.value] = value.value
    for keyword, attribute in _NAMES:
        names: tuple[Located[str], ...] = getattr(written, attribute)
        if names:
            found[keyword.value] = sorted(name.value for name in names)
    for keyword, attribute in _NESTED:
        nested: tuple[NamedConstraints, ...] = getattr(written, attribute)
        if nested:
            found[keyword.value] = _named(nested)
    if written.if_mode:
        found[Keyword.IF_MODE.value] = _modes(written.if_mode)
    if written.not_value is not None:
        found[Keyword.NOT_VALUE.value] = plain(written.not_value)
    if written.required is not None and written.required.value:
        found["required"] = True
    if written.rules:
        found["rules"] = [rule.rule.value for rule in written.rules]
    return found
