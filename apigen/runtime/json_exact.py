"""A JSON parser for what the parsers written in C cannot do: source text, repeated members, depth, broken characters.

It walks containers itself, without recursion, and leaves to C what needs no walking: scalars, and whole containers
("shortcuts") in which nothing of interest occurs.
"""

from __future__ import annotations

import json
import re
import sys
from bisect import bisect_left
from collections.abc import Sequence

from .errors import DecodeError
from .json_source import RawDict, RawList, exact_float, exact_int, with_source

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import Any, Protocol

    class Open(Protocol):
        """A list or object that is being read; `repeats` is its place among the members that came twice."""

        repeats: dict[str, Any] | None

        @property
        def container(self) -> dict[str, object] | list[object]: ...

        @property
        def key(self) -> str | None: ...


MAX_DEPTH = 10_000
"""How deep lists and objects may nest: Go's limit."""

MAX_DUPLICATES = 100
"""How many repeated members are reported at most: Kubernetes' limit."""

_C_COUNTS_LEVELS = sys.version_info < (3, 12)
"""Whether the parser in C gives up at the recursion limit of Python: newer ones follow a hundred thousand levels."""

_MAX_SHORTCUT_DEPTH = 8  # a shortcut that fails was a scan in vain, so their number per character is bounded
_NOTHING = object()
SPACE = re.compile(r"[ \t\n\r]*")
_SURROGATE = re.compile("[\ud800-\udfff]")


def may_nest_too_deep(text: str) -> bool:
    """Return whether the parser in C may accept a text that nests deeper than MAX_DEPTH."""
    return not _C_COUNTS_LEVELS and text.count("[") + text.count("{") > MAX_DEPTH


def nests_too_deep(tree: object) -> bool:
    """Return whether lists and objects nest deeper than MAX_DEPTH in a tree, level by level."""
    level = [tree] if isinstance(tree, (dict, list)) else []
    for _ in range(MAX_DEPTH):
        found: list[dict[str, object] | list[object]] = []
        for container in level:
            items = container.values() if isinstance(container, dict) else container
            found += [item for item in items if isinstance(item, (dict, list))]
        level = found
    return bool(level)


def refuse_constant(name: str) -> object:
    """Refuse NaN and Infinity, which are no JSON; for json.JSONDecoder(parse_constant=…)."""
    raise ValueError(f"{name} is no JSON")


_decode = json.JSONDecoder(
    parse_float=exact_float, parse_int=exact_int, parse_constant=refuse_constant
).raw_decode


class _Frame:
    """A list or object that is being read."""

    __slots__ = (
        "closing",
        "container",
        "keeps_source",
        "key",
        "of_named",
        "repeats",
        "start",
    )

    def __init__(
        self,
        container: dict[str, object] | list[object],
        start: int,
        keeps_source: bool,
        of_named: bool,
    ):
        self.container = container
        self.closing = "}" if isinstance(container, dict) else "]"
        self.start = start
        self.keeps_source = keeps_source
        self.of_named = of_named  # a value of a member in raw_names, so that its own values keep their source too
        self.key = ""
        self.repeats: dict[str, Any] | None = None


