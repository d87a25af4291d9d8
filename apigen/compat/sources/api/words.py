"""Conditions and values of the spec language as stable text: what means the same says the same."""

from __future__ import annotations

import json

from apigen.ir.literal_reader import plain
from apigen.spec.model import LiteralNode
from apigen.spec.paths import All, Any, Condition, Equals, GateOn, IsSet, Literal, Not


def canonical(value: object) -> str:
    """Data as JSON in one form."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def literal(node: LiteralNode) -> str:
    """A literal as JSON in one form."""
    return canonical(plain(node))


def condition_words(condition: Condition) -> str:
    """A condition as a person would write it."""
    match condition:
        case Equals(path, values):
            return f"{path.text} is {' or '.join(map(_value, values))}"
        case IsSet(path):
            return f"{path.text} is set"
        case GateOn(gate):
            return f"gate {gate} is on"
        case Not(IsSet(path)):
            return f"{path.text} is not set"
        case Not(inner):
            return f"not ({condition_words(inner)})"
        case All(conditions):
            return " and ".join(map(_part, conditions)) or "always"
        case Any(conditions):
            return " or ".join(map(_part, conditions)) or "never"


def condition_said(condition: Condition) -> dict[str, object]:
    """A condition in the spec language."""
    match condition:
        case Equals(path, values):
            return {path.text: values[0] if len(values) == 1 else list(values)}
        case IsSet(path):
            return {"set": path.text}
        case GateOn(gate):
            return {"gate": gate}
        case Not(IsSet(path)):
            return {"unset": path.text}
        case Not(inner):
            return {"not": condition_said(inner)}
        case All(conditions):
            return {"all": [condition_said(each) for each in conditions]}
        case Any(conditions):
            return {"any": [condition_said(each) for each in conditions]}


def gates_in(condition: Condition) -> frozenset[str]:
    """The gates that a condition asks."""
    match condition:
        case GateOn(gate):
            return frozenset((gate,))
        case Not(inner):
            return gates_in(inner)
        case All(conditions) | Any(conditions):
            return frozenset().union(*map(gates_in, conditions))
    return frozenset()


def _part(condition: Condition) -> str:
    words = condition_words(condition)
    return f"({words})" if isinstance(condition, All | Any) else words


def _value(value: Literal) -> str:
    return canonical(value)
