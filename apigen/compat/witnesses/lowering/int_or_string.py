"""Constraints of values that are numbers or text: specs have none for them, but they have rules.

In a schema, what bounds text says nothing of numbers, and the reverse.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from apigen.compat.surface.constraints import Constraint, ConstraintValue, Keyword
from apigen.compat.verdict.example import JsonValue
from apigen.compat.witnesses.lowering.problem import NotLoweredError

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
WORDS = frozenset(_RULES)
"""The constraints that become rules."""


def rule_of(keyword: Keyword, said: Constraint) -> dict[str, JsonValue]:
    """The rule that says one of them. Raises NotLoweredError for a number that is none of whole numbers."""
    value = said.value
    if keyword is not Keyword.PATTERN and (isinstance(value, bool) or not isinstance(value, int)):
        raise NotLoweredError(f"`{keyword.value}` of a whole number or text cannot be tried")
    kind, words = _RULES[keyword]
    return {"rule": kind.format(words(value)), "message": f"does not meet {keyword.value}: {value}"}
