"""The keywords of a schema: a mapping's entries by key, and accessors for all readers."""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping
from collections.abc import Sequence as AbstractSequence

from apigen.language.nodes import Entry, Mapping, Node, Scalar, Sequence

Words = AbstractMapping[str, Node]
"""The contents of a schema, by keyword."""


def words_of(node: Mapping) -> dict[str, Node]:
    """The entries of a mapping by key."""
    return {entry.key.text: entry.value for entry in node.entries}


def as_node(words: Words, like: Mapping) -> Mapping:
    """Words as a mapping again, at the place of another."""
    keys = {entry.key.text: entry.key for entry in like.entries}
    entries = (Entry(keys.get(name) or _key(name, value), value) for name, value in words.items())
    return Mapping(tuple(entries), frozenset(), False, like.file, like.line, like.column)


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


def is_true(words: Words, name: str) -> bool:
    """Whether a keyword says true."""
    node = words.get(name)
    return isinstance(node, Scalar) and node.value is True


def is_false(words: Words, name: str) -> bool:
    """Whether a keyword says false."""
    node = words.get(name)
    return isinstance(node, Scalar) and node.value is False


def _key(name: str, value: Node) -> Scalar:
    return Scalar(name, name, True, value.file, value.line, value.column, 0)
