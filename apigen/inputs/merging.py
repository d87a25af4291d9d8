"""Write entries into YAML files that people edit: only the keys that an importer owns change, all other bytes stay.

This module does not depend on a source: importers pass their entries as plain values, and the owner of each key as a
`Shape`. They are merged by edits at missing and different entries. At the end of a run, `write_together` writes several
files: all of them, or none if one cannot be written.
"""

from __future__ import annotations

import glob
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from enum import Enum, StrEnum
from pathlib import Path
from typing import Final

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from apigen.dataclass import dataclass, field, replace
from apigen.files.whole_file import STAGED, check_target, flush, stage
from apigen.language.node_text import WIDEST, text
from apigen.language.scalars import NumberTooLongError, resolve

_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class UnmergeableError(Exception):
    """A place that cannot be edited by position; `line` and `column` count from 1."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.line, self.column = line, column


@dataclass(slots=True)
class Edits:
    """Parts of a text that are replaced: start, end and new text; a part of no length is an insertion.

    They are in the order in which they were added; those at one position stay in that order.
    """

    found: list[tuple[int, int, str]] = field(default_factory=list)

    def add(self, start: int, end: int, text: str) -> None:
        """Add an edit."""
        self.found.append((start, end, text))

    def apply(self, text: str, offset: int = 0) -> str:
        """Return the text after all edits; `offset` is its position in the text to which the positions of edits refer."""
        parts: list[str] = []
        at = 0
        for start, end, new in sorted(self.found, key=lambda edit: edit[:2]):
            parts += (text[at : start - offset], new)
            at = max(at, end - offset)
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

    After a recorded import, FOLLOW, CORRECT and KEEP are equal: values without an edit since then follow the source, also
    with QUIET.
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


_Base = Mapping[str, Value] | None
"""A mapping at the last import; None if no import is recorded."""


def merge_text(text: str, source: Entries, shape: Shape, base: str = "") -> tuple[str, tuple[Note, ...]]:
    """Merge the entries of a source into a text. Return the new text, and a note for each change and each difference.

    With a base, the merge is three-way: a value that equals the base follows the source, and a value that differs from
    the base is an edit and is kept. Entries without a base are merged by the rules of their owners.

    Args:
        text: the file as it is, without a byte order mark; it can be read by the project's own loader.
        source: the entries of the source.
        shape: the owners of the keys.
        base: the entries of the source at the last import, as `render` wrote them; empty if no import is recorded.

    Raises:
        UnmergeableError: the change would affect an alias, or a mapping is expected and the file has another value.
    """
    document = Document(text)
    if document.root is None or (isinstance(document.root, ScalarNode) and not document.root.value):
        return _below_comments(document, without_removed(source)), ()
    merger = _Merger(document, Edits(), [])
    root = Document(base).root
    merger.mapping(document.root, source, shape, (), None if root is None else _known(plain(root)))
    return merger.edits.apply(text), tuple(merger.notes)


def _below_comments(document: Document, source: Entries) -> str:
    text = document.text
    gap = document.newline if text and not text.endswith("\n") else ""
    return text + gap + render(source).replace("\n", document.newline)


def _known(value: object) -> _Base:
    return value if isinstance(value, Mapping) else None


def _below(base: _Base, key: str, shape: Shape) -> _Base:
    """Return the base of an entry; None if the base of its map does not contain it."""
    if base is None or (shape.each is not None and key not in base):
        return None
    return _known(base.get(key, {}))


def _adapted(node: MappingNode, source: Mapping[str, Value], shape: Shape) -> Entries:
    """Return the values of keys that depend on the existing keys."""
    found: Entries = {}
    for key, adapt in shape.adapted.items():
        written = plain(node) if key in source else None
        if isinstance(written, Mapping):
            found[key] = adapt(written, source[key])
    return found


@dataclass(frozen=True, slots=True)
class _Merger:
    """The state of one merge. `edits` are those of the file, or of one flow mapping that may be rewritten as a block."""

    document: Document
    edits: Edits
    notes: list[Note]

    def mapping(
        self, node: Node, source: Mapping[str, Value], shape: Shape, path: tuple[str, ...], base: _Base
    ) -> None:
        """Merge into one mapping."""
        if not isinstance(node, MappingNode):
            raise UnmergeableError(f"expected a map at `{'.'.join(path)}`", *place(node))
        written = entries(node)
        source = {**source, **_adapted(node, source, shape)}
        base = None if base is None else {**base, **_adapted(node, base, shape)}
        missing: list[tuple[str, str, Value]] = []
        removed = [] if shape.each is not None else list(self._dropped(node, source, shape, path, base))
        before = ""
        for key in _in_order(source, shape):
            if key in written:
                if isinstance(source[key], Removed):
                    removed.append(key)
                    continue
                self._entry(node, key, source[key], shape, path, base)
                before = key
            elif isinstance(source[key], Removed) or self._is_decided(key, written.keys() - set(removed), shape):
                continue
            elif base is not None and key in base and shape.each is None and key not in shape.union:
                if shape.owners.get(key) is not Owner.QUIET:
                    self.notes.append(Note(NoteKind.KEPT, (*path, key), *place(node), "", _short(source[key])))
            else:
                missing.append((before, key, source[key]))
        self._note_not_in_source(node, source, shape, path)
        self._change(node, removed, missing, path)

    def _dropped(
        self, node: MappingNode, source: Mapping[str, Value], shape: Shape, path: tuple[str, ...], base: _Base
    ) -> Iterator[str]:
        """Yield the keys that the source no longer sets. Keys that users added or changed are kept and noted."""
        for key, (key_node, value) in entries(node).items():
            owner = shape.owners.get(key, Owner.ONCE)
            if key in source or owner is Owner.ONCE:
                continue
            if owner is Owner.FOLLOW if base is None else key in base and _has_value(value, base[key], shape, key):
                yield key
            elif base is not None and owner is not Owner.QUIET:
                self.notes.append(Note(NoteKind.KEPT, (*path, key), *place(key_node), self._text(value)))

    def _change(
        self,
        node: MappingNode,
        removed: Sequence[str],
        missing: Sequence[tuple[str, str, Value]],
        path: tuple[str, ...],
    ) -> None:
        """Remove and add entries of a mapping."""
        for key in sorted(removed, key=list(entries(node)).index):
            self._note_removed(node, key, path)
        if removed and len(removed) == len(node.value):
            self._replace_all(node, missing, path)
            return
        for key in removed:
            self._remove(node, key, removed)
        self._add(node, missing, path)

    def _is_decided(self, key: str, written: Set[str], shape: Shape) -> bool:
        """Return whether a missing key must not be added: it belongs to new entries only, or the entry has another
        form.
        """
        has_another_form = key in shape.union and any(other in written for other in shape.union)
        return has_another_form or (shape.each is None and shape.owners.get(key) is Owner.ONCE)

    def _entry(
        self, parent: MappingNode, key: str, value: Value, shape: Shape, path: tuple[str, ...], base: _Base
    ) -> None:
        """Merge one existing entry."""
        key_node, node = entries(parent)[key]
        path = (*path, key)
        inner = shape.each or shape.children.get(key)
        if inner is None or not isinstance(value, Mapping):
            self._value(node, value, shape, path, base)
        elif self._gives_way(node, value, inner, _below(base, key, shape)):
            self._rewrite(key_node, node, value, path)
        elif isinstance(node, MappingNode) and node.flow_style and not parent.flow_style:
            self._flow_entry(key_node, node, value, inner, path, _below(base, key, shape))
        else:
            self.mapping(node, value, inner, path, _below(base, key, shape))

    def _gives_way(self, node: Node, value: Mapping[str, Value], shape: Shape, base: _Base) -> bool:
        """Return whether the entry is empty, or has the plainest form and the source has another one."""
        written = plain(node)
        if not isinstance(node, MappingNode) or not value:
            return not isinstance(node, MappingNode) and not written
        is_plainest = written in shape.plainest and (base is None or written == base)
        is_unset = not written and (shape.each is not None or not base)
        return is_unset or (is_plainest and not any(key in value for key in entries(node)))

    def _value(self, node: Node, value: Value, shape: Shape, path: tuple[str, ...], base: _Base) -> None:
        key = path[-1]
        owner = shape.owners.get(key, Owner.KEEP)
        if owner is Owner.ONCE or _has_value(node, value, shape, key):
            return
        if base is not None and key in base and _has_value(node, base[key], shape, key):
            owner = Owner.FOLLOW
        elif owner is Owner.QUIET:
            return
        elif base is not None:
            owner = Owner.KEEP
        note = Note(NoteKind.KEPT, path, *place(node), self._text(node), flow(value))
        if owner in (Owner.FOLLOW, Owner.CORRECT):
            self.document.require_own(node)
            self.edits.add(int(node.start_mark.index), self.document.end(node), self._in_form_of(node, value))
            note = replace(note, kind=NoteKind.FOLLOWED)
        self.notes.append(note)

    def _in_form_of(self, node: Node, value: Value) -> str:
        """Return the text of a value that replaces another; block lists remain block lists."""
        is_block = isinstance(node, SequenceNode | MappingNode) and not node.flow_style
        if not is_block or not isinstance(value, Sequence | Mapping) or isinstance(value, str) or not value:
            return flow(value)
        lines = block_lines(value, int(node.start_mark.column))
        return self.document.newline.join(lines).lstrip(" ")

    def _note_not_in_source(
        self, node: MappingNode, source: Mapping[str, Value], shape: Shape, path: tuple[str, ...]
    ) -> None:
        """Note the entries of a mapping of names that the source does not have."""
        if shape.each is None or shape.allows_extra:
            return
        for key, (key_node, value) in entries(node).items():
            if key not in source:
                self.notes.append(Note(NoteKind.NOT_IN_SOURCE, (*path, key), *place(key_node), self._text(value)))

    def _text(self, node: Node) -> str:
        return self.document.text[int(node.start_mark.index) : self.document.end(node)]

    # --- removing

    def _note_removed(self, parent: MappingNode, key: str, path: tuple[str, ...]) -> None:
        key_node, node = entries(parent)[key]
        self.notes.append(Note(NoteKind.REMOVED, (*path, key), *place(key_node), self._text(node)))

    def _remove(self, parent: MappingNode, key: str, removed: Sequence[str]) -> None:
        """Remove an entry of a mapping. `removed` are all entries to remove; at least one other entry is kept."""
        key_node, node = entries(parent)[key]
        self.document.require_own(parent)
        start, end = int(key_node.start_mark.index), self.document.end(node)
        index = next(number for number, (other, _) in enumerate(parent.value) if other is key_node)
        if parent.flow_style:
            if any(other.value not in removed for other, _ in parent.value[:index]):
                start = self.document.end(parent.value[index - 1][1])
            else:
                end = int(parent.value[index + 1][0].start_mark.index)
            self.edits.add(start, end, "")
            return
        begin = self.document.start_of_line(start)
        if self.document.text[begin:start].strip():  # the first entry, on the line of a `- `
            self.edits.add(start, int(parent.value[index + 1][0].start_mark.index), "")
        else:
            # with the line break before it, so that entries that are added after it begin a line
            stop = self.document.end_of_line(end) if begin else self.document.after_line(end)
            self.edits.add(self._end_of_line_before(begin), stop, "")

    def _replace_all(self, node: MappingNode, missing: Sequence[tuple[str, str, Value]], path: tuple[str, ...]) -> None:
        """Replace all existing entries by the missing ones."""
        self.document.require_own(node)
        new: Entries = {}
        for _, key, value in missing:
            new[key] = without_removed(value) if isinstance(value, Mapping) else value
            self.notes.append(Note(NoteKind.ADDED, (*path, key), *place(node), "", _short(new[key])))
        start = int(node.start_mark.index)
        if node.flow_style:
            start = self.document.text.index("{", start)
        lines = block_lines(new, int(node.start_mark.column))
        text = flow(new) if node.flow_style or not new else self.document.newline.join(lines).lstrip(" ")
        self.edits.add(start, self.document.end(node), text)

    def _end_of_line_before(self, begin: int) -> int:
        return begin and self.document.end_of_line(
            begin - 2 if self.document.text[:begin].endswith("\r\n") else begin - 1
        )

    # --- adding

    def _add(self, node: MappingNode, missing: Sequence[tuple[str, str, Value]], path: tuple[str, ...]) -> None:
        """Add entries, each after its predecessor among the existing ones."""
        if not missing:
            return
        self.document.require_own(node)
        written = entries(node)
        for before, key, value in missing:
            self.notes.append(Note(NoteKind.ADDED, (*path, key), *place(node), "", _short(value)))
            value = without_removed(value) if isinstance(value, Mapping) else value
            if node.flow_style:
                self._add_to_flow(node, written.get(before), key, value)
            else:
                self._add_to_block(node, written.get(before), key, value)

    def _add_to_flow(self, node: MappingNode, before: tuple[ScalarNode, Node] | None, key: str, value: Value) -> None:
        entry = f"{scalar(key)}: {flow(value)}"
        if before is not None:
            at = self.document.end(before[1])
            self.edits.add(at, at, f", {entry}")
        elif node.value:
            at = int(node.value[0][0].start_mark.index)
            self.edits.add(at, at, f"{entry}, ")
        else:
            at = self.document.text.index("{", int(node.start_mark.index)) + 1
            is_first = not any(start == at for start, _, _ in self.edits.found)
            self.edits.add(at, at, entry if is_first else f", {entry}")

    def _add_to_block(self, node: MappingNode, before: tuple[ScalarNode, Node] | None, key: str, value: Value) -> None:
        indent = int(node.start_mark.column)
        newline = self.document.newline
        lines = newline.join(entry_lines(key, value, indent))
        if before is not None:
            at = self.document.after_inner_comments(self.document.end(before[1]), indent)
            self.edits.add(at, at, newline + lines)
            return
        start = int(node.start_mark.index)
        begin = self.document.start_of_line(start)
        if self.document.text[begin:start].strip():  # after the `- ` of a list
            self.edits.add(start, start, f"{lines.lstrip(' ')}{newline}{' ' * indent}")
        else:
            at = self._end_of_line_before(begin)
            self.edits.add(at, at, f"{newline}{lines}" if begin else f"{lines}{newline}")

    # --- changing the form

    def _rewrite(self, key_node: Node, node: Node, value: Mapping[str, Value], path: tuple[str, ...]) -> None:
        """Write a mapping in place of an empty value or `{}`."""
        self.document.require_own(node)
        value = without_removed(value)
        if not value:
            return
        self.notes.append(Note(NoteKind.ADDED, path, *place(node), "", _short(value)))
        if isinstance(node, MappingNode) and not node.flow_style:
            lines = block_lines(value, int(node.start_mark.column))
            text = self.document.newline.join(lines).lstrip(" ")
            self.edits.add(int(node.start_mark.index), self.document.end(node), text)
            return
        line_start = self.document.start_of_line(int(key_node.start_mark.index))
        in_block = not self.document.text[line_start : int(key_node.start_mark.index)].strip(" -")
        lines = entry_lines(str(key_node.value), value, int(key_node.start_mark.column))
        start, end = int(node.start_mark.index), self.document.end(node)
        if not in_block or (len(lines) == 1 and start < end):
            self.edits.add(start, end, flow(value) if start < end else f" {flow(value)}")
            return
        self._put_below(key_node, start, end, lines[1:] if len(lines) > 1 else [lines[0].lstrip()])

    def _flow_entry(
        self,
        key_node: Node,
        node: MappingNode,
        value: Mapping[str, Value],
        shape: Shape,
        path: tuple[str, ...],
        base: _Base,
    ) -> None:
        """Merge into a flow mapping that is an entry of a block; it becomes a block if the line is too long."""
        inner = _Merger(self.document, Edits(), self.notes)
        inner.mapping(node, value, shape, path, base)
        if not inner.edits.found:
            return
        start, end = int(node.start_mark.index), self.document.end(node)
        new = inner.edits.apply(self.document.text[start:end], start)
        begin, stop = self.document.start_of_line(start), self.document.end_of_line(end)
        width = (start - begin) + len(new) + (stop - end)
        if "\n" in new or width <= WIDEST or not new.startswith("{"):  # the last one, because an anchor may precede it
            self.edits.add(start, end, new)
            return
        indent = int(key_node.start_mark.column) + 2
        self._put_below(key_node, start, end, list(_as_block(new, indent)))

    def _put_below(self, key_node: Node, start: int, end: int, lines: Sequence[str]) -> None:
        """Replace the value of a key by lines below it; a comment on the key's line stays there."""
        stop = self.document.end_of_line(end)
        rest = self.document.text[end:stop].strip()
        newline = self.document.newline
        after_colon = self.document.text.index(":", self.document.end(key_node)) + 1
        tail = f"  {rest}" if rest else ""
        self.edits.add(min(after_colon, start), stop, tail + newline + newline.join(lines))


