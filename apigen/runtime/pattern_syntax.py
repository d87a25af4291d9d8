"""Parser of patterns: the syntax and the limits of Go's package `regexp/syntax` (RE2), which Kubernetes uses.

Patterns may come from data. Parsing takes linear time, and no pattern, however deeply nested, exhausts the stack.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cache

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final

CharacterSet = tuple[tuple[int, int], ...]
"""Ranges of code points: sorted, disjoint, and not adjacent."""

LAST: Final = 0x10FFFF
_MOST_REPEATS: Final = 1000
_DEEPEST: Final = 1000
_LARGEST: Final = (128 << 20) // 40
_MOST_BOUNDS: Final = (128 << 20) // 4

EMPTY, CHARACTERS, ASSERTION, SEQUENCE, CHOICE, REPEAT = range(6)
"""Kinds of nodes."""

TEXT_START, TEXT_END, LINE_START, LINE_END, WORD_EDGE, NO_WORD_EDGE = (
    1 << bit for bit in range(6)
)
"""Kinds of assertions: `\\A` `\\z` `(?m)^` `(?m)$` `\\b` `\\B`."""

ANY: Final[CharacterSet] = ((0, LAST),)
NOT_NEWLINE: Final[CharacterSet] = ((0, 9), (11, LAST))
DIGITS: Final[CharacterSet] = ((0x30, 0x39),)
SPACES: Final[CharacterSet] = ((9, 10), (12, 13), (32, 32))
WORDS: Final[CharacterSet] = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))

_POSIX: Final[dict[str, CharacterSet]] = {
    "alnum": ((0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)),
    "alpha": ((0x41, 0x5A), (0x61, 0x7A)),
    "ascii": ((0, 0x7F),),
    "blank": ((9, 9), (32, 32)),
    "cntrl": ((0, 0x1F), (0x7F, 0x7F)),
    "digit": DIGITS,
    "graph": ((0x21, 0x7E),),
    "lower": ((0x61, 0x7A),),
    "print": ((0x20, 0x7E),),
    "punct": ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)),
    "space": ((9, 13), (32, 32)),
    "upper": ((0x41, 0x5A),),
    "word": WORDS,
    "xdigit": ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)),
}
_CONTROLS: Final = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_ALPHANUMERIC: Final = frozenset(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)
_FIRST_FOLD: Final = 0x41
_LAST_FOLD: Final = 0x1E943


_COUNTS = re.compile(r"\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}")
_MOST_DIGITS: Final = 8
_FLAGS = re.compile(r"\(\?([imsU]*)(?:(-)([imsU]*))?([:)])?")
_OCTAL = re.compile(r"0[0-7]{0,2}|[1-7][0-7]{1,2}")
_HEXADECIMAL = re.compile(r"x(?:([0-9a-fA-F]{2})|\{0*([0-9a-fA-F]{1,6})\})")
_BRACED_DIGITS = re.compile(r"x\{[0-9a-fA-F]*")


class PatternError(ValueError):
    """A pattern that Go's `regexp` rejects.

    `problem` is an `ErrorCode` of Go's `regexp/syntax`, `part` the rejected part of the pattern, if it is only a part;
    `offset` is the index in the pattern where the problem starts.
    """

    def __init__(self, problem: str, offset: int = 0, part: str = "") -> None:
        super().__init__(f"{problem}: `{part}`" if part else problem)
        self.problem = problem
        self.offset = offset


class Node:
    """A node of a syntax tree.

    `sets` of CHARACTERS are matched one after the other. A REPEAT has one part, repeated `least` to `most` times
    (None: without limit), as often as possible if it is `greedy`. `size` and `depth` are those of Go's limits: in
    Go's tree a sequence in a sequence, a choice in a choice and adjacent characters are one node each. `nesting` is
    the depth of this tree, `copies` counts how often nested repeat counts copy the innermost part.
    """

    __slots__ = (
        "assertion",
        "copies",
        "depth",
        "greedy",
        "is_group",
        "is_literal",
        "kind",
        "least",
        "most",
        "nesting",
        "nullable",
        "parts",
        "sets",
        "size",
    )

    def __init__(
        self,
        kind: int,
        parts: tuple[Node, ...] = (),
        sets: tuple[CharacterSet, ...] = (),
        *,
        assertion: int = 0,
        least: int = 0,
        most: int | None = None,
        greedy: bool = True,
        is_group: bool = False,
    ) -> None:
        self.kind = kind
        self.parts = parts
        self.sets = sets
        self.assertion = assertion
        self.least = least
        self.most = most
        self.greedy = greedy
        self.is_group = is_group
        self.is_literal: bool = kind == CHARACTERS or (
            kind == SEQUENCE and not is_group and all(p.is_literal for p in parts)
        )
        self.nesting: int = 1 + max((part.nesting for part in parts), default=0)
        self.depth: int = 1
        if not self.is_literal:
            self.depth += max((self._depth_of(part) for part in parts), default=0)
        self.copies: int = max((part.copies for part in parts), default=1)
        self.size: int = max(1, len(sets) + sum(part.size for part in parts))
        if is_group:
            self.size += 2
        self.nullable: bool = kind != CHARACTERS and all(p.nullable for p in parts)
        if kind == REPEAT:
            self._measure_repeat(parts[0])
        elif kind == CHOICE:
            self.size += len(parts) - 1
            self.nullable = any(part.nullable for part in parts)

    def _depth_of(self, part: Node) -> int:
        is_same = part.kind == self.kind and self.kind in (SEQUENCE, CHOICE)
        if is_same and not (self.is_group or part.is_group or part.is_literal):
            return part.depth - 1
        return part.depth

    def _measure_repeat(self, part: Node) -> None:
        self.nullable = self.least == 0 or part.nullable
        if self.most is None:
            self.size = self.least * part.size + (1 if self.least else 2 + part.size)
        else:
            optional = self.most - self.least
            self.size = max(1, self.most * part.size + optional)
        count = self.least if self.most is None else self.most
        self.copies = 1 if self.most == 0 else part.copies * max(count, 1)


def parse(
    pattern: str, spaces: CharacterSet = SPACES, dot: CharacterSet = NOT_NEWLINE
) -> Node:
    """Return the syntax tree of a pattern. Raises PatternError with Go's error message.

    `spaces` and `dot` are the characters of `\\s` and `.`, of which other languages have different ones.
    """
    try:
        pattern.encode()
    except UnicodeEncodeError as error:
        raise PatternError("invalid UTF-8", error.start) from None
    return _Parser(pattern, spaces, dot).parse()


def contains(characters: CharacterSet, code: int) -> bool:
    """Return whether a code point is in a set."""
    index = bisect_right(characters, (code, LAST + 1)) - 1
    return index >= 0 and code <= characters[index][1]


def union(ranges: Iterable[tuple[int, int]]) -> CharacterSet:
    """Return the set of all code points in some ranges."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            if high > merged[-1][1]:
                merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return tuple(merged)


