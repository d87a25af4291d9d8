"""The keywords of a schema: a mapping's entries by key, accessors for all readers, and nodes as plain data."""

from __future__ import annotations

import json
from collections.abc import Iterable
from collections.abc import Mapping as AbstractMapping
from collections.abc import Sequence as AbstractSequence

from apigen.language.json_values import JsonValue
from apigen.language.nodes import Entry, Mapping, Node, Scalar, Sequence

Words = AbstractMapping[str, Node]
"""The contents of a schema, by keyword."""

_EMPTY = Mapping((), frozenset(), False, "", 1, 1)


def words_of(node: Node | None) -> dict[str, Node]:
    """The entries of a mapping by key; none for another node."""
    return {entry.key.text: entry.value for entry in node.entries} if isinstance(node, Mapping) else {}


def as_node(words: Words, like: Mapping) -> Mapping:
    """Words as a mapping, with the location of another one."""
    keys = {entry.key.text: entry.key for entry in like.entries}
    entries = (Entry(keys.get(name) or text_node(name, value), value) for name, value in words.items())
    return Mapping(tuple(entries), frozenset(), False, like.file, like.line, like.column)


def text_node(text: str, at: Node) -> Scalar:
    """A string."""
    return Scalar(text, text, True, at.file, at.line, at.column, 0)


def object_schema(members: Words, required: Iterable[str], at: Node, *, is_closed: bool = False) -> Mapping:
    """The schema of an object with these members; `is_closed`: it accepts no other member."""
    like = at if isinstance(at, Mapping) else _EMPTY._replace(file=at.file, line=at.line, column=at.column)
    names = Sequence(tuple(text_node(name, at) for name in required), at.file, at.line, at.column)
    words: dict[str, Node] = {"type": text_node("object", at), "properties": as_node(members, _bare(like))}
    if names.items:
        words["required"] = names
    if is_closed:
        words["additionalProperties"] = Scalar(False, "false", True, at.file, at.line, at.column, 0)
    return as_node(words, _bare(like))


def _bare(like: Mapping) -> Mapping:
    """The place of a mapping, without its keys."""
    return like._replace(entries=())


def entries_of(words: Words, name: str) -> AbstractSequence[Entry]:
    """Return the entries of a keyword whose value is a mapping; none for other values."""
    node = words.get(name)
    return node.entries if isinstance(node, Mapping) else ()


def items_of(words: Words, name: str) -> AbstractSequence[Node]:
    """Return the items of a keyword whose value is a list; none for other values."""
    node = words.get(name)
    return node.items if isinstance(node, Sequence) else ()


def text(words: Words, name: str) -> str | None:
    """Return the value of a keyword that is a string; None for other values."""
    node = words.get(name)
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None


def texts(words: Words, name: str) -> tuple[str, ...]:
    """The texts of a list, in written order."""
    values = (item.value for item in items_of(words, name) if isinstance(item, Scalar))
    return tuple(value for value in values if isinstance(value, str))


def is_schema(node: Node) -> bool:
    """Return whether a node is a schema: keywords, `true` or `false`."""
    return isinstance(node, Mapping) or (isinstance(node, Scalar) and isinstance(node.value, bool))


def is_null(node: Node) -> bool:
    """Return whether a value is `null`."""
    return isinstance(node, Scalar) and node.value is None


def is_true(words: Words, name: str) -> bool:
    """Return whether a keyword has the value true."""
    node = words.get(name)
    return isinstance(node, Scalar) and node.value is True


def is_false(words: Words, name: str) -> bool:
    """Return whether a keyword has the value false."""
    node = words.get(name)
    return isinstance(node, Scalar) and node.value is False


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
    return _encoded(_plain(value)) if ".0" in text or "e+" in text else text  # integers as floating-point numbers


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
