"""The keywords of a schema that bound its values, and its rules in CEL."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apigen.language.nodes import Mapping, Node, Scalar, Sequence
from apigen.review.sources.schemas.words import Words, is_true, items_of, text, text_of, words_of
from apigen.review.surface import CelRule, Constraint, Constraints, ConstraintValue, Keyword

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
_NOTHING = frozenset({Keyword.MIN_LENGTH, Keyword.MIN_ITEMS, Keyword.MIN_PROPERTIES})

Complain = Callable[[Node, str], None]
"""Reports that a node is unsupported, and why."""


def constraints_of(words: Words, complain: Complain) -> Constraints:
    """Return the constraints of a schema of any type. Keywords without effect (`minLength: 0`) are skipped."""
    return {} if WORDS.isdisjoint(words) else dict(_read(words, complain))


def _read(words: Words, complain: Complain) -> Iterator[tuple[Keyword, Constraint]]:
    for name, node in words.items():
        reader = _BY_WORD.get(name)
        if reader is None:
            continue
        keyword, read = reader
        value = read(node)
        if isinstance(value, _Wrong):
            if not _is_old_exclusive(keyword, node):
                complain(node, f"`{keyword.value}` is not {value.expected}")
        elif value is not None and not (value == 0 and keyword in _NOTHING):
            yield _exclusive(keyword, words), Constraint(value, node.place)
    if "const" in words:
        yield Keyword.CONST, Constraint(text_of(words["const"]), words["const"].place)


def _is_old_exclusive(keyword: Keyword, node: Node) -> bool:
    return keyword in _EXCLUSIVE.values() and isinstance(node, Scalar) and isinstance(node.value, bool)


def _exclusive(keyword: Keyword, words: Words) -> Keyword:
    """The keyword, or the exclusive one where `exclusiveMinimum: true` is next to it (CRDs and draft 4)."""
    exclusive = _EXCLUSIVE.get(keyword)
    return exclusive if exclusive is not None and is_true(words, exclusive.value) else keyword


class _Wrong:
    """The value is not valid for the keyword."""

    def __init__(self, expected: str) -> None:
        self.expected = expected


Read = Callable[[Node], ConstraintValue | None | _Wrong]


def _number(node: Node) -> ConstraintValue | _Wrong:
    value = node.value if isinstance(node, Scalar) else None
    if not isinstance(value, int | float) or isinstance(value, bool):
        return _Wrong("a number")
    return value


def _count(node: Node) -> ConstraintValue | _Wrong:
    value = _number(node)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and value >= 0 else _Wrong("an integer that is not negative")


def _text(node: Node) -> ConstraintValue | _Wrong:
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else _Wrong("text")


def _flag(node: Node) -> ConstraintValue | None | _Wrong:
    value = node.value if isinstance(node, Scalar) else None
    if not isinstance(value, bool):
        return _Wrong("true or false")
    return True if value else None


_READERS: dict[Keyword, Read] = {
    Keyword.MINIMUM: _number,
    Keyword.MAXIMUM: _number,
    Keyword.EXCLUSIVE_MINIMUM: _number,
    Keyword.EXCLUSIVE_MAXIMUM: _number,
    Keyword.MULTIPLE_OF: _number,
    Keyword.MIN_LENGTH: _count,
    Keyword.MAX_LENGTH: _count,
    Keyword.PATTERN: _text,
    Keyword.FORMAT: _text,
    Keyword.MIN_ITEMS: _count,
    Keyword.MAX_ITEMS: _count,
    Keyword.UNIQUE_ITEMS: _flag,
    Keyword.MIN_PROPERTIES: _count,
    Keyword.MAX_PROPERTIES: _count,
    Keyword.READ_ONLY: _flag,
    Keyword.WRITE_ONLY: _flag,
}
_BY_WORD = {keyword.value: (keyword, read) for keyword, read in _READERS.items()}
WORDS = frozenset(keyword.value for keyword in _READERS) | {"const"}
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
        own = words_of(item) if isinstance(item, Mapping) else {}
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
    return isinstance(node, Sequence) or _is_null(node)


def _is_list_of_names(node: Node) -> bool:
    return _is_null(node) or (isinstance(node, Sequence) and all(map(_is_text, node.items)))


def _is_type(node: Node) -> bool:
    return _is_text(node) or (isinstance(node, Sequence) and bool(node.items) and all(map(_is_text, node.items)))


def _is_mapping(node: Node) -> bool:
    return isinstance(node, Mapping) or _is_null(node)


def _is_schema(node: Node) -> bool:
    return _is_mapping(node) or (isinstance(node, Scalar) and isinstance(node.value, bool))


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None


_WANTED: dict[str, tuple[Callable[[Node], bool], str]] = {
    "type": (_is_type, "a type or a list of types"),
    "$ref": (_is_text, "text"),
    "required": (_is_list_of_names, "a list of names"),
    **dict.fromkeys(("enum", "allOf", "anyOf", "oneOf", "prefixItems"), (_is_list, "a list")),
    **dict.fromkeys(
        ("properties", "patternProperties", "dependencies", "dependentRequired", "dependentSchemas"),
        (_is_mapping, "a mapping"),
    ),
    "additionalProperties": (_is_schema, "a schema"),
}
"""By keyword, the check of its value, and the expected value in words. `null` counts as a missing keyword, except for
types, where it is easily confused with the type `null`.
"""
