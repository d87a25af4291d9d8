"""Rules in CEL as schemas: each clause of a rule is an alternative, and what is unknown of it a condition by its text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction

from apigen.inputs.schemas.words import canonical
from apigen.ir.surface import CONDITIONS
from apigen.language.json_values import JsonValue
from apigen.review.prover.cel import (
    Literal,
    Path,
    clauses,
    comparison,
    path_of,
    path_of_has,
    sized,
    without_parentheses,
)
from apigen.review.prover.numbers import Numbers, with_closed_bounds
from apigen.review.prover.schemas.schema import mapping_of
from apigen.review.prover.texts import Texts

Words = dict[str, JsonValue]

_SELF: Mapping[str, Path] = {"self": ()}
_OF_SIZES = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems")}


def rule_schema(condition: str, words: Words) -> JsonValue:
    """Return a schema that a value of the schema `words` matches if and only if it satisfies a condition; None if the
    condition is no rule, or a rule of which no part is known.
    """
    read: JsonValue = json.loads(condition) if condition.startswith("{") else None
    rule = read.get("rule") if isinstance(read, dict) else None
    text = rule[0] if isinstance(rule, list) and rule and not any(rule[1:]) else None
    found = clauses(text) if isinstance(text, str) and "oldSelf" not in text else None
    if found is None or not isinstance(read, dict):
        return None
    translated = {literal: _schema(literal, words) for clause in found for literal in clause}
    if translated and all(each is None for each in translated.values()):
        return None
    # an expression that is true, or false or an error: `||` and `&&` ignore errors
    schemas: dict[Literal, JsonValue] = {
        literal: {CONDITIONS: [canonical({"literal": [*literal], "of": read.get("of")})]} if each is None else each
        for literal, each in translated.items()
    }
    return {
        "allOf": [{"anyOf": [schemas[literal] for literal in sorted(clause)]} for clause in sorted(found, key=sorted)]
    }


def _schema(literal: Literal, words: Words) -> JsonValue:
    """Return the schema of the values for which a literal is true; None if it is unknown."""
    negated = literal[:1] == ("!",)
    inner = without_parentheses(literal[1:]) if negated else literal
    if has := path_of_has(inner, _SELF):
        return _presence(has, words, not negated)
    compared = comparison(inner)
    operand = inner if compared is None else sized(compared.operand) or compared.operand
    if matches := inner[-5:-2] == (".", "matches", "(") and inner[-2].startswith('"'):
        operand = inner[:-5]
    path = path_of(operand, "self")
    kind = None if path is None else _kind(_at(path, words))
    schema: JsonValue = None
    if compared is not None and operand is not compared.operand:
        schema = _of_size(kind, compared.values)
    elif compared is not None:
        schema = _of_values(kind, compared.values)
    elif matches and kind == "string":
        schema = {"pattern": inner[-2][1:]}
    elif kind == "boolean":
        schema = {"const": True}
    if path is None or not isinstance(schema, dict):
        return None
    return _inside(path, {"type": kind, "not": schema} if negated else {"type": kind, **schema})


def _presence(path: Path, words: Words, is_set: bool) -> JsonValue:
    """Return the schema of the values with a field, or without it; a field that is null counts as unset."""
    outer, name = path[:-1], path[-1]
    holder = _at(outer, words)
    if holder is None or name not in mapping_of(holder, "properties"):
        return None
    present: Words = {"required": [name], "properties": {name: {"not": {"type": "null"}}}}
    return _inside(outer, {"type": "object", **(present if is_set else {"not": present})})


def _inside(path: Path, schema: Words) -> Words:
    """Return the schema of the values with a field that matches a schema."""
    for name in reversed(path):
        schema = {"type": "object", "required": [name], "properties": {name: schema}}
    return schema


def _at(path: Path, words: Words) -> Words | None:
    """Return the schema of a field; None for an unknown one."""
    for name in path:
        inner = mapping_of(words, "properties").get(name)
        alternatives = inner.get("anyOf") if isinstance(inner, dict) and "type" not in inner else None
        if isinstance(alternatives, list):  # null, and other values
            inner = alternatives[-1]
        if not isinstance(inner, dict):
            return None
        words = inner
    return words


def _kind(words: Words | None) -> str | None:
    """Return the only type of a value; None if it has several."""
    types = None if words is None else words.get("type")
    return types[0] if isinstance(types, list) and len(types) == 1 and isinstance(types[0], str) else None


def _of_values(kind: str | None, values: Numbers | Texts) -> JsonValue:
    if isinstance(values, Texts):
        return _listed(values.allowed, values.excluded) if kind == "string" else None
    if kind not in ("integer", "number"):
        return None
    words = _listed(*(None if each is None else map(_number, each) for each in (values.allowed, values.excluded)))
    for bound, keyword, exclusive in (
        (values.least, "minimum", "exclusiveMinimum"),
        (values.most, "maximum", "exclusiveMaximum"),
    ):
        if bound is not None:
            words[exclusive if bound.is_open else keyword] = _number(bound.at)
    return words


def _listed(allowed: Iterable[JsonValue] | None, excluded: Iterable[JsonValue] | None) -> Words:
    words: Words = {} if allowed is None else {"enum": [*allowed]}
    listed = [*(excluded or ())]
    return {**words, "not": {"enum": listed}} if listed else words


def _of_size(kind: str | None, values: Numbers | Texts) -> JsonValue:
    if kind not in _OF_SIZES or isinstance(values, Texts):
        return None
    least, most = _OF_SIZES[kind]
    sizes: list[JsonValue] = [{least: int(size), most: int(size)} for size in sorted(values.allowed or values.excluded)]
    if sizes:
        return {"anyOf": sizes} if values.allowed else {"not": {"anyOf": sizes}}
    closed = with_closed_bounds(values)
    words: Words = {} if closed.least is None else {least: max(0, int(closed.least.at))}
    return words if closed.most is None else {**words, most: int(closed.most.at)}


def _number(value: Fraction) -> JsonValue:
    return value.numerator if value.denominator == 1 else float(value)