def _in_order(source: Mapping[str, Value], shape: Shape) -> Iterator[str]:
    """Yield the keys of the source in the order in which they are written."""
    if shape.each is not None or not shape.owners:
        yield from source
        return
    yield from (key for key in shape.owners if key in source)
    yield from (key for key in source if key not in shape.owners)


def _has_value(node: Node, value: Value, shape: Shape, key: str) -> bool:
    """Return whether the file has the value of the source. `1.10` without quotes is equal to the release."""
    written = plain(node)
    if isinstance(value, str) and isinstance(node, ScalarNode) and node.value == value:
        return True
    same = shape.same.get(key)
    return _equal(written, value) or (same is not None and same(written, value))


def _equal(written: object, value: Value) -> bool:
    if isinstance(written, bool) != isinstance(value, bool):
        return False
    if isinstance(value, Mapping) and isinstance(written, dict):
        return written.keys() == value.keys() and all(_equal(written[key], entry) for key, entry in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str) and isinstance(written, list):
        return len(written) == len(value) and all(map(_equal, written, value))
    return written == value


def _short(value: Value) -> str:
    value = without_removed(value) if isinstance(value, Mapping) else value
    text = "a block" if isinstance(value, Mapping) and len(value) > 8 else flow(value)
    return text if len(text) <= WIDEST else f"{text[:WIDEST]}…"