class ExactParser:
    """Parses one text.

    `raw_names`: members whose values, and the values directly in those, keep their source text.
    `duplicates`: where paths of repeated members go, each once; None if nobody asks.
    `interesting`: where in the text members of raw_names may start, sorted; None: anywhere, so no shortcuts.
    `max_depth`: how many lists and objects may be open at once.
    """

    def __init__(
        self,
        text: str,
        raw_names: frozenset[str] = frozenset(),
        duplicates: list[str] | None = None,
        interesting: Sequence[int] | None = None,
        max_depth: int = MAX_DEPTH,
    ) -> None:
        self._text = text
        self._raw_names = raw_names
        self._duplicates = duplicates
        self._interesting = interesting
        self._max_depth = max_depth
        self._repeats: dict[str, Any] = {}
        self._frames: list[_Frame] = []
        self._position = 0
        self._is_named = False

    def parse(self) -> object:
        """Return the tree. Raises DecodeError, with line and column, for anything that is not one JSON value."""
        self._skip_space(0)
        value = self._value()
        if self._skip_space(self._position):
            raise self._error("the end of the text")
        return value

    def parse_from(self, start: int) -> tuple[object, int]:
        """Return the value that starts there, and where it ends. Raises DecodeError."""
        self._position = start
        return self._value(), self._position

    def parse_named(self, start: int) -> tuple[object, int]:
        """Return the value that starts there, as one of a member in `raw_names`, and where it ends. Raises DecodeError."""
        self._position = start
        self._is_named = True
        return self._value(), self._position

    def _value(self) -> object:
        while True:
            done, value = self._start_value()
            while done:
                if not self._frames:
                    return value
                self._add(value)
                done, value = self._after_value()

    def _start_value(self) -> tuple[bool, object]:
        """Read a scalar, an empty container or one by shortcut; or open a container and report "not done"."""
        start = self._position
        opening = self._text[start : start + 1]
        keeps_source, of_named = self._wanted()
        if opening not in ("{", "["):
            value = self._scalar(start)
        else:
            value = _NOTHING if of_named else self._shortcut(start)
        if value is not _NOTHING:
            return True, (
                with_source(value, self._text, start, self._position)
                if keeps_source
                else value
            )
        self._open(opening, start, keeps_source, of_named)
        if self._skip_space(start + 1) == self._frames[-1].closing:
            return True, self._close()
        if opening == "{":
            self._read_key()
        return False, None

    def _wanted(self) -> tuple[bool, bool]:
        """Return whether the next value keeps its source, and whether the values in it do."""
        if not self._frames:
            return self._is_named, self._is_named
        frame = self._frames[-1]
        named = isinstance(frame.container, dict) and frame.key in self._raw_names
        return named or frame.of_named, named

    def _scalar(self, start: int) -> object:
        try:
            value, self._position = _decode(self._text, start)
        except json.JSONDecodeError as error:
            if error.msg.startswith("Expecting"):
                raise self._error("a value", error.pos) from None
            raise self._failure(
                error.msg.removesuffix(" at").removesuffix(" starting").lower(),
                error.pos,
            ) from None
        except ValueError:  # NaN
            raise self._error("a value") from None
        return clean(value) if isinstance(value, str) else value

    def _shortcut(self, start: int) -> object:
        """Have C read the container, if nothing interesting is in it and it is not too deep for C; else _NOTHING."""
        if self._interesting is None or len(self._frames) >= _MAX_SHORTCUT_DEPTH:
            return _NOTHING
        try:
            value, end = _decode(self._text, start)
        except (ValueError, RecursionError):
            return _NOTHING
        following = bisect_left(self._interesting, start)
        if following < len(self._interesting) and self._interesting[following] < end:
            return _NOTHING
        self._position = end
        return value

    def _open(
        self, opening: str, start: int, keeps_source: bool, of_named: bool
    ) -> None:
        container: dict[str, object] | list[object]
        if opening == "{":
            container = RawDict() if keeps_source else {}
        else:
            container = RawList() if keeps_source else []
        if len(self._frames) >= self._max_depth:
            raise DecodeError(
                "", f"invalid JSON: nested more than {self._max_depth} levels deep"
            )
        self._frames.append(_Frame(container, start, keeps_source, of_named))

    def _close(self) -> object:
        frame = self._frames.pop()
        self._position += 1
        if frame.keeps_source:
            return with_source(frame.container, self._text, frame.start, self._position)
        return frame.container

    def _add(self, value: object) -> None:
        frame = self._frames[-1]
        if isinstance(frame.container, dict):
            frame.container[frame.key] = value
        else:
            frame.container.append(value)

    def _after_value(self) -> tuple[bool, object]:
        """Go on to the next value of the container ("not done"), or close it, which makes it the value that is done."""
        frame = self._frames[-1]
        mark = self._skip_space(self._position)
        if mark == frame.closing:
            return True, self._close()
        if mark != ",":
            raise self._error(f"a comma or {frame.closing}")
        self._skip_space(self._position + 1)
        if isinstance(frame.container, dict):
            self._read_key()
        return False, None

    def _read_key(self) -> None:
        frame = self._frames[-1]
        if self._text[self._position : self._position + 1] != '"':
            raise self._error("the name of a member, in quotes")
        key = self._scalar(self._position)
        assert isinstance(key, str)
        assert isinstance(frame.container, dict)
        frame.key = key
        if self._duplicates is not None and key in frame.container:
            note_duplicate(self._frames, key, self._repeats, self._duplicates)
        if self._skip_space(self._position) != ":":
            raise self._error("a colon")
        self._skip_space(self._position + 1)

    def _skip_space(self, position: int) -> str:
        """Go to the next character that is no space, and return it; empty at the end."""
        following = self._text[position : position + 1]
        if following > " ":  # as usual; a search takes three times as long
            self._position = position
            return following
        space = SPACE.match(self._text, position)
        assert space is not None
        self._position = space.end()
        return self._text[self._position : self._position + 1]

    def _error(self, expected: str, position: int | None = None) -> DecodeError:
        position = self._position if position is None else position
        found = self._text[position : position + 1]
        return self._failure(
            f"expected {expected}, found {repr(found) if found else 'the end'}",
            position,
        )

    def _failure(self, problem: str, position: int) -> DecodeError:
        line = self._text.count("\n", 0, position) + 1
        column = position - self._text.rfind("\n", 0, position)
        return DecodeError(
            "", f"invalid JSON at line {line}, column {column}: {problem}"
        )


def note_duplicate(
    frames: Sequence[Open], key: str, repeats: dict[str, Any], duplicates: list[str]
) -> None:
    """Add the path of a repeated member of the innermost container to `duplicates`, once, unless those are enough.

    `repeats` is a tree of such paths, `{step: tree}`: paths are much longer than a text in which deep objects repeat
    many members, so only those that are reported are written out.
    """
    if len(duplicates) >= MAX_DUPLICATES:
        return
    known = len(frames)
    while known and frames[known - 1].repeats is None:
        known -= 1
    for depth in range(known, len(frames)):
        outer = frames[depth - 1]
        around = repeats if not depth else outer.repeats
        assert around is not None
        frames[depth].repeats = around.setdefault(_step(outer), {}) if depth else around
    inner = frames[-1].repeats
    assert inner is not None
    member = inner.setdefault(f".{key}", {})
    if "" not in member:
        member[""] = True
        path = "".join(map(_step, frames[:-1])) + f".{key}"
        duplicates.append(path.removeprefix("."))


def _step(frame: Open) -> str:
    if isinstance(frame.container, dict):
        return f".{frame.key}"
    return f"[{len(frame.container)}]"


def clean(text: str) -> str:
    """Replace halves of surrogate pairs, which also stand for bytes that were no UTF-8, by U+FFFD each, as Go does."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
