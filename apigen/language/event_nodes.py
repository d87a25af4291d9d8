"""Build located nodes from YAML text, from the event stream of PyYAML's parser in C.

It is iterative and takes linear time; the limits below bound the effect of untrusted files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, NoReturn, Protocol, cast

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Related, Report
from apigen.diagnostics.quoting import quote
from apigen.language.habits import VERSION_RULE, habitual_version, unquoted_type
from apigen.language.model import Literal
from apigen.language.nodes import MAX_DEPTH, Entry, Mapping, Node, Scalar, Sequence, describe
from apigen.language.scalars import LONGEST_NUMBER, NUMBER_START, WORDS, NumberTooLongError, resolve
from apigen.language.source import SourceFile


@dataclass(frozen=True, slots=True)
class _Rewording:
    """Return the message for an error of PyYAML's parsers (the one in C and the one in Python).

    `opened` names what starts at the location that the parser gives as context; `at_opening`: report that location.
    """

    complaint: str
    message: str
    hint: str | None = None
    opened: str | None = None
    at_opening: bool = False


_IN_QUOTES = "quote the string"
_OPENED = "opened here"

_REWORDINGS = (
    _Rewording(
        "mapping values are not allowed",
        "unexpected `: `",
        "quote a string that contains `: `, or indent the key like the keys next to it",
    ),
    _Rewording("could not find expected ':'", "a key without `:`", "write `key: value`", "the key begins here"),
    _Rewording("did not find expected key|expected <block end>", "this indentation matches no line above"),
    _Rewording(
        "did not find expected '-' indicator",
        "continue the list with `- `, or end it with less indentation",
        None,
        "the list begins here",
    ),
    _Rewording("expected ',' or ']'", "unclosed list: `]` is missing", "write `,` or `]`", _OPENED),
    _Rewording("expected ',' or '}'", "unclosed map: `}` is missing", "write `,` or `}`", _OPENED),
    _Rewording(
        "unexpected (end of stream|document indicator|document separator)",
        "unclosed quoted string",
        at_opening=True,
    ),
    _Rewording("cannot start any token", "a string without quotes cannot begin with this character", "quote it"),
    _Rewording(
        "sequence entries are not allowed",
        "a list cannot begin here",
        "begin it on the next line, or write it in brackets: `[a, b]`",
    ),
    _Rewording("mapping keys are not allowed", "unexpected `? `", _IN_QUOTES),
    _Rewording(
        "unknown escape character",
        "unknown escape sequence in a double-quoted string",
        "write `\\\\` for a backslash, or use single quotes",
    ),
    _Rewording("hexdecimal number|hexadecimal|Unicode character escape", "invalid digits in an escape sequence"),
    _Rewording("alphabetic or numeric character", "an anchor or alias without a name", _IN_QUOTES),
    _Rewording("expected <?'?<?document start", "unexpected text after the end of the document", _IN_QUOTES),
    _Rewording("expected (the )?node content", "a value is expected here"),
    _Rewording("undefined tag handle|tag|'!'", "YAML tags are not supported", _IN_QUOTES),
    _Rewording("directive|incompatible YAML document", "unknown YAML directive", "remove the line"),
    _Rewording(
        "chomping|indentation indicator|comment or line break",
        "the text after `|` or `>` begins on the next line",
    ),
)

_UNOPENED = _Rewording("", "unmatched closing bracket")
_TRAILING = _Rewording("", "unexpected text after a value", _IN_QUOTES)
_LIST_TYPE_HINT = 'quote the type of a list: "[]T"'


def report_syntax_error(report: Report, file: SourceFile, error: yaml.YAMLError) -> None:
    """Report an error of PyYAML, with line and column."""
    place, opened, complaint = _details(file, error)
    line = file.lines[place.line - 1]
    indentation = line[: len(line) - len(line.lstrip(" \t"))]
    if "\t" in indentation:
        tab = Place(file.name, place.line, indentation.index("\t") + 1)
        report.error("AG0109", tab, "a tab in the indentation", hint="indent with spaces")
        return
    rewording = _rewording(complaint, line, place.column, len(indentation))
    message, hint = f"invalid YAML: {rewording.message}", rewording.hint
    in_brackets = unquoted_type(line, place.column)
    if in_brackets is not None:
        message, hint = "invalid YAML: a type with brackets needs quotes", in_brackets
    elif line[: place.column - 1].endswith("[]"):
        hint = _LIST_TYPE_HINT
    elif rewording.opened == _OPENED and opened and opened.line < place.line:
        hint = f"close the bracket and the quotes that are opened in line {opened.line}"
    related = [Related(opened, rewording.opened)] if opened and rewording.opened else []
    if opened and rewording.at_opening:
        place = opened
    report.error("AG0110", place, message, hint=hint, related=related)


def _rewording(complaint: str, line: str, column: int, indentation: int) -> _Rewording:
    if line[column - 1 : column] in ("]", "}") and "expected ','" not in complaint:
        return _UNOPENED
    for rewording in _REWORDINGS:
        if re.search(rewording.complaint, complaint):
            is_behind_text = column - 1 > indentation
            return _TRAILING if "expected key" in complaint and is_behind_text else rewording
    return _Rewording("", complaint)


def _details(file: SourceFile, error: yaml.YAMLError) -> tuple[Place, Place | None, str]:
    """Return the location of an error, the location where the enclosing construct begins, and PyYAML's message."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return Place(file.name, 1, 1), None, str(error)
    mark, context = error.problem_mark, error.context_mark
    place = Place(file.name, 1, 1) if mark is None else _within(file, mark.line + 1, mark.column + 1)
    opened = None if context is None else _within(file, context.line + 1, context.column + 1)
    return place, opened, error.problem or "unknown reason"


