"""Schemas of requests and responses: requests have no `readOnly` properties, responses no `writeOnly` properties."""

from __future__ import annotations

from collections.abc import Callable

from apigen.language.nodes import Mapping, Node, Scalar, Sequence
from apigen.review.sources.openapi.operations import local
from apigen.review.sources.schemas.words import as_node, entries_of, is_true, items_of, text, text_node, words_of
from apigen.review.surface import Messages

_OTHER = {Messages.REQUEST: "readOnly", Messages.RESPONSE: "writeOnly"}
_UNWANTED = frozenset({"readOnly", "writeOnly", "nullable"})
"""Properties that have another name, or whose absence has a meaning."""


_EXCLUSIVE = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
"""Flags of the bounds next to them in OpenAPI 3.0, bounds of their own in 3.1."""


def of_messages(root: Mapping, messages: Messages, *, is_3_0: bool) -> Callable[[Mapping], Mapping]:
    """Return the function that reads a schema of the document for requests or for responses.

    `nullable` is a keyword of OpenAPI 3.0 only, and requires `type` (3.0.3, Schema Object).
    """
    other = _OTHER[messages]

    def is_of_others(node: Node) -> bool:
        if not isinstance(node, Mapping):
            return False
        words = words_of(node)
        reference = text(words, "$ref")
        found = None if reference is None else local(root, reference)
        return is_true(words, other) or (isinstance(found, Mapping) and is_true(words_of(found), other))

    def read(node: Mapping) -> Mapping:
        words = words_of(node)
        dropped = frozenset(key.text for key, value in entries_of(words, "properties") if is_of_others(value))
        unwanted = {*(_UNWANTED & words.keys()), *(bound for bound in _EXCLUSIVE if _is_flag(words.get(bound)))}
        if not dropped and not unwanted:
            return node
        left = {name: value for name, value in words.items() if name not in unwanted}
        for exclusive, bound in _EXCLUSIVE.items():
            if is_3_0 and is_true(words, exclusive) and bound in left:
                left[exclusive] = left.pop(bound)
        type_ = left.get("type")
        if is_3_0 and is_true(words, "nullable") and isinstance(type_, Scalar):
            null = text_node("null", words["nullable"])
            left["type"] = Sequence((type_, null), type_.file, type_.line, type_.column)
        properties, required = left.get("properties"), left.get("required")
        if dropped and isinstance(properties, Mapping):
            kept = tuple(entry for entry in properties.entries if entry.key.text not in dropped)
            left["properties"] = properties._replace(entries=kept)
        if dropped and isinstance(required, Sequence):
            names = tuple(
                each for each in items_of(words, "required") if not (isinstance(each, Scalar) and each.value in dropped)
            )
            left["required"] = required._replace(items=names)
        return as_node(left, node)

    return read


def _is_flag(node: Node | None) -> bool:
    return isinstance(node, Scalar) and isinstance(node.value, bool)
