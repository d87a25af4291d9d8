"""The keywords of a schema that bound its values, its rules in CEL, and the merge strategy of its values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeGuard

from apigen.inputs.schemas.words import (
    Words,
    is_null,
    is_schema,
    is_true,
    items_of,
    text,
    text_of,
    texts,
    words_of,
)
from apigen.ir.surface import CelRule, Constraint, Constraints, Keyword, Merge
from apigen.language.nodes import Mapping, Node, Scalar, Sequence
from apigen.runtime.structural.nodes import LIST_MAP_KEYS, LIST_TYPE

NUMBERS = frozenset(
    {Keyword.MINIMUM, Keyword.MAXIMUM, Keyword.EXCLUSIVE_MINIMUM, Keyword.EXCLUSIVE_MAXIMUM, Keyword.MULTIPLE_OF}
)
"""Constraints of numbers."""

TEXTS = frozenset({Keyword.MIN_LENGTH, Keyword.MAX_LENGTH, Keyword.PATTERN, Keyword.FORMAT})
"""Constraints of strings."""

LISTS = frozenset({Keyword.MIN_ITEMS, Keyword.MAX_ITEMS, Keyword.UNIQUE_ITEMS})
"""Constraints of lists."""

OBJECTS = frozenset({Keyword.MIN_PROPERTIES, Keyword.MAX_PROPERTIES})
"""Constraints of objects."""

_EXCLUSIVE = {Keyword.MINIMUM: Keyword.EXCLUSIVE_MINIMUM, Keyword.MAXIMUM: Keyword.EXCLUSIVE_MAXIMUM}
_SIZES = (Keyword.MIN_ITEMS, Keyword.MAX_ITEMS, Keyword.MIN_PROPERTIES, Keyword.MAX_PROPERTIES)
_FLAGS = (Keyword.UNIQUE_ITEMS, Keyword.READ_ONLY, Keyword.WRITE_ONLY)
_NOTHING = frozenset({Keyword.MIN_LENGTH, Keyword.MIN_ITEMS, Keyword.MIN_PROPERTIES, *_FLAGS})
"""Keywords that have no effect with the value 0, or false."""

Complain = Callable[[Node, str], None]
"""Reports that a node is unsupported, and why."""


def constraints_of(words: Words, complain: Complain) -> Constraints:
    """Return the constraints of a schema of any type. Keywords without effect (`minLength: 0`) are skipped."""
    return {} if WORDS.isdisjoint(words) else dict(_read(words, complain))


def _read(words: Words, complain: Complain) -> Iterator[tuple[Keyword, Constraint]]:
    for name, node in words.items():
        if name not in _BY_WORD:
            continue
        keyword, fits, expected = _BY_WORD[name]
        value = node.value if isinstance(node, Scalar) else None
        if not fits(value):
            if keyword not in _EXCLUSIVE.values() or not _is_flag(value):  # a flag in older schemas
                complain(node, f"`{keyword.value}` is not {expected}")
        elif isinstance(value, bool | int | float | str) and not (value == 0 and keyword in _NOTHING):
            found = int(value) if fits is _is_count else value
            yield _exclusive(keyword, words), Constraint(found, node.place)
    if "const" in words:
        yield Keyword.CONST, Constraint(text_of(words["const"]), words["const"].place)


def _exclusive(keyword: Keyword, words: Words) -> Keyword:
    """The keyword, or the exclusive one where `exclusiveMinimum: true` is next to it (CRDs and draft 4)."""
    exclusive = _EXCLUSIVE.get(keyword)
    return exclusive if exclusive is not None and is_true(words, exclusive.value) else keyword


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_positive(value: object) -> bool:
    return _is_number(value) and value > 0


def _is_count(value: object) -> bool:
    return _is_number(value) and value >= 0 and value % 1 == 0


def _is_string(value: object) -> bool:
    return isinstance(value, str)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


_READERS: tuple[tuple[Callable[[object], bool], str, Iterable[Keyword]], ...] = (
    (_is_number, "a number", NUMBERS - {Keyword.MULTIPLE_OF}),
    (_is_positive, "a number greater than 0", (Keyword.MULTIPLE_OF,)),
    (_is_count, "an integer that is not negative", (Keyword.MIN_LENGTH, Keyword.MAX_LENGTH, *_SIZES)),
    (_is_string, "text", (Keyword.PATTERN, Keyword.FORMAT)),
    (_is_flag, "true or false", _FLAGS),
)
_BY_WORD = {keyword.value: (keyword, fits, expected) for fits, expected, keywords in _READERS for keyword in keywords}
WORDS = frozenset(_BY_WORD) | {"const"}
"""The keywords that are read here."""


RULES = "x-kubernetes-validations"


def rules_of(words: Words, complain: Complain) -> tuple[CelRule, ...]:
    """The rules of a schema."""
    return tuple(_rules(words, complain)) if RULES in words else ()


def _rules(words: Words, complain: Complain) -> Iterator[CelRule]:
    items = items_of(words, RULES)
    if not items:
        complain(words[RULES], f"`{RULES}` is not a list of rules")
    for item in items:
        own = words_of(item)
        rule = text(own, "rule")
        if rule is None:
            complain(item, "a rule without `rule:`")
        else:
            yield CelRule(
                text=rule.strip(),
                place=item.place,
                message=text(own, "message"),
                optional_old_self=is_true(own, "optionalOldSelf"),
            )


MAP_TYPE = "x-kubernetes-map-type"
PATCH_STRATEGY = "x-kubernetes-patch-strategy"
PATCH_MERGE_KEY = "x-kubernetes-patch-merge-key"

OF_MERGING = frozenset({LIST_TYPE, LIST_MAP_KEYS, MAP_TYPE, PATCH_STRATEGY, PATCH_MERGE_KEY})
"""The keywords of the strategy of server-side apply."""

_UNMERGED = Merge()


def merge_of(words: Words) -> Merge:
    """Return the merge strategy of a schema. The map type is that of structs, too; list map keys have no order."""
    if OF_MERGING.isdisjoint(words):
        return _UNMERGED
    return Merge(
        list_type=text(words, LIST_TYPE),
        list_map_keys=tuple(sorted(texts(words, LIST_MAP_KEYS))),
        map_type=text(words, MAP_TYPE),
        patch_strategy=text(words, PATCH_STRATEGY),
        patch_merge_key=text(words, PATCH_MERGE_KEY),
    )


def report_misshapen(words: Words, complain: Complain) -> None:
    """Report each keyword whose value is not valid for it."""
    for keyword, node in words.items():
        if keyword in _WANTED:
            fits, expected = _WANTED[keyword]
            if not fits(node):
                complain(node, f"`{keyword}` is not {expected}; it is ignored")


def _is_text(node: Node) -> bool:
    return isinstance(node, Scalar) and isinstance(node.value, str)


def _is_list(node: Node) -> bool:
    return isinstance(node, Sequence) or is_null(node)


def _is_list_of_names(node: Node) -> bool:
    return is_null(node) or (isinstance(node, Sequence) and all(map(_is_text, node.items)))


def _is_type(node: Node) -> bool:
    return _is_text(node) or (isinstance(node, Sequence) and bool(node.items) and all(map(_is_text, node.items)))


def _is_mapping(node: Node) -> bool:
    return isinstance(node, Mapping) or is_null(node)


def _is_schema(node: Node) -> bool:
    return is_null(node) or is_schema(node)


def _is_true_or_false(node: Node) -> bool:
    return is_null(node) or (isinstance(node, Scalar) and _is_flag(node.value))


_WANTED: dict[str, tuple[Callable[[Node], bool], str]] = {
    "type": (_is_type, "a type or a list of types"),
    "$ref": (_is_text, "text"),
    "required": (_is_list_of_names, "a list of names"),
    **dict.fromkeys(("enum", "allOf", "anyOf", "oneOf", "prefixItems"), (_is_list, "a list")),
    **dict.fromkeys(
        (
            *("properties", "patternProperties", "dependencies", "dependentRequired", "dependentSchemas"),
            *("$defs", "definitions"),
        ),
        (_is_mapping, "a mapping"),
    ),
    **dict.fromkeys(("deprecated", "nullable"), (_is_true_or_false, "true or false")),
    "additionalProperties": (_is_schema, "a schema"),
}
"""By keyword, the check of its value, and the expected value in words. `null` counts as a missing keyword, except for
types, where it is easily confused with the type `null`.
"""