def _within(file: SourceFile, line: int, column: int) -> Place:
    """The place, or the end of the last line with text if it lies behind the end of the file."""
    lines = file.lines
    if line <= len(lines) and (lines[line - 1] or line < len(lines)):
        return Place(file.name, line, column)
    last = next((number for number in range(len(lines), 0, -1) if lines[number - 1].strip()), 1)
    return Place(file.name, last, len(lines[last - 1].rstrip()) + 1)


_MOST_SUGGESTIONS = 100
"""Maximum number of keys of a mapping for which names are suggested, so that a hostile file takes no time."""

MAX_ALIASED_NODES = 100_000
"""Maximum number of nodes that all aliases of a file may expand to."""

_new = tuple.__new__
"""Creates a named tuple of valid values without calling its constructor."""

_TOO_DEEP_FOR_C = "exceeded maximum nesting depth"
"""From 0.2.6 on, libyaml counts levels while scanning ahead. Without events, the location of the first level too many
is unknown.
"""

_STRING_TAG = "tag:yaml.org,2002:str"


class _Mark(Protocol):
    line: int
    column: int


class _Event(Protocol):
    """An event; which of the attributes after the marks it has depends on its class."""

    start_mark: _Mark
    end_mark: _Mark
    anchor: str | None
    tag: str | None
    value: str
    style: str | None


class _EventParser(Protocol):
    def get_event(self) -> _Event | None: ...

    def dispose(self) -> None: ...


def event_documents(
    file: SourceFile, report: Report, most: int | None, loader: type[yaml.CSafeLoader | yaml.SafeLoader] | None = None
) -> list[Node] | None:
    """Return the roots of all documents of a file, at most `most`; None, with diagnostics, if one is invalid."""
    builder = _Builder(file, report, most)
    chosen = loader or (yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader)
    parser = cast(_EventParser, chosen(file.text))
    try:
        builder.take_all(parser.get_event)
    except yaml.YAMLError as error:
        if getattr(error, "problem", "") == _TOO_DEEP_FOR_C:
            return event_documents(file, report, most, yaml.SafeLoader)
        report_syntax_error(report, file, error)
        return None
    except _UnusableError:
        return None
    finally:
        parser.dispose()
    return builder.roots


