"""A JSON parser with features that parsers in C do not have: source text, repeated keys, depth limits, invalid characters.

It walks containers itself, without recursion, and leaves scalars to C, and also containers without interesting text
("shortcuts").
"""

from __future__ import annotations

import json
import re
import sys
from bisect import bisect_left
from collections.abc import Sequence
from json.scanner import make_scanner

from .errors import DecodeError
from .json_source import RawDict, RawList, exact_float, exact_int, with_source
from .repeated_members import RepeatedMembers, step_into

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import Any

    _Open = tuple[Any, str, str, int, bool, bool, int]
    """An open list or object: the value, the current member, its closing bracket, its start, whether it keeps its
    source, whether the values directly in it do, and how many open lists contain only it."""

MAX_DEPTH = 10_000
"""Maximum nesting of lists and objects: Go's limit."""

_C_COUNTS_LEVELS = sys.version_info < (3, 12)
"""Whether the parser in C stops at the recursion limit of Python: newer ones parse a hundred thousand levels."""

_MOST_IN_VAIN = 2
"""Maximum number of failed attempts to read a text with the parser in C."""
_NOTHING: object = object()
_COMMA_OR_END = "a comma or a closing bracket"
_EXPECTED = {
    "Expecting value": "a value",
    "Expecting property name": "the name of a member, in quotes",
    "Expecting ':'": "a colon",
    "Expecting ','": _COMMA_OR_END,
    "Illegal trailing comma before end of array": "a value",  # from Python 3.13 on
    "Illegal trailing comma before end of object": "the name of a member, in quotes",
}
"""The start of a message of Python's parser -> what the parser expected."""

_END = "\0"  # appended to a text, so that reading the next character needs no check; no token starts with it
SPACE = re.compile(r"[ \t\n\r]*")
_PLAIN_KEY = re.compile(r'"([ !#-\[\]-~]*)"[ \t\n\r]*:[ \t\n\r]*')
_OPENING_RUN = re.compile(r"(?:\[[ \t\n\r]*)+")
_CLOSING_RUN = re.compile(r"(?:[ \t\n\r]*\])*")
SURROGATE = re.compile("[\ud800-\udfff]")


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


def reject_constant(name: str) -> object:
    """Reject NaN and Infinity, which are not valid JSON; for json.JSONDecoder(parse_constant=…)."""
    raise ValueError(f"{name} is no JSON")


_scan = make_scanner(
    json.JSONDecoder(
        parse_float=exact_float, parse_int=exact_int, parse_constant=reject_constant
    )  # type: ignore[arg-type]
)


