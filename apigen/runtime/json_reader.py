"""JSON text to trees of dict, list, str, int, float, bool and None, as Kubernetes' decoder understands it.

Integers may be of any size and stay int; numbers with a point or an exponent become float and keep their text. Broken
characters (halves of surrogate pairs, invalid UTF-8) become U+FFFD. Byte order marks, NaN, control characters in
strings, trailing commas and data after the value are errors.

Parsers in C read most texts. `ExactParser` has the features that these do not have: source text, repeated keys, depth
limits, invalid characters.
"""

from __future__ import annotations

import json
import re
import sys
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from json.scanner import make_scanner

from .errors import DecodeError
from .json_source import RawDict, RawList, exact_float, exact_int, with_source

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    class Orjson(Protocol):
        """The part of orjson that is used."""

        JSONEncodeError: type[Exception]
        OPT_PASSTHROUGH_DATACLASS: int
        OPT_PASSTHROUGH_DATETIME: int

        def loads(self, text: bytes | str, /) -> object:
            """Parse JSON. Raises ValueError."""

        def dumps(
            self, value: object, default: Callable[[object], object], option: int, /
        ) -> bytes:
            """Write JSON. Raises JSONEncodeError."""
            ...

        def Fragment(self, text: str, /) -> object:  # noqa: N802
            """Return a value that `dumps` writes unchanged."""

    _Open = tuple[Any, str, str, int, bool, bool, int]
    """An open list or object: the value, the current member, its closing bracket, its start, whether it keeps its
    source, whether the values directly in it do, and how many open lists contain only it."""


orjson: Orjson | None = None
try:
    # not by name, as type checkers would then require it everywhere
    _orjson: Any = import_module("orjson")
    if hasattr(_orjson, "Fragment"):  # older ones have none
        orjson = _orjson
except ImportError:
    pass


MAX_REPEATED = 100
"""Maximum number of paths that are reported: Kubernetes' limit."""


class RepeatedMembers:
    """Adds paths to a list, each once: `spec.ports[0].port`.

    They are kept as a tree, `{step: tree}`, and only those that are reported are written out: in a text in which deep
    objects repeat many members, all paths together are much longer than the text.
    """

    def __init__(self, paths: list[str], step: Callable[[Any], str]) -> None:
        """`step` returns, for an unfinished list or object, the step to the current value."""
        self._paths = paths
        self._step = step
        self._root: dict[str, Any] = {}
        self._open: list[dict[str, Any]] = []
        """The trees of the outermost containers, as far in as a path has been noted."""

    def note(self, outer: Sequence[object], depth: int, key: str) -> None:
        """Note a member of the innermost container: the first `depth` of `outer` are open around that one."""
        if len(self._paths) >= MAX_REPEATED:
            return
        if not self._open:
            self._open.append(self._root)
        for index in range(len(self._open) - 1, depth):
            tree = self._open[index].setdefault(self._step(outer[index]), {})
            self._open.append(tree)
        member = self._open[-1].setdefault(f".{key}", {})
        if "" not in member:
            member[""] = True
            path = "".join(map(self._step, outer[:depth])) + f".{key}"
            self._paths.append(path.removeprefix("."))

    def close(self, depth: int) -> None:
        """Forget the innermost container, which ends; that many are open around it."""
        del self._open[depth:]


