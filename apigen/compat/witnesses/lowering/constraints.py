"""Constraints in the words of the spec language."""

from __future__ import annotations

import json
from collections.abc import Callable

from apigen.compat.inclusion.enforced import with_by_hand
from apigen.compat.surface.constraints import CelRule, Constraint, Constraints, ConstraintValue, Keyword
from apigen.compat.values.conditions import nested_in
from apigen.compat.verdict.example import JsonValue
from apigen.compat.witnesses.lowering.problem import NotLoweredError
from apigen.ir.formats import FORMATS

_PLAIN = frozenset(
    {
        *(
            Keyword.MINIMUM,
            Keyword.MAXIMUM,
            Keyword.MULTIPLE_OF,
            Keyword.MIN_LENGTH,
            Keyword.MAX_LENGTH,
            Keyword.MAX_BYTES,
        ),
        *(Keyword.PATTERN, Keyword.MIN_ITEMS, Keyword.MAX_ITEMS, Keyword.UNIQUE_ITEMS, Keyword.MIN_PROPERTIES),
        *(Keyword.MAX_PROPERTIES, Keyword.IMMUTABLE, Keyword.MONOTONIC, Keyword.FORBIDDEN),
    }
)
_NAMES = frozenset({Keyword.UPDATE, Keyword.UNIQUE_BY, Keyword.REQUIRES, Keyword.FORBIDS})
_NESTED = frozenset({Keyword.IF_ENABLED, Keyword.IF_DISABLED, Keyword.IF_MODE, Keyword.SUBFIELDS, Keyword.NOT_VALUE})
_WORDS = {Keyword.NOT_VALUE.value: "not"}
"""What specs call by another word."""

_OPEN = {Keyword.EXCLUSIVE_MINIMUM: Keyword.MINIMUM, Keyword.EXCLUSIVE_MAXIMUM: Keyword.MAXIMUM}


def lowered_constraints(
    constraints: Constraints, rules: tuple[CelRule, ...], *, is_int_or_string: bool = False
) -> dict[str, JsonValue]:
    """The keys of a field. Raises NotLoweredError for what validation cannot be told.

    What code by hand enforces is tried as if it were generated: a server refuses it.
    """
    constraints = with_by_hand(constraints)
    more: list[JsonValue] = []
    if is_int_or_string:
        more += (_rule_of(keyword, constraints[keyword]) for keyword in constraints if keyword in _AS_RULES)
        constraints = {keyword: said for keyword, said in constraints.items() if keyword not in _AS_RULES}
    found: dict[str, JsonValue] = {}
    for keyword, said in constraints.items():
        value: JsonValue = list(said.value) if isinstance(said.value, tuple) else said.value
        if keyword in _PLAIN or keyword in _NAMES:
            found[keyword.value] = value
        elif keyword in _NESTED and isinstance(value, str):
            found[_WORDS.get(keyword.value, keyword.value)] = _reworded(json.loads(value))
        elif keyword in _OPEN and value is True:
            base = constraints.get(_OPEN[keyword])
            if base is not None and not isinstance(base.value, tuple):
                found[keyword.value] = base.value
        elif keyword in _OPEN or (keyword is Keyword.FORMAT and value in FORMATS):
            found[keyword.value] = value
        elif keyword is not Keyword.FORMAT:  # other formats are checked by nobody here, on neither side
            raise NotLoweredError(f"`{keyword.value}` cannot be tried")
    for keyword, base_keyword in _OPEN.items():
        if keyword.value in found and constraints[keyword].value is True:
            found.pop(base_keyword.value, None)
    if rules or more:
        found["rules"] = [*map(_rule, rules), *more]
    return found


def gates_in(constraints: Constraints) -> set[str]:
    """The gates that constraints ask."""
    return {*nested_in(constraints, Keyword.IF_ENABLED), *nested_in(constraints, Keyword.IF_DISABLED)}


def _reworded(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {_WORDS.get(name, name): _reworded(inner) for name, inner in value.items()}
    return value


def _rule(rule: CelRule) -> JsonValue:
    found: dict[str, JsonValue] = {"rule": rule.text}
    if rule.message is not None:
        found["message"] = rule.message
    if rule.optional_old_self:
        found["optionalOldSelf"] = True
    return found


_TEXT = "type(self) != string || {}"
_NUMBER = "type(self) != int || {}"

_RULES: dict[Keyword, tuple[str, Callable[[ConstraintValue], str]]] = {
    Keyword.PATTERN: (_TEXT, lambda value: f"self.matches({json.dumps(value, ensure_ascii=False)})"),
    Keyword.MIN_LENGTH: (_TEXT, "size(self) >= {}".format),
    Keyword.MAX_LENGTH: (_TEXT, "size(self) <= {}".format),
    Keyword.MINIMUM: (_NUMBER, "self >= {}".format),
    Keyword.MAXIMUM: (_NUMBER, "self <= {}".format),
    Keyword.EXCLUSIVE_MINIMUM: (_NUMBER, "self > {}".format),
    Keyword.EXCLUSIVE_MAXIMUM: (_NUMBER, "self < {}".format),
    Keyword.MULTIPLE_OF: (_NUMBER, "self % {} == 0".format),
}
_AS_RULES = frozenset(_RULES)
"""The constraints that become rules."""


def _rule_of(keyword: Keyword, said: Constraint) -> dict[str, JsonValue]:
    """The rule that says one of them. Raises NotLoweredError for a number that is none of whole numbers."""
    value = said.value
    if keyword is not Keyword.PATTERN and (isinstance(value, bool) or not isinstance(value, int)):
        raise NotLoweredError(f"`{keyword.value}` of a whole number or text cannot be tried")
    kind, words = _RULES[keyword]
    return {"rule": kind.format(words(value)), "message": f"does not meet {keyword.value}: {value}"}