def _as_block(text: str, indent: int) -> Iterator[str]:
    """Return the existing entries of a flow mapping, one per line; entries that are too long become nested blocks."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(node, MappingNode):
        raise TypeError(f"not a map: {text}")
    for key, value in node.value:
        start, end = int(value.start_mark.index), int(value.end_mark.index)
        head = f"{' ' * indent}{text[int(key.start_mark.index) : int(key.end_mark.index)]}:"
        written = text[start:end]
        if len(head) + 1 + len(written) <= WIDEST or not isinstance(value, MappingNode) or not value.value:
            yield f"{head} {written}".rstrip()
            continue
        yield head
        yield from _as_block(written, indent + 2)


_LONGEST_RUN = 600.0
"""Seconds after which a staged file belongs to a killed run; a run needs a few seconds at most."""


class WriteError(Exception):
    """A file cannot be written. No file was changed."""


def write_together(files: Mapping[Path, bytes], read: Mapping[Path, bytes | None] | None = None) -> None:
    """Write files, and create their folders.

    Each file is first written next to its place. After all of them are on the disk, they replace the old ones. A run that
    is stopped earlier changes nothing. If a run is killed between two renames, the next import writes the remaining files,
    and a later run removes the staged ones.

    Args:
        files: the new contents by path.
        read: the contents of some files (None: missing) from which the new contents were computed.

    Raises:
        WriteError: one of them cannot be written (symbolic links are never written), or changed since it was read. All
            files then have their old contents.

    Staged files of killed runs next to these files are removed.
    """
    staged: list[tuple[Path, Path]] = []
    created: list[Path] = []
    try:
        for path in files:
            check_target(path)
        for path, content in files.items():
            _make_folder(path.parent, created)
            staged.append((_stage(path, content), path))
        _put_in_place(staged, read or {})
        _flush_folders({path.parent for path in files})
    except OSError as error:
        _undo(staged, created)
        raise WriteError(
            f"cannot write {error.filename2 or error.filename or 'a file'}: {error.strerror or error}"
        ) from error
    except BaseException:
        _undo(staged, created)
        raise


def _make_folder(folder: Path, created: list[Path]) -> None:
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    created += missing


def _stage(path: Path, content: bytes) -> Path:
    """Write the content next to its place. Raises OSError with the path of that place, without leaving a file."""
    _remove_left_over(path)
    try:
        return stage(path, content)
    except OSError as error:
        error.filename = str(path)
        raise


def _remove_left_over(path: Path) -> None:
    """Remove staged files that killed runs left; a recent one may belong to a concurrent run and is kept."""
    for staged in path.parent.glob(f".{glob.escape(path.name)}.*{STAGED}"):
        with suppress(OSError):
            if time.time() - staged.lstat().st_mtime > _LONGEST_RUN:
                staged.unlink()


def _put_in_place(staged: list[tuple[Path, Path]], read: Mapping[Path, bytes | None]) -> None:
    """Rename all files; if one fails, restore the contents of those before it."""
    before: list[tuple[Path, bytes | None]] = []
    try:
        for new, path in staged:
            old = path.read_bytes() if path.exists() else None
            if read.get(path, old) != old:
                raise WriteError(f"cannot write {path}: it was changed since it was read")
            before.append((path, old))
            new.replace(path)
    except BaseException:
        for path, old in reversed(before):
            with suppress(OSError):
                if old is None:
                    path.unlink(missing_ok=True)
                elif path.read_bytes() != old:
                    _stage(path, old).replace(path)
        raise


def _undo(staged: list[tuple[Path, Path]], created: list[Path]) -> None:
    for new, _ in staged:
        with suppress(OSError):
            new.unlink(missing_ok=True)
    for folder in created:
        with suppress(OSError):
            folder.rmdir()


def _flush_folders(folders: set[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            flush([folder])
