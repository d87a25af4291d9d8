"""Reads patterns: what RE2 (API servers, generated code) and ECMAScript (JSON Schema) both understand, and understand alike.

What only one of them has, or what they read differently, is refused: look-around, back-references, flags but `(?s)`, classes by name,
`{,n}`. Where they read `\\s` and `.` differently, the dialect says how. `$` is the very end, as in RE2 and in the patterns that generated code uses.
"""

from __future__ import annotations

import re

from apigen.compat.inclusion.regex.characters import ANY, DIGITS, WORDS, CharacterSet, characters, complement, joined
from apigen.compat.inclusion.regex.dialect import Dialect
from apigen.compat.inclusion.regex.nodes import Anchor, At, Choice, Node, OneOf, Repeat, Sequence
from apigen.compat.inclusion.regex.undecidable import Undecidable

_DEEPEST = 60
_LONGEST = 4_000
_MOST_REPEATS = 1_000
_COUNT = re.compile(r"\{(\d{1,6})(?:(,)(\d{1,6})?)?\}")
_GROUP = re.compile(r"\((?:\?(?:P?<[A-Za-z_]\w*>|:|(s):))?")
_ANCHORS = {"A": Anchor.BEGIN, "z": Anchor.END, "Z": Anchor.END, "b": Anchor.WORD}


def parse(pattern: str, dialect: Dialect = Dialect.RE2) -> Node:
    """The tree of a pattern, as a dialect reads it. Raises Undecidable if it is not understood."""
    if len(pattern) > _LONGEST:
        raise Undecidable(f"the pattern is longer than {_LONGEST} characters")
    parser = _Parser(pattern, dialect)
    node = parser.choice(0, dot_all=False)
    if parser.at < len(pattern):
        raise Undecidable("the pattern has a `)` too many")
    return node