class SecondValue(DecodeError):
    """After the value of a text, another list or object starts on `line`."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__("", problem)
        self.line = line


class ExactParser:
    """Parses one text.

    `raw_names`: members whose values, and the values directly in those, keep their source text.
    `duplicates`: the list to which paths of repeated members are added, each once, or `None`.
    `interesting`: the sorted positions of text that C parses differently, and of possible members of raw_names; None:
    all positions, so that there are no shortcuts.
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
        self._text_and_end = text + _END
        self._raw_names = raw_names
        self._repeated = (
            None if duplicates is None else RepeatedMembers(duplicates, _step)
        )
        self._interesting = interesting
        self._max_depth = max_depth
        self._c_sees_depth = not may_nest_too_deep(text)
        self._characters_left = _MOST_IN_VAIN * len(text)

    def parse(self) -> object:
        """Return the tree. Raises DecodeError, with line and column, for anything that is not one JSON value."""
        value, position = self.parse_from(self._past_space(0))
        position = self._past_space(position)
        if position == len(self._text):
            return value
        error = self._error("the end of the text", position)
        if self._text[position] in "{[":
            line = self._text.count("\n", 0, position) + 1
            raise SecondValue(error.problem, line)
        raise error

    def parse_from(self, position: int, is_named: bool = False) -> tuple[object, int]:
        """Return the value that starts there, and its end. Raises DecodeError.

        `is_named`: it is the value of a member in `raw_names`.

        One loop with local variables only: a text that consists of brackets takes the longest per byte, and method
        calls would double its time. Lists that only contain a list are counted (`pending`) until the inner one
        ends: `[ [ [ … ] ] ]` then takes 0.06 µs a byte instead of 0.18 µs.
        """
        text = self._text_and_end
        shortcuts = self._c_sees_depth
        around: list[_Open] = []
        container: Any = None
        closing, key, start = "", "", position
        keeps_source = False  # whether `container` does
        holds_sources = is_named  # whether the values directly in it do
        pending = 0  # open lists: the innermost only contains `container`, the next one only that list
        depth = 0
        while True:
            # The next value of `container` starts here.
            opening = text[position]
            value, end = _NOTHING, position
            if opening != "[" and opening != "{":
                value, end = self._scalar(position)
            elif shortcuts and not is_named:
                value, end = self._shortcut(position)
                shortcuts = self._characters_left > 0
            if value is not _NOTHING:
                if is_named or holds_sources:
                    value = with_source(value, self._text, position, end)
                position = end
            else:
                if container is not None:
                    around.append(
                        (
                            container,
                            key,
                            closing,
                            start,
                            keeps_source,
                            holds_sources,
                            pending,
                        )
                    )
                pending = 0
                start = position
                keeps_source = is_named or holds_sources
                holds_sources = is_named
                position += 1
                if text[position] <= " ":
                    position = self._past_space(position)
                if opening == "[":
                    closing = "]"
                    container = RawList() if keeps_source else []
                    is_named = False
                    if (
                        text[position] == "["
                        and not keeps_source
                        and self._repeated is None
                    ):
                        run = _OPENING_RUN.match(text, position)
                        assert run is not None
                        pending = text.count("[", position, run.end())
                        position = run.end()
                    depth += 1 + pending
                    if depth > self._max_depth:
                        raise self._too_deep()
                    if text[position] != "]":
                        continue
                else:
                    depth += 1
                    if depth > self._max_depth:
                        raise self._too_deep()
                    closing = "}"
                    container = RawDict() if keeps_source else {}
                    if text[position] != "}":
                        key, position = self._key(position, container, around)
                        is_named = key in self._raw_names
                        continue
            while True:
                # A value ends here; none, if `container` is empty.
                if container is None:
                    return value, position
                if closing == "}":
                    if value is not _NOTHING:
                        container[key] = value
                elif value is not _NOTHING:
                    container.append(value)
                mark = text[position]
                if mark <= " ":
                    position = self._past_space(position)
                    mark = text[position]
                if mark == ",":
                    position += 1
                    if text[position] <= " ":
                        position = self._past_space(position)
                    is_named = False
                    if closing == "}":
                        key, position = self._key(position, container, around)
                        is_named = key in self._raw_names
                    break
                if mark != closing:
                    raise self._error(_COMMA_OR_END, position)
                position += 1
                value = container
                if keeps_source:
                    value = with_source(value, self._text, start, position)
                if self._repeated is not None:
                    self._repeated.close(len(around))
                depth -= 1
                if pending:
                    run = _CLOSING_RUN.match(text, position)
                    assert run is not None
                    closed = min(pending, text.count("]", position, run.end()))
                    for _ in range(closed):
                        value = [value]
                        position = text.index("]", position) + 1
                    pending -= closed
                    depth -= closed
                if pending:
                    container = []
                    pending -= 1
                elif around:
                    (
                        container,
                        key,
                        closing,
                        start,
                        keeps_source,
                        holds_sources,
                        pending,
                    ) = around.pop()
                else:
                    container = None

    def _scalar(self, start: int) -> tuple[object, int]:
        try:
            value, end = _scan(self._text, start)
        except StopIteration:
            raise self._error("a value", start) from None
        except json.JSONDecodeError as error:
            raise self._syntax_error(error) from None
        except ValueError:  # NaN
            raise self._error("a value", start) from None
        return clean(value) if isinstance(value, str) else value, end

    def _shortcut(self, start: int) -> tuple[object, int]:
        """Have C read the container; _NOTHING if something interesting is in it, or if it is too deep for C.

        Raises DecodeError for the first error of syntax in it, which C finds as this parser does.
        """
        interesting = self._interesting
        value, end = _NOTHING, len(self._text)
        try:
            value, end = _scan(self._text, start)
        except StopIteration as stop:
            raise self._error("a value", stop.value) from None
        except json.JSONDecodeError as error:
            raise self._syntax_error(error) from None
        except (ValueError, RecursionError):  # NaN, or too deep
            pass
        if interesting is not None and value is not _NOTHING:
            following = bisect_left(interesting, start)
            if following == len(interesting) or interesting[following] >= end:
                return value, end
        self._characters_left -= end - start
        return _NOTHING, start

    def _key(
        self, start: int, container: dict[str, object], around: list[_Open]
    ) -> tuple[str, int]:
        """Return the name of the member that starts there, in `container`, and where its value starts."""
        plain = _PLAIN_KEY.match(self._text, start)
        if plain is not None:
            key, position = plain[1], plain.end()
        else:
            key, position = self._unusual_key(start)
        if self._repeated is not None and key in container:
            self._repeated.note(around, len(around), key)
        return key, position

    def _unusual_key(self, start: int) -> tuple[str, int]:
        if self._text_and_end[start] != '"':
            raise self._error("the name of a member, in quotes", start)
        key, position = self._scalar(start)
        assert isinstance(key, str)
        position = self._past_space(position)
        if self._text_and_end[position] != ":":
            raise self._error("a colon", position)
        return key, self._past_space(position + 1)

    def _past_space(self, position: int) -> int:
        space = SPACE.match(self._text, position)
        assert space is not None
        return space.end()

    def _too_deep(self) -> DecodeError:
        problem = f"invalid JSON: nested more than {self._max_depth} levels deep"
        return DecodeError("", problem)

    def _syntax_error(self, error: json.JSONDecodeError) -> DecodeError:
        """Return the error of the parser in C, with a text that is the same in all releases of Python."""
        position = error.pos
        for start, expected in _EXPECTED.items():
            if error.msg.startswith(start):
                if "trailing comma" in start:
                    position = self._past_space(position + 1)
                return self._error(expected, position)
        problem = error.msg.removesuffix(" at").removesuffix(" starting").lower()
        return self._failure(problem, position)

    def _error(self, expected: str, position: int) -> DecodeError:
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


def _step(frame: _Open) -> str:
    return step_into(frame[0], frame[1])


def clean(text: str) -> str:
    """Replace halves of surrogate pairs, which also represent bytes that were not UTF-8, by U+FFFD each, as Go does."""
    return text if text.isascii() else SURROGATE.sub("\ufffd", text)
