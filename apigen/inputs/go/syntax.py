"""Parses Go text to a syntax tree with locations. The only module that uses the parser library."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MAX_DEPTH = 100
"""Levels of nesting of a type or an expression that are followed; hand-written Go has some ten."""

LONGEST_PARSE = 10.0
"""Seconds. Half a megabyte of Go takes hundredths of a second; slower files are rejected."""

_CHUNK = 64 * 1024
_ENDLESS = 2_000


class TooDeepError(Exception):
    """A type or an expression is nested deeper than `MAX_DEPTH`."""

    def __init__(self, node: Node) -> None:
        super().__init__("nested too deeply")
        self.node = node


@dataclass(frozen=True, slots=True)
class GoFile:
    """A Go file that was parsed. `display_path` is its path as shown to people, `name` its last element."""

    name: str
    display_path: str
    data: bytes
    lines: tuple[bytes, ...]
    root: Node
    wide_rows: frozenset[int]
    """Lines with characters of several bytes. Very long lines are omitted, because their columns are not needed."""

    def text(self, node: Node) -> str:
        """The text of a node as written."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8")

    def line(self, place: Place) -> str | None:
        """The text of the line of a place, for its caret; None if the place is not in this file."""
        if place.file != self.display_path or not 0 < place.line <= len(self.lines):
            return None
        return self.lines[place.line - 1].decode("utf-8", "replace").rstrip("\r")

    def place(self, node: Node) -> Place:
        """Return the location of a node's start."""
        return self.place_at(*node.start_point)

    def place_at(self, row: int, column: int) -> Place:
        """The place of a byte: row and column count from 0, as the parser counts."""
        if row in self.wide_rows:
            column = len(self.lines[row][:column].decode("utf-8", "replace"))
        return Place(self.display_path, row + 1, column + 1)


def load_parser(report: Report) -> Parser | None:
    """Return a parser of Go; None, with an error, if the libraries of the extra `import` are not installed."""
    try:
        import tree_sitter
        import tree_sitter_go
    except ImportError:
        hint = "install it with its extra: pip install 'apigen[import]'"
        report.error("AG1216", Place(""), "the libraries that parse Go are not installed", hint=hint)
        return None
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_go.language()))


def parse(parser: Parser, data: bytes, display_path: str) -> GoFile | None:
    """Return the syntax tree of UTF-8 text, with error nodes for invalid Go; None if parsing would take too long."""
    deadline = time.monotonic() + LONGEST_PARSE
    try:
        tree = parser.parse(
            lambda offset, _: data[offset : offset + _CHUNK],
            progress_callback=lambda _offset, _error: time.monotonic() > deadline,
        )
    except ValueError:  # raised by the library if it was stopped
        parser.reset()
        return None
    lines = tuple(data.split(b"\n"))
    is_wide = (
        [] if data.isascii() else [r for r, line in enumerate(lines) if len(line) <= _ENDLESS and not line.isascii()]
    )
    return GoFile(display_path.rpartition("/")[2], display_path, data, lines, tree.root_node, frozenset(is_wide))


def errors(root: Node) -> Iterator[Node]:
    """Return the outermost error nodes, in order."""
    todo = [root]
    while todo:
        node = todo.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            todo.extend(reversed(node.children))


def specs_of(declaration: Node) -> list[Node]:
    """Return the specs of a declaration of imports, constants or variables: those in it, and those in its list."""
    lists = (child for child in declaration.named_children if child.type.endswith("_spec_list"))
    return [spec for node in (declaration, *lists) for spec in node.named_children if spec.type.endswith("_spec")]


def children_of(node: Node, *types: str) -> list[Node]:
    """Return the children of these types."""
    return [child for child in node.named_children if child.type in types]