class _Parser:
    """Where in a pattern reading is."""

    def __init__(self, pattern: str, dialect: Dialect) -> None:
        self.pattern = pattern
        self.dialect = dialect
        self.at = 0

    def choice(self, depth: int, *, dot_all: bool) -> Node:
        """Alternatives, up to a `)` or the end."""
        if depth > _DEEPEST:
            raise Undecidable(f"the pattern is nested more than {_DEEPEST} deep")
        parts: list[Node] = []
        while True:
            node, dot_all = self._sequence(depth, dot_all)
            parts.append(node)
            if self._next() != "|":
                return parts[0] if len(parts) == 1 else Choice(tuple(parts))
            self.at += 1

    def _next(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def _take(self) -> str:
        if self.at >= len(self.pattern):
            raise Undecidable("the pattern ends in the middle")
        self.at += 1
        return self.pattern[self.at - 1]

    def _sequence(self, depth: int, dot_all: bool) -> tuple[Node, bool]:
        """What stands one after the other; a flag in it holds to the end of the group."""
        parts: list[Node] = []
        while self._next() not in ("", "|", ")"):
            if self.pattern.startswith("(?s)", self.at):
                self.at, dot_all = self.at + len("(?s)"), True
                continue
            parts.append(self._repeated(self._atom(depth, dot_all)))
        return (parts[0] if len(parts) == 1 else Sequence(tuple(parts))), dot_all

    def _repeated(self, node: Node) -> Node:
        least, most = self._times()
        if least is None:
            return node
        if isinstance(node, At):
            raise Undecidable("the pattern repeats a place between characters")
        if self._next() == "?":  # as few as possible: the same texts
            self.at += 1
        if self._next() in ("+", "*", "?") or self._times()[0] is not None:
            raise Undecidable("the pattern repeats a repeat")
        return Repeat(node, least, most)

    def _times(self) -> tuple[int | None, int | None]:
        """How often what stands before is repeated; least is None where it is not."""
        sign = self._next()
        if sign and sign in "*+?":
            self.at += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        count = _COUNT.match(self.pattern, self.at)
        if count is None:
            if re.compile(r"\{,\d*\}").match(self.pattern, self.at):
                raise Undecidable("`{,n}` means different things to RE2 and to other languages")
            return None, None
        self.at = count.end()
        least = int(count[1])
        most = least if count[2] is None else int(count[3]) if count[3] is not None else None
        if most is not None and most < least:
            raise Undecidable("the pattern repeats at most less than at least")
        if max(least, most or 0) > _MOST_REPEATS:
            raise Undecidable(f"the pattern repeats more than {_MOST_REPEATS} times")
        return least, most

    def _atom(self, depth: int, dot_all: bool) -> Node:
        sign = self._next()
        if sign == "(":
            return self._group(depth, dot_all)
        self.at += 1
        match sign:
            case "[":
                return OneOf(self._class())
            case ".":
                return OneOf(ANY if dot_all else complement(self.dialect.line_breaks))
            case "^":
                return At(Anchor.BEGIN)
            case "$":
                return At(Anchor.END)
            case "\\":
                return self._escape()
            case "*" | "+" | "?":
                raise Undecidable("the pattern repeats nothing")
        return OneOf(characters(sign))

    def _group(self, depth: int, dot_all: bool) -> Node:
        start = _GROUP.match(self.pattern, self.at)
        if start is None or (self.pattern.startswith("(?", self.at) and start.end() == self.at + 1):
            raise Undecidable(f"the pattern has `{self.pattern[self.at:self.at + 4]}`, which is not understood here")
        self.at = start.end()
        node = self.choice(depth + 1, dot_all=dot_all or start[1] is not None)
        if self._take() != ")":
            raise Undecidable("the pattern has a `(` too many")
        return node

    def _escape(self) -> Node:
        sign = self._take()
        if sign in _ANCHORS:
            return At(_ANCHORS[sign])
        found = _class_of(sign, self.dialect)
        return OneOf(found if found is not None else self._character(sign))

    def _character(self, sign: str) -> CharacterSet:
        """The one character that an escape stands for."""
        code, self.at = _control_of(sign, self.pattern, self.at)
        return joined([(code, code)])

    def _class(self) -> CharacterSet:
        """What stands in brackets."""
        negated = self._next() == "^"
        self.at += negated
        found: list[tuple[int, int]] = []
        is_first = True
        while is_first or self._next() != "]":
            is_first = False
            found.extend(self._member())
        self.at += 1
        members = joined(found)
        return complement(members) if negated else members

    def _member(self) -> CharacterSet:
        """A character, a class or a range in brackets."""
        if self.pattern[self.at : self.at + 2] in ("[:", "[.", "[="):
            raise Undecidable("classes by name mean different things to RE2 and to JSON Schema")
        low = self._class_part()
        if self._next() != "-" or self.pattern[self.at + 1 : self.at + 2] in ("]", ""):
            return low
        self.at += 1
        high = self._class_part()
        if len(low) != 1 or len(high) != 1 or low[0][0] != low[0][1] or high[0][0] != high[0][1] or high < low:
            raise Undecidable("the pattern has a range that is none")
        return joined([(low[0][0], high[0][0])])

    def _class_part(self) -> CharacterSet:
        sign = self._take()
        if sign != "\\":
            return characters(sign)
        sign = self._take()
        if sign == "b":
            raise Undecidable("`\\b` in brackets means different things to RE2 and to JSON Schema")
        found = _class_of(sign, self.dialect)
        return found if found is not None else self._character(sign)


_CLASSES = {
    "d": DIGITS,
    "D": complement(DIGITS),
    "w": WORDS,
    "W": complement(WORDS),
}
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
_NUMBERS = {
    "x": re.compile(r"([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\}"),
    "u": re.compile(r"([0-9A-Fa-f]{4})"),
    "U": re.compile(r"([0-9A-Fa-f]{8})"),
}


def _class_of(sign: str, dialect: Dialect) -> CharacterSet | None:
    """The class that an escape stands for; None if it is none."""
    if sign in ("s", "S"):
        return dialect.spaces if sign == "s" else complement(dialect.spaces)
    return _CLASSES.get(sign)


def _control_of(sign: str, pattern: str, at: int) -> tuple[int, int]:
    """The character of an escape whose sign ends at `at`, and where reading goes on. Raises Undecidable for others."""
    if sign in _CONTROLS:
        return ord(_CONTROLS[sign]), at
    if sign in _NUMBERS:
        found = _NUMBERS[sign].match(pattern, at)
        code = -1 if found is None else int(next(filter(None, found.groups())), 16)
        if found is None or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise Undecidable(f"the pattern has `\\{sign}` without a character's number")
        return code, found.end()
    if sign.isalnum() or not sign.isascii():
        raise Undecidable(f"the pattern has `\\{sign}`, which is not understood here")
    return ord(sign), at