def step_into(container: dict[str, object] | list[object], key: str | None) -> str:
    """Return the step to the next value: the member with a key, or the next element."""
    return f".{key}" if isinstance(container, dict) else f"[{len(container)}]"


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
    """Parses one text. It walks containers itself, without recursion, and leaves scalars to C, and also containers without
    interesting text ("shortcuts").

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


_USUAL_DEPTH = 1_000  # beyond, all levels are counted together
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89abcdefABCDEF]")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_-]+")
# escapes of printable ASCII, but not of & < >, which Go always escapes
_ESCAPED_PLAIN = re.compile(r"\\u00(?!26|3[cCeE])[2-7]")


class _Duplicate(ValueError):
    """Some object has a member twice."""


def _without_duplicates(members: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(members)
    if len(result) != len(members):
        raise _Duplicate
    return result


_decode = json.JSONDecoder(
    parse_float=exact_float, parse_constant=reject_constant
).decode
_decode_strictly = json.JSONDecoder(
    parse_float=exact_float,
    parse_constant=reject_constant,
    object_pairs_hook=_without_duplicates,
).decode


def parse_json(
    data: bytes | str,
    raw_names: frozenset[str] = frozenset(),
    duplicates: list[str] | None = None,
) -> object:
    """Parse one JSON value.

    Values of members called as in `raw_names`, and the values directly in those, carry `raw`: their exact source text.
    Repeated members: the last one counts; if `duplicates` is a list, their paths are added (`spec.ports[0].port`).
    Raises DecodeError for anything that is not JSON, and for nesting deeper than 10,000 levels.
    """
    text = text_of(data)
    ordinary = is_ordinary(text)
    named = named_members(text, raw_names) if ordinary and raw_names else []
    if ordinary and named is not None:
        try:
            # Errors, and nesting too deep for C, are detected before values are read one by one.
            parse = _decode if duplicates is None else _decode_strictly
            tree = parse(text)
            if named:
                tree = _with_sources(text, raw_names, named)
            if not may_nest_too_deep(text) or not nests_too_deep(tree):
                return tree
        except (ValueError, RecursionError):
            pass  # the exact parser reports the error, or succeeds
    interesting = _interesting(text, raw_names) if duplicates is None else None
    return ExactParser(text, raw_names, duplicates, interesting).parse()


def _interesting(text: str, raw_names: frozenset[str]) -> list[int] | None:
    """Return where the parser in C reads something else than Go, and where raw values may start; None: anywhere.

    C reads the containers without such a position. One odd character would else make the whole text fifty times slower.
    """
    found: list[int] = []
    if raw_names:
        quoted, pattern = _searches(raw_names)
        if pattern is None:
            return None
        found += [member.start() for member in _members(text, quoted, pattern)]
    if "\\" in text:
        odd = _ESCAPED_SURROGATE, *((_ESCAPED_PLAIN,) if raw_names else ())
        found += [match.start() for form in odd for match in form.finditer(text)]
    if not text.isascii():
        found += [match.start() for match in SURROGATE.finditer(text)]
    return sorted(found)


def _with_sources(
    text: str, raw_names: frozenset[str], named: list[re.Match[str]]
) -> object:
    """Parse in C, but for the values of the members in `named`. Raises ValueError or RecursionError.

    Each of these values is parsed on its own and replaced by NaN, for which the C parser calls a function, in order.
    If the text has any NaN itself, there is one too many.
    """
    parser = ExactParser(
        text, raw_names, None, [member.start() for member in named], _USUAL_DEPTH
    )
    pieces: list[str] = []
    values: list[object] = []
    position = 0
    for member in named:
        if member.start() >= position:  # else it is within the value before
            value, end = parser.parse_from(member.end(), is_named=True)
            values.append(value)
            pieces += (text[position : member.end()], "NaN")
            position = end
    pieces.append(text[position:])
    values.reverse()

    def next_value(constant: str) -> object:
        return (
            values.pop() if constant == "NaN" and values else reject_constant(constant)
        )

    tree = json.JSONDecoder(parse_float=exact_float, parse_constant=next_value).decode(
        "".join(pieces)
    )
    if values:
        raise ValueError("a value was not asked for")
    return tree


def is_ordinary(text: str) -> bool:
    """Return whether the parser written in C decodes the strings as Go does."""
    if "\\" in text and _ESCAPED_SURROGATE.search(text):
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def named_members(text: str, names: frozenset[str]) -> list[re.Match[str]] | None:
    """Return the members with these names up to their values, or None if they may be written with escapes.

    Members whose name ends with one after an escaped quote are included, which is harmless.
    """
    quoted, pattern = _searches(names)
    if pattern is None or ("\\" in text and _ESCAPED_PLAIN.search(text)):
        return None
    return _members(text, quoted, pattern)


def may_hold(data: bytes | str, names: frozenset[str]) -> bool:
    """Return whether a text may have members with such names, so that it matters that those keep their source text."""
    quoted, pattern = _searches(names)
    if pattern is None:
        return True
    if isinstance(data, str):
        return "\\u" in data or any(name in data for name in quoted)
    return b"\\u" in data or any(name.encode() in data for name in quoted)


def _members(
    text: str, quoted: tuple[str, ...], pattern: re.Pattern[str]
) -> list[re.Match[str]]:
    members: list[re.Match[str]] = []
    for name in quoted:
        position = text.find(name)  # much faster than the pattern
        while position >= 0:
            member = pattern.match(text, position)
            if member is not None:
                members.append(member)
            position = text.find(name, position + 1)
    return sorted(members, key=re.Match.start)


@lru_cache(maxsize=256)
def _searches(names: frozenset[str]) -> tuple[tuple[str, ...], re.Pattern[str] | None]:
    """Return the pattern of the names; None if a name can be written in several ways."""
    if not all(map(_PLAIN_NAME.fullmatch, names)):
        return (), None
    pattern = rf'"(?:{"|".join(sorted(names))})"[ \t\n\r]*:[ \t\n\r]*'
    return tuple(f'"{name}"' for name in names), re.compile(pattern)


def text_of(data: bytes | str) -> str:
    """Return JSON as text; each byte that is not UTF-8 becomes half of a surrogate pair."""
    if isinstance(data, str):
        return clean(data)
    return data.decode("utf-8", "surrogateescape")
