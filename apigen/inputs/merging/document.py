"""A YAML file with the positions of its nodes, and the edits that are collected for it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum, StrEnum
from typing import Final

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from apigen.dataclass import dataclass, field
from apigen.language.node_text import WIDEST, text
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
    """Edits in the order in which they were added; those at one position stay in that order."""

    found: list[Edit] = field(default_factory=list)

    def add(self, start: int, end: int, text: str) -> None:
        """Add an edit."""
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
        self._shared = _find_shared(self.root)

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
        """Return the end of a block scalar without the empty lines and comments below it, which PyYAML includes."""
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


def place(node: Node) -> tuple[int, int]:
    """Return line and column of a node, counted from 1."""
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
    """Return the entries of a mapping by key."""
    return {key.value: (key, value) for key, value in node.value}


def _children(node: Node) -> list[Node]:
    if isinstance(node, MappingNode):
        return [value for _, value in node.value]
    return list(node.value) if isinstance(node, SequenceNode) else []


def _find_shared(root: Node | None) -> set[int]:
    """Return the nodes that occur in several places, with all nodes in them."""
    seen: set[int] = set()
    shared: set[int] = set()
    pending = [(root, False)] if root is not None else []
    while pending:
        node, is_inside = pending.pop()
        is_shared = is_inside or id(node) in seen
        if id(node) not in (shared if is_shared else seen):
            (shared if is_shared else seen).add(id(node))
            pending += [(child, is_shared) for child in _children(node)]
    return shared


class Removed:
    """Placeholder for an entry that must be removed if it exists."""

    def __repr__(self) -> str:
        return "REMOVE"


REMOVE: Final = Removed()
"""The entry must be removed."""

Value = None | bool | int | float | str | Removed | Sequence["Value"] | Mapping[str, "Value"]
Entries = dict[str, Value]


class Block(Entries):
    """A mapping that is written with one key per line, even if it is short."""


class Lines(list["Value"]):
    """A list that is written with one item per line."""


def without_removed(source: Mapping[str, Value]) -> Entries:
    """Return the entries without those to remove, for a new text."""
    kept = type(source)() if isinstance(source, dict) else {}
    for key, value in source.items():
        if not isinstance(value, Removed):
            kept[key] = without_removed(value) if isinstance(value, Mapping) else value
    return kept


Adapt = Callable[[Mapping[str, object], Value], Value]
"""Returns the wanted value of a key, given the existing entries next to it."""

Same = Callable[[object, Value], bool]
"""Return whether the existing value and the value of the source have the same meaning."""


class Owner(Enum):
    """The treatment of a key whose value differs from that of the source, if no import is recorded.

    After a recorded import, FOLLOW, CORRECT and KEEP are equal: values without an edit since then follow the source.
    """

    FOLLOW = "follow"
    """The value is replaced by that of the source, and a key that the source does not have is removed."""

    CORRECT = "correct"
    """As FOLLOW, but a key that the source does not have is kept."""

    KEEP = "keep"
    """The existing value is kept and noted; a missing key is added."""

    ONCE = "once"
    """Written with a new entry; neither changed nor added later."""

    QUIET = "quiet"
    """As KEEP, without a note."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The merge rules of one mapping.

    Attributes:
        owners: the keys that the importer may write, in the order in which new ones are written. Users own all others.
        children: keys whose values are mappings with a shape of their own.
        each: the shape of every value, of a mapping of names; the importer adds entries, and only
            users remove them.
        union: the values of two of these keys exclude each other (the forms of a type): the existing one is kept.
        plainest: entries that are replaced by another form of the union.
        same: for keys whose values can be written in several ways.
        adapted: for keys whose value depends on the other keys of the mapping.
        allows_extra: entries of a mapping of names that the source no longer has are not noted.
    """

    owners: Mapping[str, Owner] = field(default_factory=dict)
    children: Mapping[str, Shape] = field(default_factory=dict)
    each: Shape | None = None
    union: tuple[str, ...] = ()
    plainest: tuple[Mapping[str, object], ...] = ()
    same: Mapping[str, Same] = field(default_factory=dict)
    adapted: Mapping[str, Adapt] = field(default_factory=dict)
    allows_extra: bool = False


class NoteKind(StrEnum):
    """The kinds of notes about an entry or key."""

    ADDED = "added"
    FOLLOWED = "followed"
    KEPT = "kept"
    REMOVED = "removed"
    NOT_IN_SOURCE = "not in the source"


@dataclass(frozen=True, slots=True)
class Note:
    """A change or difference at a path of keys. `line` and `column` count from 1 in the old text; 0 for a new entry.

    `written` is the existing text, `source` the value of the source.
    """

    kind: NoteKind
    path: tuple[str, ...]
    line: int = 0
    column: int = 0
    written: str = ""
    source: str = ""


_INDENT = 2


def render(value: Mapping[str, Value]) -> str:
    """Return the text of a file."""
    return "".join(f"{line}\n" for key, entry in without_removed(value).items() for line in entry_lines(key, entry, 0))


def entry_lines(key: str, value: Value, indent: int) -> list[str]:
    """Return the lines of an entry of a mapping; a single line if it fits."""
    head = f"{' ' * indent}{scalar(key)}:"
    if not _is_block(value):
        line = f"{head} {flow(value)}"
        if len(line) <= WIDEST or _has_one_form(value):
            return [line]
        if isinstance(value, str) and key == "doc":
            return [f"{head} >-", *_folded(value, indent + _INDENT)]
    return [head, *block_lines(value, indent + _INDENT)]


def block_lines(value: Value, indent: int) -> list[str]:
    """Return the lines of a mapping or list, with one entry per line."""
    if isinstance(value, Mapping):
        return [line for key, entry in value.items() for line in entry_lines(key, entry, indent)]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [line for item in value for line in _item_lines(item, indent)]
    return [f"{' ' * indent}{flow(value)}"]


def flow(value: Value) -> str:
    """Return the text of a value within a line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(key)}: {flow(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    return scalar(value)


def scalar(value: object) -> str:
    """Return the text of a scalar that all YAML parsers read in the same way."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, Removed):
        raise TypeError("a removal has no text")
    return text(str(value))


def _is_block(value: Value) -> bool:
    """Return whether a value is always written with one key per line, because a nested mapping requires it."""
    if isinstance(value, Block | Lines):
        return bool(value)
    return isinstance(value, Mapping) and any(_is_block(entry) for entry in value.values())


def _has_one_form(value: Value) -> bool:
    if isinstance(value, str):
        return not value.isprintable() or value != " ".join(value.split()) or " " not in value
    return not isinstance(value, Mapping | Sequence) or not value


def _item_lines(item: Value, indent: int) -> list[str]:
    line = f"{' ' * indent}- {flow(item)}"
    if len(line) <= WIDEST or not isinstance(item, Mapping) or not item:
        return [line]
    first, *rest = block_lines(item, indent + 2)
    return [f"{' ' * indent}- {first.lstrip()}", *rest]


def _folded(value: str, indent: int) -> Iterator[str]:
    """Return text without line breaks as a folded block."""
    yield from (
        f"{' ' * indent}{line}"
        for line in textwrap.wrap(value, WIDEST - indent, break_long_words=False, break_on_hyphens=False)
    )
