"""Comments of a Go file: group their lines, and separate markers from sentences."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place
from apigen.inputs.go.model import Marker
from apigen.inputs.go.syntax import GoFile

if TYPE_CHECKING:
    from tree_sitter import Node

DEPRECATED = "+k8s:deprecated="
"""The marker of a removed field: `+k8s:deprecated=name,protobuf=4`."""

LONGEST_MARKER = 2_000
"""Maximum length of a marker that is searched for a trailing remark."""

_BESIDE = 200
"""Bytes before and behind a comment in which code is looked for."""

_MARKER = re.compile(r"\+[A-Za-z]")
_ENTERED = {
    *("source_file", "type_declaration", "type_spec", "type_alias", "struct_type", "field_declaration_list"),
    *("const_declaration", "import_declaration", "var_declaration", "ERROR"),
}
_MARKER_TEXT = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|`[^`]*`|(?!\s+//).)*""")
_DIRECTIVE = re.compile(r"//(?:line |[a-z0-9]+:[a-z0-9])")


@dataclass(frozen=True, slots=True)
class CommentLine:
    """A line of a comment, without the comment characters; `place` is that of its first word."""

    text: str
    place: Place

    @property
    def is_marker(self) -> bool:
        """Return whether the line begins with `+` and a name."""
        return _MARKER.match(self.text.lstrip()) is not None

    @property
    def marker(self) -> Marker:
        """Return the line as a marker, without a trailing remark."""
        text = self.text.strip()
        return Marker(text if " //" not in text else _without_remark(text), self.place)


@dataclass(frozen=True, slots=True)
class CommentGroup:
    """Comments without an empty line or code between, as Go's own parser groups them; rows count from 0."""

    first: int
    last: int
    lines: tuple[CommentLine, ...]
    is_trailing: bool = False
    """Behind code, in its line."""

    @property
    def markers(self) -> tuple[Marker, ...]:
        """Return the markers in order, except those of removed fields."""
        return tuple(m for line in self.lines if line.is_marker and not (m := line.marker).text.startswith(DEPRECATED))


@dataclass(frozen=True)
class Comments:
    """The comments of a file."""

    groups: tuple[CommentGroup, ...]
    file: GoFile = field(repr=False)

    def above(self, row: int) -> CommentGroup | None:
        """Return the comment that ends on the line above a row, which documents the declaration there; None without
        one.
        """
        return self._by_last_row.get(row - 1)

    def second_above(self, row: int) -> CommentGroup | None:
        """Return the comment above that one, separated by one blank line; None without one.

        Kubernetes' generators read the markers of a type in both. If there is no comment directly above, this is the
        comment that ends two lines above.
        """
        closest = self.above(row)
        blank = (row if closest is None else closest.first) - 1
        if blank < 0 or self.file.lines[blank].strip():
            return None
        return self._by_last_row.get(blank - 1)

    def within(self, first: int, last: int) -> list[CommentGroup]:
        """Return the comments between two rows, inclusive."""
        start = bisect_left(self.groups, first, key=lambda group: group.first)
        end = bisect_right(self.groups, last, lo=start, key=lambda group: group.first)
        return [group for group in self.groups[start:end] if group.last <= last]

    @cached_property
    def _by_last_row(self) -> dict[int, CommentGroup]:
        return {group.last: group for group in self.groups if not group.is_trailing}


def read_comments(file: GoFile) -> Comments:
    """Return the comments of a file, except those in function bodies."""
    return Comments(tuple(_groups(file, _comment_nodes(file.root))), file)


def doc_of(lines: Iterable[CommentLine]) -> str | None:
    """Return the sentences of a comment: its lines without markers; None if there are no others."""
    text = "\n".join(line.text.rstrip() for line in lines if not line.is_marker)
    return text.strip("\n") or None


def _without_remark(text: str) -> str:
    """Return the text up to ` //` outside of quotes."""
    found = _MARKER_TEXT.match(text) if len(text) <= LONGEST_MARKER else None
    return text if found is None else found[0].rstrip()


def _comment_nodes(root: Node) -> Iterator[Node]:
    """The comments between declarations and between fields, in order of place."""
    todo = [root]
    while todo:
        node = todo.pop()
        if node.type == "comment":
            yield node
        elif node.type in _ENTERED:
            todo.extend(reversed(node.children))


def _groups(file: GoFile, nodes: Iterable[Node]) -> Iterator[CommentGroup]:
    group: CommentGroup | None = None
    for node in nodes:
        (first, column), last = node.start_point, node.end_point[0]
        before = file.lines[first][max(0, column - _BESIDE) : column].strip()
        lines = tuple(_lines(file, node))
        if before and (group is None or group.last != first or not before.endswith(b"*/")):
            if group is not None:
                yield group
            yield CommentGroup(first, last, lines, is_trailing=True)
            group = None
        elif group is not None and first <= group.last + 1:
            group = CommentGroup(group.first, last, group.lines + lines)
        else:
            if group is not None:
                yield group
            group = CommentGroup(first, last, lines)
        if group is not None and _is_before_code(file, node):
            yield group
            group = None
    if group is not None:
        yield group


def _is_before_code(file: GoFile, node: Node) -> bool:
    """Return whether code follows in the last line of a comment."""
    row, column = node.end_point
    rest = file.lines[row][column : column + _BESIDE].strip()
    return bool(rest) and not rest.startswith((b"//", b"/*"))


def _lines(file: GoFile, node: Node) -> Iterator[CommentLine]:
    text = file.text(node)
    row, column = node.start_point
    if _DIRECTIVE.match(text):
        return
    is_block = text.startswith("/*")
    for number, line in enumerate((text[2:].removesuffix("*/") if is_block else text[2:]).split("\n")):
        start = column + 2 if number == 0 else 0
        indent = len(line) - len(line.lstrip())
        place = file.place_at(row + number, start + len(line[:indent].encode()))
        yield CommentLine(line.removeprefix(" ") if number == 0 else line, place)
