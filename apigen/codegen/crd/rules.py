"""The CEL rules of a schema, checked like the API server does: the estimated cost, and whether `oldSelf` is available."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.codegen.crd.cel_cost import (
    COST_LIMIT,
    LARGEST_REQUEST,
    TOTAL_LIMIT,
    Call,
    Estimate,
    Expression,
    Name,
    Sizes,
    estimated,
    parse,
    sizes_of,
)
from apigen.codegen.crd.schemas import ImpliedRule
from apigen.codegen.json_schema.backend import IMMUTABLE, Schema
from apigen.dataclass import dataclass
from apigen.language.json_values import JsonValue
from apigen.runtime.cel import CelError, find_cel
from apigen.runtime.rules import Rule, uses_old_self

_SAME: Expression = Call("_==_", None, (Name("self"), Name("oldSelf")), (), True)


@dataclass(frozen=True, slots=True)
class RuleAt:
    """A rule of a schema at a path of property names (`[]` for the elements of a list or map).

    `cost` is that of all its evaluations in an object; None if there is no library to parse it, or if it cannot be
    parsed. `message_cost` is likewise that of its `messageExpression`. `has_old` is whether `oldSelf` is known there.
    `unseen` is a field, or `self`, that it reads although the API server has no schema of it; empty without one.
    """

    path: tuple[str, ...]
    node: Schema
    rule: Schema
    cost: int | None
    message_cost: int | None
    has_old: bool
    unseen: str

    @property
    def is_implied(self) -> bool:
        """Return whether apigen wrote the rule for a constraint of another kind."""
        return _implied(self.rule) is not None

    @property
    def needs_old(self) -> bool:
        """Return whether the rule uses an old value that the API server cannot find, because the list has no keys."""
        return not self.has_old and uses_old_self(Rule(str(self.rule["rule"])))


def rules_in(schema: Schema) -> tuple[RuleAt, ...]:
    """Return all rules of the schema of a kind, with their locations in it."""
    return tuple(_rules(schema, (), 1, has_old=True))


def without_unaffordable(schema: Schema) -> list[RuleAt]:
    """Take those implied rules out of the schema of a kind that the API server would reject; returns them."""
    all_rules = rules_in(schema)
    costs = [min(rule.cost or 0, TOTAL_LIMIT + 1) for rule in all_rules]
    total = sum(costs)
    removed = []
    for rule, cost in sorted(zip(all_rules, costs, strict=True), key=lambda each: -each[1]):
        if rule.is_implied and (rule.needs_old or cost > COST_LIMIT or total > TOTAL_LIMIT):
            removed.append(rule)
            total -= cost
            rules = rule.node["x-kubernetes-validations"]
            assert isinstance(rules, list)
            remaining = [each for each in rules if each is not rule.rule]
            rule.node["x-kubernetes-validations"] = remaining
            if not remaining:
                del rule.node["x-kubernetes-validations"]
    return removed


def _implied(rule: Schema) -> Expression | None:
    if isinstance(rule, ImpliedRule):
        return rule.expression
    return _SAME if rule == IMMUTABLE else None


def _rules(schema: Schema, path: tuple[str, ...], most: int | None, *, has_old: bool) -> Iterator[RuleAt]:
    """Yield the rules of a node and of its parts; `most` is the maximum number of its values in an object, None if it
    is unbounded.
    """
    rules = schema.get("x-kubernetes-validations")
    sizes = sizes_of(schema, is_root=not path) if rules else None
    for rule in rules if isinstance(rules, list) else ():
        assert isinstance(rule, dict)
        once = None if sizes is None else _cost(rule, "rule", sizes)
        times = most if most is not None or sizes is None else LARGEST_REQUEST // (sizes.least_bytes + 1)
        cost = None if once is None or times is None else once.cost * times
        message = None if sizes is None or "messageExpression" not in rule else _cost(rule, "messageExpression", sizes)
        unseen = (
            "self"
            if sizes is None
            else next((each.unseen for each in (once, message) if each is not None and each.unseen), "")
        )
        yield RuleAt(path, schema, rule, cost, None if message is None else message.cost, has_old, unseen)
    properties, items = schema.get("properties"), schema.get("items")
    is_atomic = schema.get("x-kubernetes-map-type") == "atomic"
    for name, each in properties.items() if isinstance(properties, dict) else ():
        assert isinstance(each, dict)
        yield from _rules(each, (*path, name), most, has_old=has_old and not is_atomic)
    if isinstance(items, dict):
        is_map = schema.get("x-kubernetes-list-type") == "map"
        yield from _below(items, path, most, schema.get("maxItems"), has_old=has_old and is_map)
    values = schema.get("additionalProperties")
    if isinstance(values, dict):
        yield from _below(values, path, most, schema.get("maxProperties"), has_old=has_old and not is_atomic)


def _below(
    schema: Schema, path: tuple[str, ...], most: int | None, limit: JsonValue, *, has_old: bool
) -> Iterator[RuleAt]:
    times = most * limit if most is not None and isinstance(limit, int) else None
    yield from _rules(schema, (*path, "[]"), times, has_old=has_old)


def _cost(rule: Schema, word: str, sizes: Sizes) -> Estimate | None:
    implied = _implied(rule)
    if implied is not None:
        return estimated(implied, sizes)
    cel = find_cel()
    if cel is None:
        return None
    try:
        compiled = cel.compile(str(rule[word]), variables=("self", "oldSelf"))
    except CelError:
        return None  # reported where rules are checked
    return estimated(parse(compiled.serialized()), sizes)
