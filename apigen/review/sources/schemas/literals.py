"""Nodes as plain data, and as text of one form."""

from __future__ import annotations

import json

from apigen.language.nodes import Mapping, Node, Scalar
from apigen.review.json_values import JsonValue

_encoded = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def value_of(node: Node) -> JsonValue:
    """The data that a node holds."""
    match node:
        case Scalar():
            return node.value
        case Mapping():
            return {entry.key.text: value_of(entry.value) for entry in node.entries}
        case _:
            return [value_of(item) for item in node.items]


def canonical(value: JsonValue) -> str:
    """Data as JSON in one form. A number has the same text however it is written."""
    text = _encoded(value)
    return _encoded(_plain(value)) if ".0" in text or "e+" in text else text  # how integers look that are floating


def text_of(node: Node) -> str:
    """A node as JSON in one form."""
    return canonical(value_of(node))


def _plain(value: JsonValue) -> JsonValue:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return value
