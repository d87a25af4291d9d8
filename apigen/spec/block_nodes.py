"""Builds located nodes from YAML in the form that generators write, without a parser of all of YAML.

That is: mappings and lists in lines, plain and quoted text, text behind `|`, flow that ends in its line, comments; no anchors, no tags.
It reads a third as long as PyYAML's events take, and PyYAML need not be imported. Whatever it does not know for certain, a mistake
above all, it leaves to `event_nodes`, so that there is one place that tells mistakes. What it does know comes out the same.
"""

from __future__ import annotations

import re

from apigen.spec.block_text import OddError, check_plain, double_quoted, folded, literal, single_quoted
from apigen.spec.flow_nodes import QUOTED_KEY, FlowLine
from apigen.spec.nodes import MAX_DEPTH, Entry, Mapping, Node, Scalar, Sequence
from apigen.spec.scalars import NUMBER_START, WORDS, NumberTooLongError, resolve
from apigen.spec.source import SourceFile

_BEHIND = r":(?: +(?=\S)|$)"
_ENTRY = re.compile(rf"([A-Za-z_$][A-Za-z0-9_$./\[\]-]{{0,999}}){_BEHIND}")
_QUOTED_ENTRY = re.compile(f"({QUOTED_KEY}){_BEHIND}")
_BEGINS = re.compile(r" *(?=[^ #])")
_NOT_PLAIN = frozenset("?:,[]{}#&*!|>'\"%@`")
_LITERALS = ("|", "|-", "|+")
_LARGE = 50
"""Lines of a block that is looked for again."""

_new = tuple.__new__
"""Makes a named tuple of what is known to be right, without a call in between."""


def block_documents(file: SourceFile) -> list[Node] | None:
    """The roots of all documents of a file, as `event_documents` gives them; None where there is more to it, or a mistake."""
    try:
        return _Reader(file).documents()
    except (OddError, NumberTooLongError):
        return None