def complement(characters: CharacterSet) -> CharacterSet:
    """Return the set of all other code points."""
    found: list[tuple[int, int]] = []
    start = 0
    for low, high in characters:
        if start < low:
            found.append((start, low - 1))
        start = high + 1
    if start <= LAST:
        found.append((start, LAST))
    return tuple(found)


def folded(characters: CharacterSet) -> CharacterSet:
    """Return a set with all code points that are equal to one of it but for case."""
    if all(high < _FIRST_FOLD or low > _LAST_FOLD for low, high in characters):
        return characters
    folds, codes = _folds()
    found = list(characters)
    for low, high in characters:
        if low <= _FIRST_FOLD and high >= _LAST_FOLD:
            continue
        for code in codes[bisect_left(codes, low) : bisect_right(codes, high)]:
            other = folds[code]
            while other != code:
                found.append((other, other))
                other = folds[other]
    return union(found)


@cache
def _folds() -> tuple[dict[int, int], list[int]]:
    """Return for each code point the next one that differs only in case, and the sorted code points that have one."""
    from .pattern_tables import FOLDS

    found: dict[int, int] = {}
    for word in FOLDS.split():
        sign = "+" if "+" in word else "-"
        codes, _, distance = word.rpartition(sign)
        for low, high in _read_ranges((codes,)):
            for code in range(low, high + 1):
                found[code] = code + int(sign + distance)
    return found, sorted(found)


