"""The valid forms of keywords: a keyword with another value has no defined meaning."""

from __future__ import annotations

from collections.abc import Callable

from apigen.language.nodes import Mapping, Node, Scalar, Sequence
from apigen.review.sources.schemas.words import Words

Complain = Callable[[Node, str], None]


def report_misshapen(words: Words, complain: Complain) -> None:
    """Complain of every keyword that holds something else than it must."""
    for keyword, node in words.items():
        if keyword in _WANTED:
            fits, wanted = _WANTED[keyword]
            if not fits(node):
                complain(node, f"`{keyword}` is not {wanted}; it is ignored")


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