class _Reader:
    """Reads lines, of which `at` is the next one."""

    def __init__(self, file: SourceFile) -> None:
        if "\r" in file.text or not file.text.endswith("\n"):
            raise OddError
        self.lines = file.text[:-1].split("\n")
        self.name = file.name
        self.at = 0
        self.depth = 0
        self.large: dict[str, tuple[Mapping, int, int, int]] = {}

    def documents(self) -> list[Node]:
        """All documents, each of them a mapping."""
        found: list[Node] = []
        count = len(self.lines)
        is_open = False
        while self._next_column() >= 0:
            if self.lines[self.at] == "---":
                if is_open:
                    raise OddError
                is_open = True
                self.at += 1
                continue
            if found and not is_open:
                raise OddError
            found.append(self._mapping(0))
            is_open = False
        if is_open or self.at < count or not found:
            raise OddError
        return found

    def _next_column(self) -> int:
        """Go to the next line that says anything; returns the column at which it begins, or -1 where there is none."""
        lines, at, count, begins = self.lines, self.at, len(self.lines), _BEGINS.match
        while at < count:
            found = begins(lines[at])
            if found is not None:
                self.at = at
                return found.end()
            at += 1
        self.at = at
        return -1

    def _mapping(self, column: int) -> Mapping:
        """The mapping whose first key stands in this line, at this column."""
        self._enter()
        lines, name, match = self.lines, self.name, _ENTRY.match
        first = self.at + 1
        entries: dict[str, Entry] = {}
        while True:
            at = self.at
            found = match(lines[at], column)
            if found is not None:
                key = found[1]
                node = _new(Scalar, (key, key, True, name, at + 1, column + 1, column + 1))
            else:
                found = _QUOTED_ENTRY.match(lines[at], column)
                if found is None:
                    raise OddError
                key = found[1][1:-1]
                node = _new(Scalar, (key, key, False, name, at + 1, column + 1, column + 2))
            if key in entries or (node.plain and key in WORDS):
                raise OddError
            entries[key] = _new(Entry, (node, self._value(lines[at], found.end(), column)))
            next_column = self._next_column()
            if next_column < column or (not column and lines[self.at] == "---"):
                self.depth -= 1
                return _new(Mapping, (tuple(entries.values()), frozenset(), False, name, first, column + 1))
            if next_column > column:
                raise OddError

    def _sequence(self, column: int, *, is_indented: bool) -> Sequence:
        """The list whose first dash stands in this line; one that is not indented ends with the next key beside it."""
        self._enter()
        lines, first = self.lines, self.at + 1
        items: list[Node] = []
        while True:
            line = lines[self.at]
            start = column + 1
            while line[start : start + 1] == " ":
                start += 1
            if start == column + 1 or start == len(line):
                raise OddError
            if _ENTRY.match(line, start) or _QUOTED_ENTRY.match(line, start):
                items.append(self._mapping(start))
            else:
                items.append(self._scalar(line, start, column))
            next_column = self._next_column()
            is_item = next_column == column and lines[self.at].startswith("-", column) and lines[self.at] != "---"
            if not is_item:
                if next_column > column or (next_column == column and is_indented):
                    raise OddError
                self.depth -= 1
                return Sequence(items, self.name, first, column + 1)

    def _value(self, line: str, start: int, column: int) -> Node:
        """The value of a key at a column, which begins in the line of the key or below it; `at` is then behind it."""
        if start < len(line) and line[start] != "#":
            return self._scalar(line, start, column)
        at = self.at
        self.at += 1
        inner = self._next_column()
        if inner >= column:
            below = self.lines[self.at]
            if below.startswith("-", inner) and below != "---":
                return self._sequence(inner, is_indented=inner > column)
            if inner > column:
                return self._below(line, inner, column)
        end = len(line[:start].rstrip(" ")) + 1
        return Scalar(None, "", True, self.name, at + 1, end, end)

    def _below(self, key: str, inner: int, column: int) -> Mapping:
        """The mapping below the line of a key.

        A large one often stands below the same line again, as the schemas of a definition's versions do: it is read once.
        """
        again = self._again(key, column) if key in self.large else None
        if again is not None:
            return again
        start = self.at
        found = self._mapping(inner)
        if self.at - start >= _LARGE:
            self.large[key] = found, start, self.at, self.depth
        return found

    def _again(self, key: str, column: int) -> Mapping | None:
        """The mapping that was read below the same line, where the next lines are its lines, and it ends with them."""
        known, start, end, depth = self.large[key]
        at = self.at
        behind = at + end - start
        if depth != self.depth or self.lines[at:behind] != self.lines[start:end]:
            return None
        self.at = behind
        if self._next_column() > column or self.at != behind:  # more belongs to it, or to the text at its end
            self.at = at
            return None
        from apigen.spec.moved_nodes import moved  # most files say nothing twice

        return moved(known, at - start)

    def _scalar(self, line: str, start: int, column: int) -> Node:
        """What begins in this line, behind a key or dash at a column."""
        at, text = self.at, line[start:]
        mark = text[0]
        if mark not in _NOT_PLAIN:
            return self._plain(text, at, start, column)
        if mark == "'" or mark == '"':
            read = single_quoted if mark == "'" else double_quoted
            said, self.at = read(text, self.lines, at, column)
            inner = start + 2 if self.at == at + 1 and len(text) == len(said) + 2 else 0
            return _new(Scalar, (said, said, False, self.name, at + 1, start + 1, inner))
        if text in _LITERALS:
            said, self.at = literal(self.lines, at + 1, column, text)
            return _new(Scalar, (said, said, False, self.name, at + 1, start + 1, 0))
        if mark not in "{[":
            raise OddError
        flow = FlowLine(line, self.name, at + 1)
        node, end = flow.collection(start, self.depth + 1)
        if not flow.ends_at(end):
            raise OddError
        self.at += 1
        self._ends(column)
        return node

    def _plain(self, text: str, at: int, start: int, column: int) -> Scalar:
        said, comment, _ = text.partition(" #")
        if comment:
            said, inner = said.rstrip(" "), start + 1
            check_plain(said)
            self.at += 1
            self._ends(column)
        else:
            said, self.at = folded(text, self.lines, at, column)
            inner = start + 1 if self.at == at + 1 else 0
        value = resolve(said) if said in WORDS or said[0] in NUMBER_START else said
        return _new(Scalar, (value, said, True, self.name, at + 1, start + 1, inner))

    def _ends(self, column: int) -> None:
        """See to it that nothing goes on in the lines below."""
        if self._next_column() > column:
            raise OddError

    def _enter(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise OddError