@cache
def _variant_of_table(name: str, is_folded: bool, is_negative: bool) -> CharacterSet:
    """The code points of a category or script."""
    return _variant(_table(name), is_folded, is_negative)


def _variant(
    characters: CharacterSet, is_folded: bool, is_negative: bool
) -> CharacterSet:
    if is_folded:
        characters = folded(characters)
    return complement(characters) if is_negative else characters


_COMBINED: Final = frozenset((*"CLMNPSZ", "Lc", "Cn", "Assigned", "Any", "Ascii"))
"""Names without a table of their own; a letter is the union of the categories that begin with it."""


@cache
def _table(name: str) -> CharacterSet:
    """The code points of a known name."""
    match name:
        case "Any":
            return ANY
        case "Ascii":
            return ((0, 0x7F),)
        case "Lc":
            return union((*_table("Lu"), *_table("Ll"), *_table("Lt")))
        case "Cn":
            return complement(_table("Assigned"))
        case "Assigned":
            return union(each for one in "LMNPSZC" for each in _category(one))
        case "C":
            return union((*_category("C"), *_table("Cn")))
    if name in _COMBINED:
        return _category(name)
    return union(_read_ranges(_tables()[name]))


def _category(letter: str) -> CharacterSet:
    """The code points of the categories of two letters whose first one this is."""
    names = [each for each in _tables() if len(each) == 2 and each[0] == letter]
    return union(each for name in names for each in _table(name))


@cache
def _tables() -> dict[str, tuple[str, ...]]:
    """The written ranges of categories and scripts.

    Scripts of two words are found as in RE2 and in Go up to 1.24; Go 1.26 looks them up without their underscore.
    """
    from .pattern_tables import CATEGORIES, SCRIPTS

    found: dict[str, list[str]] = {}
    words: list[str] = []
    for word in f"{CATEGORIES} {SCRIPTS}".split():
        if word.endswith(":"):
            words = found.setdefault(_canonical(word[:-1]), [])
        else:
            words.append(word)
    return {name: tuple(words) for name, words in found.items()}


def _read_ranges(words: Iterable[str]) -> Iterator[tuple[int, int]]:
    """The ranges that are written as `41-5A`, `41` or (every second) `41-45/2`."""
    for word in words:
        codes, _, step = word.partition("/")
        first, _, last = codes.partition("-")
        low, high = int(first, 16), int(last or first, 16)
        if step:
            yield from ((code, code) for code in range(low, high + 1, int(step)))
        else:
            yield low, high


@cache
def _aliases() -> dict[str, str]:
    from .pattern_tables import ALIASES

    pairs = (pair.partition("=") for pair in ALIASES.split())
    return {_canonical(name): _canonical(short) for name, _, short in pairs}


def _canonical(name: str) -> str:
    """A name of a class as Go looks it up: without `_`, `-` and spaces, with one leading capital letter (ASCII only)."""
    found: list[str] = []
    for each in name:
        if each in "_- ":
            continue
        if each.isascii():
            each = each.lower() if found else each.upper()
        found.append(each)
    return "".join(found)


class _Group:
    """An open group: its alternatives, the sequence that is being read, and the flags to restore.

    `sets` are the last alternatives as far as these are single characters: together they are one set.
    """

    __slots__ = ("alternatives", "flags", "is_capture", "offset", "sequence", "sets")

    def __init__(self, flags: frozenset[str], is_capture: bool, offset: int) -> None:
        self.flags = flags
        self.is_capture = is_capture
        self.offset = offset
        self.alternatives: list[Node] = []
        self.sequence: list[Node] = []
        self.sets: list[CharacterSet] = []


