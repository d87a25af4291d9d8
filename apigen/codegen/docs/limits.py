"""The constraints of a value as Markdown, for a cell of a table or a line below one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from apigen.codegen.markdown import code, text
from apigen.ir.model import Alias, Field, Struct, Union
from apigen.language.model import BOUNDS, Constraints, Located, MergeSpec, RuleSpec

_WORDS = {
    "minimum": "minimum",
    "maximum": "maximum",
    "exclusive_minimum": "exclusiveMinimum",
    "exclusive_maximum": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "min_length": "minLength",
    "max_length": "maxLength",
    "max_bytes": "maxBytes",
    "pattern": "pattern",
    "format": "format",
    "min_items": "minItems",
    "max_items": "maxItems",
    "min_properties": "minProperties",
    "max_properties": "maxProperties",
}
"""The bounds by the keys of the spec language, which are those of JSON Schema."""


def limits_of(declared: Field | Alias) -> str:
    """All limits of a field or a named type: its own, and those of its items, keys and values."""
    return "; ".join((*_list_words(declared.merge), *_all(declared)))


def limits_of_struct(struct: Struct) -> str:
    """The limits of a struct as a whole and its unions, each a sentence."""
    parts = [f"Limits: {'; '.join(found)}." for found in [list(_words(struct.constraints))] if found]
    return " ".join([*parts, *map(_union, struct.unions)])


def _all(declared: Field | Alias) -> Iterator[str]:
    yield from _words(declared.constraints)
    for which, constraints in (
        ("items", declared.item_constraints),
        ("keys", declared.key_constraints),
        ("values", declared.value_constraints),
    ):
        yield from (f"{which}: {words}" for words in _words(constraints))


def _words(constraints: Constraints) -> Iterator[str]:
    """Yield the limits that always apply; those that depend on a gate or a mode have their condition."""
    for attribute in BOUNDS:
        bound = getattr(constraints, attribute)
        if bound is not None:
            yield f"{_WORDS[attribute]} {_value(bound.value)}"
    for words, flag in (
        ("items are unique", constraints.unique_items),
        ("immutable", constraints.immutable),
        ("never decreases", constraints.monotonic),
        ("must not be set", constraints.forbidden),
        ("required", constraints.required),
    ):
        if flag is not None and flag.value:
            yield words
    if isinstance(constraints.not_value, Located):
        yield f"not {_value(constraints.not_value.value)}"
    if constraints.unique_by:
        yield f"items are unique by {_names(constraints.unique_by)}"
    if constraints.update:
        yield f"on update: {_names(constraints.update)}"
    if constraints.requires:
        yield f"requires {_names(constraints.requires)}"
    if constraints.forbids:
        yield f"excludes {_names(constraints.forbids)}"
    yield from map(_rule, constraints.rules)
    for condition, nested in (
        ("if {} is enabled", constraints.if_enabled),
        ("if {} is disabled", constraints.if_disabled),
    ):
        for each in nested:
            when = condition.format(code(each.name.value))
            yield from (f"{when}: {words}" for words in _words(each.constraints))
    for each in constraints.subfields:
        yield from (f"{code(each.name.value)}: {words}" for words in _words(each.constraints))
    for mode in constraints.if_mode:
        for each in mode.modes:
            when = f"if {code(mode.discriminator.value)} is {_value(each.name.value)}"
            yield from (f"{when}: {words}" for words in list(_words(each.constraints)) or ["allowed"])
    if constraints.enforced_by_hand is not None:
        yield from (f"{words} (enforced by hand-written validation)" for words in _words(constraints.enforced_by_hand))


def _list_words(merge: MergeSpec) -> Iterator[str]:
    """Yield the merge strategies of lists and maps, which also determine the identity of items."""
    if merge.list_type is not None:
        keys = f" with {'keys' if len(merge.list_map_keys) > 1 else 'key'} {_names(merge.list_map_keys)}"
        yield f"list type {code(merge.list_type.value)}{keys if merge.list_map_keys else ''}"
    map_type = merge.map_type or merge.struct_type
    if map_type is not None:
        yield f"map type {code(map_type.value)}"


def _union(union: Union) -> str:
    """A union as a sentence."""
    count = "At most one" if union.optional or union.empty else "Exactly one"
    members = ", ".join(
        code(member.json_name)
        + (f" ({_value(member.value)})" if union.discriminator is not None and member.value is not None else "")
        for member in union.members
    )
    chosen = f", chosen by {code(union.discriminator)}" if union.discriminator is not None else ""
    empty = f"; none if it is {', '.join(map(_value, union.empty))}" if union.empty else ""
    return f"{count} of {members} is set{chosen}{empty}."


def _rule(rule: RuleSpec) -> str:
    """A CEL rule, by its message if it has one."""
    expression = _value(rule.rule.value)
    return f"rule {expression}" if rule.message is None else f"rule {expression} ({text(rule.message.value)})"


def _value(value: object) -> str:
    """Return a literal as code: strings without quotes, except for the empty one."""
    return code(value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False))


def _names(names: Iterable[Located[str]]) -> str:
    return ", ".join(code(name.value) for name in names)
