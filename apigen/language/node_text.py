"""Write located nodes as YAML text: an entry whose value is a mapping is written on one line if it fits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apigen.language.nodes import Mapping, Node, Scalar, Sequence
from apigen.language.scalars import NumberTooLongError, resolve

WIDEST = 120
"""Maximum length of a line."""

_PLAIN = re.compile(r"[A-Za-z_$./][A-Za-z0-9_$./:-]*")
_WORDS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
"""Words that readers of YAML 1.1 do not parse as strings."""


def entry_lines(key: Scalar, value: Node, indent: int) -> list[str]:
    """Return the lines of an entry of a mapping: one, if it fits."""
    head = f"{' ' * indent}{scalar_text(key)}:"
    if isinstance(value, Scalar):
        return list(_scalar_lines(head, value, indent))
    line = f"{head} {flow(value)}"
    if len(line) <= WIDEST or not _inner(value):
        return [line]
    if isinstance(value, Mapping):
        return [head, *block_lines(value, indent + 2)]
    return [head, *(f"{' ' * (indent + 2)}- {flow(item)}" for item in value.items)]


def block_lines(node: Mapping, indent: int) -> list[str]:
    """The lines of a mapping, an entry or more each."""
    return [line for key, value in node.entries for line in entry_lines(key, value, indent)]


def flow(node: Node) -> str:
    """A node within a line."""
    match node:
        case Mapping():
            return "{" + ", ".join(f"{scalar_text(key)}: {flow(value)}" for key, value in node.entries) + "}"
        case Sequence():
            return "[" + ", ".join(map(flow, node.items)) + "]"
    return scalar_text(node)


def scalar_text(scalar: Scalar) -> str:
    """A scalar that every reader of YAML reads as the same; a number as it was written."""
    return text(scalar.value) if isinstance(scalar.value, str) else scalar.text or "null"


def text(value: str) -> str:
    """Return a string, in quotes if it would be read as another value."""
    plain = _PLAIN.fullmatch(value) and not value.endswith(":")
    if plain and value.lower() not in _WORDS and _resolves_to_text(value):
        return value
    return '"' + "".join(map(_escaped, value)) + '"'


def _inner(node: Node) -> bool:
    return bool(node.entries if isinstance(node, Mapping) else isinstance(node, Sequence) and node.items)


def _scalar_lines(head: str, scalar: Scalar, indent: int) -> Iterator[str]:
    """A scalar, as a literal block if it is several lines of plain characters."""
    lines = scalar.value.split("\n") if isinstance(scalar.value, str) else []
    if len(lines) < 3 or not all(line.isprintable() for line in lines) or not lines[0].strip() or lines[-1]:
        yield f"{head} {scalar_text(scalar)}"
        return
    if not lines[-2]:
        yield f"{head} {scalar_text(scalar)}"
        return
    lead = "2" if lines[0].startswith(" ") else ""
    yield f"{head} |{lead}"
    yield from (f"{' ' * (indent + 2)}{line}" if line else "" for line in lines[:-1])


def _resolves_to_text(value: str) -> bool:
    try:
        return isinstance(resolve(value), str)
    except NumberTooLongError:
        return False


def _escaped(character: str) -> str:
    if character in '\\"':
        return f"\\{character}"
    if character.isprintable():
        return character
    number = ord(character)
    if character in "\n\t\r":
        return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}[character]
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
