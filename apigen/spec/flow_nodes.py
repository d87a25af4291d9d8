"""Builds located nodes from YAML in flow form (`{type: string, protobuf: 1}`) that begins and ends in one line.

Values are plain or quoted text, numbers, and flow again. As in `block_nodes`, whatever is out of the ordinary is an `OddError`.
The rules are those of YAML 1.2, section 7.4; plain text with a character that has a meaning anywhere in YAML is left alone.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from apigen.spec.block_text import DOUBLE_QUOTED, OddError, double_quoted, single_quoted
from apigen.spec.nodes import MAX_DEPTH, Entry, Mapping, Node, Scalar, Sequence
from apigen.spec.scalars import NUMBER_START, WORDS, resolve

_WORD = r"[^\s,:?#\[\]{}]+"
_PLAIN = rf"(?:[A-Za-z0-9_./$^(+~=]|-[0-9]|<(?!<)){_WORD.replace('+', '*')}(?: +{_WORD})*"
QUOTED_KEY = r"""(?:"[^"\\\t]{0,999}"|'[^'\t]{0,999}')"""
"""A key in quotes, without anything that means something else there. Keys of more than 1,024 characters are no keys."""

_ENTRY = re.compile(rf"([A-Za-z_$][A-Za-z0-9_$./-]{{0,999}}|{QUOTED_KEY}): +(?:({_PLAIN}) *([,}}]) *)?")
_ITEM = re.compile(rf"({_PLAIN}) *([,\]]) *")
_END = re.compile(r" *([,\]}]) *")
_QUOTED = re.compile(rf"{DOUBLE_QUOTED}|'(?:[^']|'')*'")

_new = tuple.__new__
"""Makes a named tuple of what is known to be right, without a call in between."""


class FlowLine(NamedTuple):
    """A line of a file, and its number."""

    text: str
    file: str
    number: int

    def collection(self, start: int, depth: int) -> tuple[Mapping | Sequence, int]:
        """The mapping or list that begins at an offset, within others `depth` levels deep, and where it ends. Raises OddError."""
        if depth > MAX_DEPTH:
            raise OddError
        return self._mapping(start, depth) if self.text[start] == "{" else self._sequence(start, depth)

    def ends_at(self, offset: int) -> bool:
        """Whether nothing but a comment stands there."""
        behind = self.text[offset:].lstrip(" ")
        return not behind or (behind[0] == "#" and self.text[-len(behind) - 1] == " ")

    def _mapping(self, start: int, depth: int) -> tuple[Mapping, int]:
        text, file, number = self.text, self.file, self.number
        at, mark = self._first(start, "}")
        entries: dict[str, Entry] = {}
        while mark == ",":
            found = _ENTRY.match(text, at)
            if found is None:
                raise OddError
            key, plain, mark = found.groups()
            quotes = 1 if key[0] in "\"'" else 0
            if quotes:
                key = key[1:-1]
            if key in entries or (key in WORDS and not quotes):
                raise OddError
            node = _new(Scalar, (key, key, not quotes, file, number, at + 1, at + 1 + quotes))
            at = found.end()
            if plain is None:
                value, at, mark = self._other(at, depth)
            else:
                column = found.start(2) + 1
                said = resolve(plain) if plain in WORDS or plain[0] in NUMBER_START else plain
                value = _new(Scalar, (said, plain, True, file, number, column, column))
            entries[key] = _new(Entry, (node, value))
        if mark != "}":
            raise OddError
        return _new(Mapping, (tuple(entries.values()), frozenset(), False, file, number, start + 1)), at

    def _sequence(self, start: int, depth: int) -> tuple[Sequence, int]:
        at, mark = self._first(start, "]")
        items: list[Node] = []
        while mark == ",":
            found = _ITEM.match(self.text, at)
            if found is None:
                value, at, mark = self._other(at, depth)
            else:
                said = found[1]
                value = _new(Scalar, (resolve(said), said, True, self.file, self.number, at + 1, at + 1))
                at, mark = found.end(), found[2]
            items.append(value)
        if mark != "]":
            raise OddError
        return Sequence(items, self.file, self.number, start + 1), at

    def _first(self, start: int, end: str) -> tuple[int, str]:
        """Where the first element begins, and a comma as if one stood before it; where there is none, the end."""
        at = start + 1
        while self.text[at : at + 1] == " ":
            at += 1
        return (at + 1, end) if self.text[at : at + 1] == end else (at, ",")

    def _other(self, start: int, depth: int) -> tuple[Node, int, str]:
        """What is no plain text, what stands behind it, and where that begins."""
        value: Node
        if self.text[start : start + 1] in ("{", "["):
            value, at = self.collection(start, depth + 1)
        else:
            value, at = self._quoted(start)
        found = _END.match(self.text, at)
        if found is None:
            raise OddError
        return value, found.end(), found[1]

    def _quoted(self, start: int) -> tuple[Scalar, int]:
        found = _QUOTED.match(self.text, start)
        if found is None:
            raise OddError
        whole = found[0]
        said, _ = (double_quoted if whole[0] == '"' else single_quoted)(whole, [], 0, 0)
        inner = start + 2 if len(whole) == len(said) + 2 else 0
        return _new(Scalar, (said, said, False, self.file, self.number, start + 1, inner)), found.end()