class _Parser:
    """Reads one pattern from left to right; open groups are on a stack of its own, not on Python's."""

    def __init__(self, pattern: str, spaces: CharacterSet, dot: CharacterSet) -> None:
        self.pattern = pattern
        self.classes = {"d": DIGITS, "s": spaces, "w": WORDS}
        self.dot = dot
        self.at = 0
        self.flags: frozenset[str] = frozenset()
        self.groups = [_Group(self.flags, False, 0)]
        self.bounds = 0
        self.last_name = pattern.rfind(":]")

    def parse(self) -> Node:
        pattern, length = self.pattern, len(self.pattern)
        repeat_at = -1  # where the repeat begins that was read last
        while self.at < length:
            start, sign = self.at, pattern[self.at]
            if sign in "*+?{" and self._repeat(sign, repeat_at):
                repeat_at = start
                continue
            repeat_at = -1
            self._item(sign)
        if len(self.groups) > 1:
            raise PatternError("missing closing )", self.groups[-1].offset)
        return self._close(self.groups[0])

    def _item(self, sign: str) -> None:
        match sign:
            case "(":
                self._open()
            case "|":
                self._end_alternative(self.groups[-1])
                self.at += 1
            case ")":
                if len(self.groups) == 1:
                    raise PatternError("unexpected )", self.at)
                group = self.groups.pop()
                node = self._close(group)
                self.flags = group.flags
                if group.is_capture:
                    node = self._checked(Node(SEQUENCE, (node,), is_group=True))
                self._push(node)
                self.at += 1
            case "^":
                self._assert(LINE_START if "m" in self.flags else TEXT_START, 1)
            case "$":
                self._assert(LINE_END if "m" in self.flags else TEXT_END, 1)
            case ".":
                self._characters(ANY if "s" in self.flags else self.dot)
                self.at += 1
            case "[":
                self._characters(self._class())
            case "\\":
                self._escape()
            case _:
                self._literal(ord(sign))
                self.at += 1

    # --- the stack ----------------------------------------------------------------------------------------------------

    def _checked(self, node: Node) -> Node:
        if node.size > _LARGEST or self.bounds > _MOST_BOUNDS:
            raise PatternError("expression too large")
        if node.depth > _DEEPEST:
            raise PatternError("expression nests too deeply")
        return node

    def _push(self, node: Node) -> None:
        self.groups[-1].sequence.append(self._checked(node))

    def _assert(self, assertion: int, length: int) -> None:
        self._push(Node(ASSERTION, assertion=assertion))
        self.at += length

    def _characters(self, characters: CharacterSet) -> None:
        self.bounds += 2 * len(characters)
        self._push(Node(CHARACTERS, sets=(characters,)))

    def _literal(self, code: int) -> None:
        characters: CharacterSet = ((code, code),)
        self._characters(folded(characters) if "i" in self.flags else characters)

    def _end_alternative(self, group: _Group) -> None:
        """Make one node of the sequence that was read; adjacent alternatives of one character become a set."""
        node = self._sequence(group.sequence)
        group.sequence = []
        if node.kind == CHARACTERS and len(node.sets) == 1:
            group.sets.append(node.sets[0])
        else:
            _end_sets(group)
            group.alternatives.append(node)

    def _sequence(self, parts: Sequence[Node]) -> Node:
        """The parts as one node, in which adjacent characters are joined."""
        found: list[Node] = []
        literal: list[CharacterSet] = []
        for part in parts:
            if part.kind == CHARACTERS and len(part.sets) == 1:
                literal.append(part.sets[0])
                continue
            if literal:
                found.append(Node(CHARACTERS, sets=tuple(literal)))
                literal = []
            found.append(part)
        if literal:
            found.append(Node(CHARACTERS, sets=tuple(literal)))
        if len(found) == 1:
            return found[0]
        return self._checked(Node(SEQUENCE if found else EMPTY, tuple(found)))

    def _close(self, group: _Group) -> Node:
        self._end_alternative(group)
        _end_sets(group)
        parts = group.alternatives
        if len(parts) == 1:
            return parts[0]
        return self._checked(Node(CHOICE, tuple(parts)))

    # --- repeats and groups -------------------------------------------------------------------------------------------

    def _repeat(self, sign: str, repeat_at: int) -> bool:
        """Read a repeat; return False for a `{` that does not begin a repeat and is a literal."""
        start = self.at
        least, most, end = 0, None, start + 1
        if sign == "{":
            counts = self._counts()
            if counts is None:
                return False
            least, most, end = counts
            if max(least, most or 0) > _MOST_REPEATS or (
                most is not None and most < least
            ):
                raise self._error("invalid repeat count", start, end)
        elif sign == "+":
            least = 1
        elif sign == "?":
            most = 1
        greedy = "U" not in self.flags
        if self.pattern.startswith("?", end):
            end += 1
            greedy = not greedy
        if repeat_at >= 0:
            raise self._error("invalid nested repetition operator", repeat_at, end)
        sequence = self.groups[-1].sequence
        if not sequence:
            raise self._error("missing argument to repetition operator", start, end)
        node = Node(REPEAT, (sequence[-1],), least=least, most=most, greedy=greedy)
        sequence[-1] = self._checked(node)
        if sign == "{" and max(least, most or 0) >= 2 and node.copies > _MOST_REPEATS:
            raise self._error("invalid repeat count", start, end)
        self.at = end
        return True

    def _counts(self) -> tuple[int, int | None, int] | None:
        """Return the counts in braces, and their end; None without valid ones."""
        found = _COUNTS.match(self.pattern, self.at)
        if found is None:
            return None
        least, most = (
            int(digits) if len(digits) <= _MOST_DIGITS else _MOST_REPEATS + 1
            for digits in (found[1], found[3] or found[1])
        )
        return least, None if found[2] and not found[3] else most, found.end()

    def _open(self) -> None:
        """Read the beginning of a group, or flags for the rest of one."""
        start, pattern = self.at, self.pattern
        if not pattern.startswith("(?", start):
            self.groups.append(_Group(self.flags, True, start))
            self.at += 1
            return
        name_at = next(
            (start + len(s) for s in ("(?P<", "(?<") if pattern.startswith(s, start)), 0
        )
        if name_at and len(pattern) > name_at:
            end = pattern.find(">", name_at)
            if end < 0:
                raise self._error("invalid named capture", start, len(pattern))
            name = pattern[name_at:end]
            if not name or not set(name) <= _ALPHANUMERIC | {"_"}:
                raise self._error("invalid named capture", start, end + 1)
            self.groups.append(_Group(self.flags, True, start))
            self.at = end + 1
            return
        self._flags(start)

    def _flags(self, start: int) -> None:
        found = _FLAGS.match(self.pattern, start)
        assert found is not None  # as everything in it is optional
        added, minus, removed, end = found.groups("")
        if not end or (minus and not removed):
            last = found.end() + (0 if end else 1)
            raise self._error("invalid or unsupported Perl syntax", start, last)
        if end == ":":
            self.groups.append(_Group(self.flags, False, start))
        self.flags = (self.flags | set(added)) - set(removed)
        self.at = found.end()

    # --- escapes and classes ------------------------------------------------------------------------------------------

    def _escape(self) -> None:
        sign = self.pattern[self.at + 1 : self.at + 2]
        match sign:
            case "A":
                self._assert(TEXT_START, 2)
            case "z":
                self._assert(TEXT_END, 2)
            case "b":
                self._assert(WORD_EDGE, 2)
            case "B":
                self._assert(NO_WORD_EDGE, 2)
            case "C":
                raise self._error("invalid escape sequence", self.at, self.at + 2)
            case "Q":
                end = self.pattern.find("\\E", self.at + 2)
                end = len(self.pattern) if end < 0 else end
                for each in self.pattern[self.at + 2 : end]:
                    self._literal(ord(each))
                self.at = end + 2
            case _:
                found = self._class_escape()
                if found is not None:
                    self._characters(found)
                else:
                    self._literal(self._character_escape())

    def _class_escape(self) -> CharacterSet | None:
        """Return the class that is written with a backslash at this position, or `None`."""
        sign = self.pattern[self.at + 1 : self.at + 2]
        if sign in ("p", "P"):
            return self._unicode_class(sign == "P")
        found = self.classes.get(sign.lower()) if sign else None
        if found is None:
            return None
        self.at += 2
        return self._named(found, sign.isupper())

    def _named(self, characters: CharacterSet, is_negative: bool) -> CharacterSet:
        return _variant(characters, "i" in self.flags, is_negative)

    def _unicode_class(self, is_negative: bool) -> CharacterSet:
        start, pattern = self.at, self.pattern
        if start + 2 >= len(pattern):
            raise self._error("invalid character class range", start, len(pattern))
        if pattern[start + 2] == "{":
            close = pattern.find("}", start)
            if close < 0:
                raise self._error("invalid character class range", start, len(pattern))
            name, end = pattern[start + 3 : close], close + 1
        else:
            name, end = pattern[start + 2], start + 3
        if name.startswith("^"):
            is_negative = not is_negative
            name = name[1:]
        key = _canonical(name)
        key = _aliases().get(key, key)
        if key not in _tables() and key not in _COMBINED:
            raise self._error("invalid character class range", start, end)
        self.at = end
        # Go has no table of the other cases for Lc
        return _variant_of_table(key, "i" in self.flags and key != "Lc", is_negative)

    def _character_escape(self) -> int:
        """Return the character that an escape denotes."""
        start, pattern = self.at, self.pattern
        sign = pattern[start + 1 : start + 2]
        if not sign:
            raise PatternError("trailing backslash at end of expression", start)
        end = start + 2
        if sign in _CONTROLS or (sign.isascii() and sign not in _ALPHANUMERIC):
            self.at = end
            return _CONTROLS.get(sign, ord(sign))
        octal = _OCTAL.match(pattern, start + 1)
        if octal is not None:
            self.at = octal.end()
            return int(octal[0], 8)
        written = _HEXADECIMAL.match(pattern, start + 1)
        if written is not None and int(written[1] or written[2], 16) <= LAST:
            self.at = written.end()
            return int(written[1] or written[2], 16)
        if sign == "x":
            braced = _BRACED_DIGITS.match(pattern, start + 1)
            end = start + 4 if braced is None else braced.end() + 1
        raise self._error("invalid escape sequence", start, min(end, len(pattern)))

    def _class(self) -> CharacterSet:
        """A class in brackets."""
        start, pattern = self.at, self.pattern
        self.at += 1
        is_negative = pattern.startswith("^", self.at)
        self.at += is_negative
        found: list[tuple[int, int]] = []
        plain: list[tuple[int, int]] = []
        first = self.at
        while not pattern.startswith("]", self.at) or self.at == first:
            if pattern.startswith("[:", self.at) and self.at + 2 <= self.last_name:
                found.extend(self._posix_class())
                continue
            if pattern.startswith("\\", self.at):
                named = self._class_escape()
                if named is not None:
                    found.extend(named)
                    continue
            low_at = self.at
            low = high = self._class_character(start)
            if pattern.startswith("-", self.at) and pattern[
                self.at + 1 : self.at + 2
            ] not in ("", "]"):
                self.at += 1
                high = self._class_character(start)
                if high < low:
                    raise self._error("invalid character class range", low_at, self.at)
            plain.append((low, high))
        self.at += 1
        ranges = union(plain)
        found.extend(folded(ranges) if "i" in self.flags else ranges)
        members = union(found)
        return complement(members) if is_negative else members

    def _class_character(self, start: int) -> int:
        if self.at >= len(self.pattern):
            raise PatternError("missing closing ]", start)
        if self.pattern[self.at] == "\\":
            return self._character_escape()
        self.at += 1
        return ord(self.pattern[self.at - 1])

    def _posix_class(self) -> CharacterSet:
        end = self.pattern.index(":]", self.at + 2)
        name = self.pattern[self.at + 2 : end]
        found = _POSIX.get(name.removeprefix("^"))
        if found is None:
            raise self._error("invalid character class range", self.at, end + 2)
        self.at = end + 2
        return self._named(found, name.startswith("^"))

    def _error(self, problem: str, start: int, end: int) -> PatternError:
        return PatternError(problem, start, self.pattern[start:end])


def _end_sets(group: _Group) -> None:
    """Add the alternatives that are single characters to the others, as one set."""
    if group.sets:
        merged = union(each for characters in group.sets for each in characters)
        group.alternatives.append(Node(CHARACTERS, sets=(merged,)))
        group.sets = []