class _UnusableError(Exception):
    """Nothing of the file can be used; the reason has been reported."""


class _Open:
    """An unfinished collection; the children of a mapping are key, value, key, value …"""

    __slots__ = ("anchor", "children", "column", "height", "is_mapping", "line", "size")

    def __init__(self, event: _Event) -> None:
        mark = event.start_mark
        self.is_mapping = isinstance(event, MappingStartEvent)
        self.anchor = event.anchor
        self.line = mark.line + 1
        self.column = mark.column + 1
        self.children: list[Node] = []
        self.size = 1
        self.height = 1


class _Anchored(NamedTuple):
    """A finished node with an anchor: how many nodes and how many levels it has, aliases written out."""

    node: Node
    size: int
    height: int


class _Builder:
    """Takes events, one by one, and builds nodes."""

    def __init__(self, file: SourceFile, report: Report, most: int | None) -> None:
        self.roots: list[Node] = []
        self._most = most
        self._name = file.name
        self._report = report
        self._stack: list[_Open] = []
        self._anchors: dict[str, _Anchored | _Open] = {}
        self._aliased = 0
        self._documents = 0

    def take_all(self, next_event: Callable[[], _Event | None]) -> None:
        """Build the nodes of all events. Raises _UnusableError, and the errors of the parser."""
        stack, attach = self._stack, self._attach
        while (event := next_event()) is not None:
            kind: type[object] = type(event)
            if kind is ScalarEvent:
                node = self._scalar(event)
                if not stack:
                    attach(node, 1, 1)
                    continue
                parent = stack[-1]
                parent.children.append(node)
                parent.size += 1
                if parent.height == 1:
                    parent.height = 2
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                self._open(event)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                self._close()
            elif kind is AliasEvent:
                self._alias(event)
            elif kind is DocumentStartEvent:
                self._document(event)

    def _scalar(self, event: _Event) -> Scalar:
        start, end, text = event.start_mark, event.end_mark, event.value
        plain, tag = not event.style, event.tag
        line, column = start.line, start.column + 1
        value: Literal = text
        if plain and tag is None and (text in WORDS or text[0] in NUMBER_START):
            value = self._resolved(text, event)
        elif tag is not None and tag != _STRING_TAG:
            self._reject_tag(event)
        inner = 0
        if line == end.line:
            quotes = 0 if plain else 1
            if end.column - column + 1 == len(text) + 2 * quotes:
                inner = column + quotes
        node = _new(Scalar, (value, text, plain, self._name, line + 1, column, inner))
        if event.anchor is not None:
            self._anchors[event.anchor] = _Anchored(node, 1, 1)
        return node

    def _resolved(self, text: str, event: _Event) -> Literal:
        """Return the value of a plain scalar that may not be a string."""
        try:
            return resolve(text)
        except NumberTooLongError:
            message = f"a number of {len(text)} characters; the maximum is {LONGEST_NUMBER}"
            self._stop("AG0120", self._place(event), message)

    def _open(self, event: _Event) -> None:
        if event.tag is not None:
            self._reject_tag(event)
        self._check_depth(1, event)
        opened = _Open(event)
        if opened.anchor is not None:
            self._anchors[opened.anchor] = opened
        self._stack.append(opened)

    def _close(self) -> None:
        opened = self._stack.pop()
        node = self._mapping(opened) if opened.is_mapping else self._sequence(opened)
        if opened.anchor is not None and self._anchors[opened.anchor] is opened:
            self._anchors[opened.anchor] = _Anchored(node, opened.size, opened.height)
        self._attach(node, opened.size, opened.height)

    def _attach(self, node: Node, size: int, height: int) -> None:
        if not self._stack:
            self.roots.append(node)
            return
        parent = self._stack[-1]
        parent.children.append(node)
        parent.size += size
        if parent.height <= height:
            parent.height = height + 1

    def _alias(self, event: _Event) -> None:
        anchor, place = event.anchor or "", self._place(event)
        name, target = quote(anchor), self._anchors.get(anchor)
        if target is None:
            self._stop("AG0118", place, f"undefined alias: no anchor {name} above")
        if isinstance(target, _Open):
            related = [Related(Place(self._name, target.line, target.column), "the alias is inside of this value")]
            self._stop("AG0117", place, f"the alias {name} refers to a value that contains it", related)
        self._aliased += target.size
        if self._aliased > MAX_ALIASED_NODES:
            self._stop("AG0119", place, f"the aliases of this file expand to more than {MAX_ALIASED_NODES:,} values")
        self._check_depth(target.height, event)
        self._attach(target.node, target.size, target.height)

    def _document(self, event: _Event) -> None:
        self._documents += 1
        self._anchors.clear()
        if self._most is not None and self._documents > self._most:
            self._stop("AG0115", self._place(event), "a second document; a file contains only one")

    def _sequence(self, opened: _Open) -> Sequence:
        return Sequence(opened.children, self._name, opened.line, opened.column)

    def _mapping(self, opened: _Open) -> Mapping:
        entries: dict[str, Entry] = {}
        repeated: set[str] = set()
        rejected: list[Node] = []
        children = iter(opened.children)
        for key, value in zip(children, children, strict=True):
            if type(key) is not Scalar or type(key[0]) is not str or (key[1] == "<<" and key[2]):
                rejected.append(key)
                continue
            text = key[1]
            if text not in entries:
                entries[text] = _new(Entry, (key, value))
                continue
            repeated.add(text)
            related = [Related(entries[text].key.place, "first written here")]
            self._report.error("AG0111", key.place, f"the key {quote(text)} is a duplicate", related=related)
        if rejected:
            taken = set(entries) if self._is_below("versions") and len(rejected) <= _MOST_SUGGESTIONS else None
            for key in rejected:
                self._reject_key(key, taken)
        values = tuple(entries.values())
        return Mapping(values, frozenset(repeated), bool(rejected), self._name, opened.line, opened.column)

    def _reject_key(self, key: Node, versions: set[str] | None) -> None:
        """Report a key of a mapping. `versions` are the names in use if the keys are versions; a suggested one is added."""
        if isinstance(key, Scalar) and isinstance(key.value, str):
            hint: str | None = "write the keys out, or give the values a type of their own"
            self._report.error("AG0113", key.place, "YAML merge keys are not supported", hint=hint)
            return
        hint = f'quote it: "{key.text}"' if isinstance(key, Scalar) else None
        if isinstance(key, Scalar) and versions is not None:
            version = habitual_version(key.text, versions)
            if version is not None:
                versions.add(version)
                hint = f"{VERSION_RULE}: write `{version}`"
        self._report.error("AG0112", key.place, f"a key must be a string, found {describe(key)}", hint=hint)

    def _is_below(self, name: str) -> bool:
        """Return whether the collection that was closed last is the value of a key of this name."""
        siblings = self._stack[-1].children if self._stack and self._stack[-1].is_mapping else []
        return len(siblings) % 2 == 1 and isinstance(siblings[-1], Scalar) and siblings[-1].text == name

    def _check_depth(self, height: int, event: _Event) -> None:
        if len(self._stack) + height > MAX_DEPTH:
            self._stop("AG0116", self._place(event), f"nested more than {MAX_DEPTH} levels deep")

    def _reject_tag(self, event: _Event) -> None:
        hint = "remove it; quote strings instead"
        self._report.error("AG0114", self._place(event), "YAML tags are not supported", hint=hint)

    def _stop(self, code: str, place: Place, message: str, related: Iterable[Related] = ()) -> NoReturn:
        self._report.error(code, place, message, related=related)
        raise _UnusableError

    def _place(self, event: _Event) -> Place:
        mark = event.start_mark
        return Place(self._name, mark.line + 1, mark.column + 1)
