"""A YAML file with the positions of everything in it, and the edits that are collected for it."""

from __future__ import annotations

from collections.abc import Iterator

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from apigen.dataclass import dataclass, field
from apigen.language.scalars import NumberTooLongError, resolve

_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class UnmergeableError(Exception):
    """A place that cannot be edited by position; `line` and `column` count from 1."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.line, self.column = line, column


@dataclass(frozen=True, slots=True)
class Edit:
    """A part of the text that is replaced; a part of no length is an insertion."""

    start: int
    end: int
    text: str


@dataclass(slots=True)
class Edits:
    """Edits in the order in which they were asked for; those at one position stay in that order."""

    found: list[Edit] = field(default_factory=list)

    def add(self, start: int, end: int, text: str) -> None:
        """Ask for an edit."""
        self.found.append(Edit(start, end, text))

    def apply(self, text: str, offset: int = 0) -> str:
        """Return the text after all edits; `offset` is its position in the text to which the positions of edits refer."""
        parts: list[str] = []
        at = 0
        for edit in sorted(self.found, key=lambda one: (one.start, one.end)):
            parts += (text[at : edit.start - offset], edit.text)
            at = max(at, edit.end - offset)
        return "".join((*parts, text[at:]))


class Document:
    """The nodes of a text. Raises UnmergeableError if an anchor is defined twice, which YAML allows."""

    def __init__(self, text: str) -> None:
        self.text = text
        try:
            self.root: Node | None = yaml.compose(text, Loader=_LOADER)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            where = (0, 0) if mark is None else (mark.line + 1, mark.column + 1)
            raise UnmergeableError(
                f"it cannot be edited by position: {error.context or error.problem}", *where
            ) from error
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self._shared = self._find_shared()

    def require_own(self, node: Node) -> None:
        """Raise UnmergeableError for a node in a value that has an alias: an edit would change it in all places."""
        if id(node) in self._shared:
            raise UnmergeableError("this value is an alias", *place(node))

    def end(self, node: Node) -> int:
        """Return the end of a node's text, without the empty lines and comments that follow."""
        if isinstance(node, MappingNode) and not node.flow_style and node.value:
            return self.end(node.value[-1][1])
        if isinstance(node, SequenceNode) and not node.flow_style and node.value:
            return self.end(node.value[-1])
        end = int(node.end_mark.index)
        if isinstance(node, ScalarNode) and node.style in ("|", ">"):
            return self._block_scalar_end(node, end)
        return end

    def end_of_line(self, offset: int) -> int:
        """Return the end of the line at a position, before its line break."""
        found = self.text.find("\n", offset)
        if found < 0:
            return len(self.text)
        return found - 1 if found and self.text[found - 1] == "\r" else found

    def start_of_line(self, offset: int) -> int:
        """Return the start of the line at a position."""
        return self.text.rfind("\n", 0, offset) + 1

    def after_line(self, offset: int) -> int:
        """Return the start of the next line."""
        found = self.text.find("\n", offset)
        return len(self.text) if found < 0 else found + 1

    def after_inner_comments(self, offset: int, indent: int) -> int:
        """Return the end of the line of a position, and of the following comment lines that are indented by more than
        `indent`.
        """
        end = self.end_of_line(offset)
        while True:
            start = self.after_line(end)
            line = self.text[start : self.end_of_line(start)]
            if start >= len(self.text) or not line.lstrip().startswith("#") or len(line) - len(line.lstrip()) <= indent:
                return end
            end = self.end_of_line(start)

    def _block_scalar_end(self, node: ScalarNode, end: int) -> int:
        """PyYAML counts the empty lines and comments below a block scalar to it."""
        first = self.start_of_line(int(node.start_mark.index))
        line = self.text[first : self.end_of_line(first)]
        indent = len(line) - len(line.lstrip(" "))
        while end > int(node.start_mark.index):
            begin = self.start_of_line(end - 1)
            last = self.text[begin:end]
            if last.strip() and len(last) - len(last.lstrip(" ")) > indent:
                return begin + len(last.rstrip())
            end = begin
        return end

    def _find_shared(self) -> set[int]:
        seen: set[int] = set()
        shared: set[int] = set()
        pending = [self.root] if self.root is not None else []
        while pending:
            node = pending.pop()
            if id(node) in seen:
                shared.add(id(node))
                continue
            seen.add(id(node))
            pending += _children(node)
        for node in _all_below(shared, self.root):
            shared.add(id(node))
        return shared


def place(node: Node) -> tuple[int, int]:
    """Line and column of a node, counted from 1."""
    return int(node.start_mark.line) + 1, int(node.start_mark.column) + 1


def plain(node: Node) -> object:
    """Return a node as plain values: mappings, lists, and scalars by the rules of YAML 1.2."""
    if isinstance(node, MappingNode):
        return {key.value: plain(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [plain(item) for item in node.value]
    if not isinstance(node, ScalarNode) or node.style:
        return node.value
    try:
        return resolve(node.value)
    except NumberTooLongError:
        return node.value


def entries(node: MappingNode) -> dict[str, tuple[ScalarNode, Node]]:
    """The entries of a mapping by key."""
    return {key.value: (key, value) for key, value in node.value}


def _children(node: Node) -> list[Node]:
    if isinstance(node, MappingNode):
        return [value for _, value in node.value]
    return list(node.value) if isinstance(node, SequenceNode) else []


def _all_below(shared: set[int], root: Node | None) -> Iterator[Node]:
    pending = [(root, False)] if root is not None else []
    seen: set[int] = set()
    while pending:
        node, inside = pending.pop()
        inside = inside or id(node) in shared
        if id(node) in seen:
            continue
        seen.add(id(node))
        if inside:
            yield node
        pending += [(child, inside) for child in _children(node)]
