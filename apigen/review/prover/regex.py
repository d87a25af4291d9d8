"""Regular expressions as sets of strings: a parser, automata, and a search with a limited budget.

It does not use a library: available ones build complete automata before they answer, so that they cannot be stopped
for a pattern with exponentially many states, do not count lengths or bytes together with the pattern, and parse
Python's syntax instead of RE2's, which servers of CRDs use.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum, StrEnum
from functools import lru_cache, wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

from apigen.dataclass import dataclass


class Undecidable(Exception):
    """An unsupported pattern, or a comparison that takes too long. Its text is a clause after "not verified, because"."""


CharacterSet = tuple[tuple[int, int], ...]
"""Inclusive ranges of code points, sorted and not adjacent."""

_FOLDED_TO_ASCII = ((ord("k"), 0x212A), (ord("s"), 0x17F))
"""Characters outside of ASCII whose other case is an ASCII letter: the Kelvin sign, and the long s."""

ANY: CharacterSet = ((0, 0xD7FF), (0xE000, 0x10FFFF))
"""All characters of strings: without surrogates."""


def joined(ranges: Iterable[tuple[int, int]]) -> CharacterSet:
    """Return ranges in any order as a set, without surrogates."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return _within_text(found)


def characters(text: str) -> CharacterSet:
    """Return the set of the characters of a string."""
    return joined((ord(each), ord(each)) for each in text)


def complement(of: CharacterSet) -> CharacterSet:
    """Return the set of all other characters."""
    found: list[tuple[int, int]] = []
    start = 0
    for low, high in of:
        if start < low:
            found.append((start, low - 1))
        start = high + 1
    if start <= 0x10FFFF:
        found.append((start, 0x10FFFF))
    return _within_text(found)


def contains(of: CharacterSet, code: int) -> bool:
    """Return whether a character is in a set."""
    index = bisect_right(of, (code, 0x110000)) - 1
    return index >= 0 and code <= of[index][1]


def both_cases(of: CharacterSet) -> CharacterSet:
    """Return a set with both cases of its letters, as RE2 folds them. Raises Undecidable for letters outside of ASCII."""
    if of and of[-1][1] > 0x7F:
        raise Undecidable("the pattern uses `(?i)` with characters outside of ASCII")
    found = [*of]
    for low, high in of:
        for first, last, by in ((0x41, 0x5A, 0x20), (0x61, 0x7A, -0x20)):
            if max(low, first) <= min(high, last):
                found.append((max(low, first) + by, min(high, last) + by))
    found += [(other, other) for letter, other in _FOLDED_TO_ASCII if contains(joined(found), letter)]
    return joined(found)


def _within_text(ranges: Iterable[tuple[int, int]]) -> CharacterSet:
    return tuple(
        (max(low, first), min(high, last))
        for low, high in ranges
        for first, last in ANY
        if max(low, first) <= min(high, last)
    )


DIGITS = characters("0123456789")
SPACES = characters(" \t\n\r\f\v")
LETTERS = joined([(ord("a"), ord("z")), (ord("A"), ord("Z"))])
WORDS = joined([*LETTERS, *DIGITS, (ord("_"), ord("_"))])
LINE_BREAK = characters("\n")


_ESCAPED = re.compile(r"\\.", re.DOTALL)
_RE2_SPACES = characters(" \t\n\r\f")
_ECMA_LINE_BREAKS = characters("\n\r\u2028\u2029")
_ECMA_SPACES = joined(
    [
        *SPACES,
        *characters("\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"),
        (0x2000, 0x200A),
    ]
)


class Dialect(Enum):
    """Dialects of patterns, each with its sets of `\\s` and of the characters that `.` does not match."""

    RE2 = _RE2_SPACES, LINE_BREAK  # API servers and generated code
    ECMA = _ECMA_SPACES, _ECMA_LINE_BREAKS  # JSON Schema

    @property
    def spaces(self) -> CharacterSet:
        """The characters of `\\s`."""
        return self.value[0]

    @property
    def line_breaks(self) -> CharacterSet:
        """The characters that `.` does not match."""
        return self.value[1]


def others(patterns: tuple[str, ...]) -> tuple[Dialect, ...]:
    """Return the dialects other than RE2 in which one of the patterns may match other strings; none for `(?i)`, which
    only RE2 has.
    """
    if any("(?i" in _ESCAPED.sub("", each) for each in patterns):
        return ()
    has_spaces = any(r"\s" in each or r"\S" in each for each in patterns)
    has_any = any("." in _ESCAPED.sub("", each) for each in patterns)
    return (Dialect.ECMA,) if has_spaces or has_any else ()


class Anchor(StrEnum):
    """Conditions on a position between two characters."""

    BEGIN = "begin"
    END = "end"
    WORD = "word boundary"


@dataclass(frozen=True, slots=True)
class OneOf:
    """Matches one character of a set."""

    characters: CharacterSet


@dataclass(frozen=True, slots=True)
class At:
    """Matches the empty string at a position that satisfies an anchor."""

    anchor: Anchor


@dataclass(frozen=True, slots=True)
class Sequence:
    """Matches all parts in order; without parts, the empty string."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Matches any of its parts."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """Matches its part between `least` and `most` times; `most` None: without a limit."""

    part: Node
    least: int
    most: int | None


Node = OneOf | At | Sequence | Choice | Repeat


_DEEPEST = 60
_LONGEST = 4_000
_MOST_REPEATS = 1_000
_COUNT = re.compile(r"\{(\d{1,6})(?:(,)(\d{1,6})?)?\}")
_GROUP = re.compile(r"\((?:\?(?:P?<[A-Za-z_]\w*>|([is]*):))?")
_FLAGS = re.compile(r"\(\?([is]+)\)")
_ANCHORS = {"A": Anchor.BEGIN, "z": Anchor.END, "Z": Anchor.END, "b": Anchor.WORD}


class _Flags(NamedTuple):
    """Flags of the rest of a group: `.` matches any character, and letters match both cases."""

    dot_all: bool = False
    folds: bool = False

    def with_letters(self, letters: str) -> _Flags:
        """Return the flags with those of some letters added."""
        return _Flags(self.dot_all or "s" in letters, self.folds or "i" in letters)

    def of(self, found: CharacterSet) -> CharacterSet:
        """Return the characters of a set."""
        return both_cases(found) if self.folds else found


def parse(pattern: str, dialect: Dialect = Dialect.RE2) -> Node:
    """Return the tree of a pattern in a dialect. Raises Undecidable if it is not supported."""
    if len(pattern) > _LONGEST:
        raise Undecidable(f"the pattern is longer than {_LONGEST} characters")
    parser = _Parser(pattern, dialect)
    node = parser.choice(0, _Flags())
    if parser.at < len(pattern):
        raise Undecidable("the pattern has an unmatched `)`")
    return node


class _Parser:
    """Parses a pattern; `at` is the current position."""

    def __init__(self, pattern: str, dialect: Dialect) -> None:
        self.pattern = pattern
        self.dialect = dialect
        self.at = 0

    def choice(self, depth: int, flags: _Flags) -> Node:
        """Parse alternatives, up to a `)` or the end."""
        if depth > _DEEPEST:
            raise Undecidable(f"the pattern is nested more than {_DEEPEST} deep")
        parts: list[Node] = []
        while True:
            node, flags = self._sequence(depth, flags)
            parts.append(node)
            if self._next() != "|":
                return parts[0] if len(parts) == 1 else Choice(tuple(parts))
            self.at += 1

    def _next(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def _take(self) -> str:
        if self.at >= len(self.pattern):
            raise Undecidable("the pattern is incomplete")
        self.at += 1
        return self.pattern[self.at - 1]

    def _sequence(self, depth: int, flags: _Flags) -> tuple[Node, _Flags]:
        """Parse a concatenation; a flag in it applies until the end of the group."""
        parts: list[Node] = []
        while self._next() not in ("", "|", ")"):
            group = _FLAGS.match(self.pattern, self.at)
            if group is not None and self._reads(group[1]):
                self.at, flags = group.end(), flags.with_letters(group[1])
                continue
            parts.append(self._repeated(self._atom(depth, flags)))
        return (parts[0] if len(parts) == 1 else Sequence(tuple(parts))), flags

    def _reads(self, letters: str) -> bool:
        """Return whether the dialect supports these flags: ECMAScript has no `(?i)`."""
        return "i" not in letters or self.dialect is Dialect.RE2

    def _repeated(self, node: Node) -> Node:
        least, most = self._times()
        if least is None:
            return node
        if isinstance(node, At):
            raise Undecidable("the pattern repeats an anchor")
        if self._next() == "?":  # a lazy repeat matches the same strings
            self.at += 1
        if self._next() in ("+", "*", "?") or self._times()[0] is not None:
            raise Undecidable("the pattern repeats a repeat count")
        return Repeat(node, least, most)

    def _times(self) -> tuple[int | None, int | None]:
        """Parse the repeat of the previous part; the minimum is `None` without a repeat."""
        sign = self._next()
        if sign and sign in "*+?":
            self.at += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        count = _COUNT.match(self.pattern, self.at)
        if count is None:
            if re.compile(r"\{,\d*\}").match(self.pattern, self.at):
                raise Undecidable("`{,n}` has different meanings in RE2 and other languages")
            return None, None
        self.at = count.end()
        least = int(count[1])
        most = least if count[2] is None else int(count[3]) if count[3] is not None else None
        if most is not None and most < least:
            raise Undecidable("the pattern has a maximum repeat count below the minimum")
        if max(least, most or 0) > _MOST_REPEATS:
            raise Undecidable(f"the pattern repeats more than {_MOST_REPEATS} times")
        return least, most

    def _atom(self, depth: int, flags: _Flags) -> Node:
        sign = self._next()
        if sign == "(":
            return self._group(depth, flags)
        self.at += 1
        match sign:
            case "[":
                return OneOf(self._class(flags))
            case ".":
                return OneOf(ANY if flags.dot_all else complement(self.dialect.line_breaks))
            case "^":
                return At(Anchor.BEGIN)
            case "$":
                return At(Anchor.END)
            case "\\":
                return self._escape(flags)
            case "*" | "+" | "?":
                raise Undecidable("the pattern has a repeat count without an expression")
        return OneOf(flags.of(characters(sign)))

    def _group(self, depth: int, flags: _Flags) -> Node:
        start = _GROUP.match(self.pattern, self.at)
        letters = "" if start is None else start[1] or ""
        is_other = self.pattern.startswith("(?", self.at) and start is not None and start.end() == self.at + 1
        if start is None or is_other or not self._reads(letters):
            raise Undecidable(f"the pattern has `{self.pattern[self.at : self.at + 4]}`, which apigen does not support")
        self.at = start.end()
        node = self.choice(depth + 1, flags.with_letters(letters))
        if self._take() != ")":
            raise Undecidable("the pattern has an unmatched `(`")
        return node

    def _escape(self, flags: _Flags) -> Node:
        sign = self._take()
        if sign in _ANCHORS:
            return At(_ANCHORS[sign])
        return OneOf(self._escaped(sign, flags))

    def _escaped(self, sign: str, flags: _Flags) -> CharacterSet:
        """Return the class, or the character, of an escape. A negated class is the complement of both cases."""
        if sign in ("D", "S", "W"):
            return complement(self._escaped(sign.lower(), flags))
        found = _class_of(sign, self.dialect)
        return flags.of(found if found is not None else self._character(sign))

    def _character(self, sign: str) -> CharacterSet:
        """Return the character of an escape."""
        code, self.at = _control_of(sign, self.pattern, self.at)
        return joined([(code, code)])

    def _class(self, flags: _Flags) -> CharacterSet:
        """Parse a class in brackets."""
        negated = self._next() == "^"
        self.at += negated
        found: list[tuple[int, int]] = []
        is_first = True
        while is_first or self._next() != "]":
            is_first = False
            found.extend(self._member(flags))
        self.at += 1
        members = joined(found)
        return complement(members) if negated else members

    def _member(self, flags: _Flags) -> CharacterSet:
        """Parse a character, a class or a range in brackets."""
        if self.pattern[self.at : self.at + 2] in ("[:", "[.", "[="):
            raise Undecidable("named character classes have different meanings in RE2 and JSON Schema")
        low = self._class_part()
        if self._next() != "-" or self.pattern[self.at + 1 : self.at + 2] in ("]", ""):
            return flags.of(low)
        self.at += 1
        high = self._class_part()
        if len(low) != 1 or len(high) != 1 or low[0][0] != low[0][1] or high[0][0] != high[0][1] or high < low:
            raise Undecidable("the pattern has an invalid range")
        return flags.of(joined([(low[0][0], high[0][0])]))

    def _class_part(self) -> CharacterSet:
        sign = self._take()
        if sign != "\\":
            return characters(sign)
        sign = self._take()
        if sign == "b":
            raise Undecidable("`\\b` in brackets has different meanings in RE2 and JSON Schema")
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
    """Return the class of an escape, or `None` if the escape is not a class."""
    if sign in ("s", "S"):
        return dialect.spaces if sign == "s" else complement(dialect.spaces)
    return _CLASSES.get(sign)


def _control_of(sign: str, pattern: str, at: int) -> tuple[int, int]:
    """Return the character of an escape whose letter ends at `at`, and the next position. Raises Undecidable for
    others.
    """
    if sign in _CONTROLS:
        return ord(_CONTROLS[sign]), at
    if sign in _NUMBERS:
        found = _NUMBERS[sign].match(pattern, at)
        code = -1 if found is None else int(next(filter(None, found.groups())), 16)
        if found is None or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise Undecidable(f"the pattern has `\\{sign}` without a valid code")
        return code, found.end()
    if sign.isalnum() or not sign.isascii():
        raise Undecidable(f"the pattern has `\\{sign}`, which apigen does not support")
    return ord(sign), at


IN_ALL = 1_000_000
"""Number of states and letters that are visited in a review, which takes one or two seconds. None of about 1,300 test
cases and CRDs needs more than 2,500.
"""

LEAST = 2_000
"""The budget of a comparison after that, so that patterns with many states do not prevent the comparison of simple
ones.
"""

P = ParamSpec("P")
R = TypeVar("R")


class Account:
    """The remaining work budget, and the answers found, which may depend on the budget."""

    def __init__(self, work: int = IN_ALL) -> None:
        self.left = work
        self.kept: dict[Hashable, Callable[..., Any]] = {}

    def affords(self, work: int) -> int:
        """Return the budget of a comparison that requests `work`."""
        return min(work, max(self.left, LEAST))


_current: ContextVar[Account | None] = ContextVar("account", default=None)


@contextmanager
def one_account(work: int = IN_ALL) -> Iterator[Account]:
    """Share one account in the block; comparisons outside of such a block have an account of their own each."""
    account = Account(work)
    before = _current.set(account)
    try:
        yield account
    finally:
        _current.reset(before)


def affordable(work: int) -> int:
    """Return the budget of a comparison that requests `work`, from the current account."""
    return (_current.get() or Account()).affords(work)


def kept(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that caches up to `most` results of a function in the current account."""

    def keeping(find: Callable[P, R]) -> Callable[P, R]:
        @wraps(find)
        def found(*args: P.args, **kwargs: P.kwargs) -> R:
            account = _current.get()
            if account is None:
                return find(*args, **kwargs)
            if find not in account.kept:
                account.kept[find] = lru_cache(most)(find)
            return cast(R, account.kept[find](*args, **kwargs))

        return found

    return keeping


class Budget:
    """The work budget of one comparison, which is also subtracted from the account."""

    def __init__(self, work: int, reason: str = "the patterns are too large to compare") -> None:
        self._account = _current.get() or Account()
        self._reason = reason
        self.left = self._account.affords(work)

    def spend(self, work: int) -> None:
        """Subtract work. Raises Undecidable if the budget is used up."""
        self.left -= work
        self._account.left -= work
        if self.left < 0:
            raise Undecidable(self._reason)


MOST_STATES = 6_000
_MOST_STEPS = 50_000
_MOST_LOOKED_AT = 500_000

FOUND = 1
"""The state that accepts every continuation."""


_MOST_KEPT = 2_000
"""Maximum number of cached steps of a machine."""


class _Step(NamedTuple):
    """A step of a machine by one character: whether the pattern was found before it, the number of states, those after
    it, and the kind of the character.
    """

    is_found: bool
    work: int
    states: frozenset[int]
    before: str


class Machine:
    """A nondeterministic automaton: for each state, the transitions on a character of a set, and those without a
    character.

    It starts in state 0, which also accepts any prefix before a match; FOUND accepts any suffix after one.
    """

    def __init__(self, node: Node) -> None:
        self._budget = Budget(_MOST_STEPS, "the pattern repeats too much")
        self.moves: list[list[tuple[CharacterSet, int]]] = [[(ANY, 0)], [(ANY, FOUND)]]
        self.free: list[list[tuple[Anchor | None, int]]] = [[], []]
        self.anchors: set[Anchor] = set()
        start = self._build(node, FOUND)
        self.free[0].append((None, start))
        self.alive = self._alive()
        self._steps: dict[tuple[frozenset[int], str, str], _Step] = {}

    def _state(self) -> int:
        if len(self.moves) >= MOST_STATES:
            raise Undecidable(f"the pattern has more than {MOST_STATES} states")
        self.moves.append([])
        self.free.append([])
        return len(self.moves) - 1

    def _build(self, node: Node, end: int) -> int:
        """Add the states of a node that ends at state `end`; return its first state."""
        self._budget.spend(1)
        match node:
            case OneOf(of):
                state = self._state()
                self.moves[state].append((of, end))
                return state
            case At(anchor):
                self.anchors.add(anchor)
                state = self._state()
                self.free[state].append((anchor, end))
                return state
            case Sequence(parts):
                for part in reversed(parts):
                    end = self._build(part, end)
                return end
            case Choice(parts):
                state = self._state()
                self.free[state].extend((None, self._build(part, end)) for part in parts)
                return state
            case Repeat():
                return self._repeat(node, end)

    def _repeat(self, node: Repeat, end: int) -> int:
        if node.most is None:
            loop = self._state()
            self.free[loop].extend(((None, self._build(node.part, loop)), (None, end)))
            end = loop
        else:
            last = end
            for _ in range(node.most - node.least):
                state = self._state()
                self.free[state].extend(((None, self._build(node.part, end)), (None, last)))
                end = state
        for _ in range(node.least):
            end = self._build(node.part, end)
        return end

    def _alive(self) -> frozenset[int]:
        """Return the states that can still reach FOUND after a character, when anchors of the beginning no longer
        match.
        """
        before: dict[int, set[int]] = {}
        for state in range(len(self.moves)):
            for _, target in self.moves[state]:
                before.setdefault(target, set()).add(state)
            for anchor, target in self.free[state]:
                if anchor is not Anchor.BEGIN:
                    before.setdefault(target, set()).add(state)
        alive, waiting = {FOUND}, [FOUND]
        while waiting:
            for state in before.get(waiting.pop(), ()):
                if state not in alive:
                    alive.add(state)
                    waiting.append(state)
        return frozenset(alive)

    def closure(self, states: frozenset[int], before: str, after: str) -> set[int]:
        """Return the states reached without a character between the kinds `before` and `after`: see `kind`."""
        found, waiting = set(states), list(states)
        while waiting:
            for anchor, target in self.free[waiting.pop()]:
                if target not in found and (anchor is None or _holds(anchor, before, after)):
                    found.add(target)
                    waiting.append(target)
        return found

    def finds(self, text: str) -> bool:
        """Return whether the pattern matches in a string, in linear time. Raises Undecidable."""
        states, before = frozenset((0,)), EDGE
        budget = Budget(_MOST_LOOKED_AT)
        for each in text:
            known = self._steps.get((states, before, each))
            if known is None:
                known = self._step(states, before, each)
                if len(self._steps) < _MOST_KEPT:
                    self._steps[states, before, each] = known
            if known.is_found:
                return True
            budget.spend(known.work)
            states, before = known.states, known.before
        return FOUND in self.closure(states, before, EDGE)

    def _step(self, states: frozenset[int], before: str, character: str) -> _Step:
        code = ord(character)
        after = kind(code)
        here = self.closure(states, before, after)
        found = frozenset(target for state in here for of, target in self.moves[state] if contains(of, code))
        return _Step(FOUND in here, len(here), found, after)


EDGE, WORD, OTHER = "edge", "word", "other"


def kind(code: int) -> str:
    """Return the kind of a character that anchors at adjacent positions distinguish."""
    return WORD if contains(WORDS, code) else OTHER


def literal(text: str) -> Node:
    """Return the tree that matches exactly one string."""
    middle = (OneOf(characters(each)) for each in text)
    return Sequence((At(Anchor.BEGIN), *middle, At(Anchor.END)))


def _holds(anchor: Anchor, before: str, after: str) -> bool:
    match anchor:
        case Anchor.BEGIN:
            return before == EDGE
        case Anchor.END:
            return after == EDGE
        case Anchor.WORD:
            return (before == WORD) != (after == WORD)


_MOST_LETTERS = 3_000
_LOOKS = 8
"""Lookups of a character in a set that take as long as visiting one state of a machine."""
_NICE = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./:,;=+!?@#%&*()[]{}<>|~^$'\"` \\é\n\t"


class Letter:
    """Characters of one kind: their representative, its kind for adjacent positions, and its bytes in UTF-8."""

    __slots__ = ("character", "code", "kind", "size")

    def __init__(self, code: int) -> None:
        self.code = code
        self.character = chr(code)
        self.kind = kind(code)
        self.size = len(self.character.encode("utf-8"))


def letters(sets: Iterable[CharacterSet], budget: Budget, *, by_size: bool) -> tuple[Letter, ...]:
    """Return the classes of characters that some sets distinguish, readable ones first. `by_size`: their UTF-8 lengths
    distinguish them, too.

    Raises Undecidable if there are too many classes or sets.
    """
    distinct = list(dict.fromkeys((*sets, WORDS)))
    bounds = {0x80, 0x800, 0x10000} if by_size else set()
    for ranges in (*distinct, ANY):
        for low, high in ranges:
            bounds.update((low, high + 1))
    if len(bounds) > _MOST_LETTERS:
        raise Undecidable("the patterns distinguish too many characters")
    starts = sorted(bound for bound in bounds if contains(ANY, bound))
    budget.spend(len(distinct) * len(starts) // _LOOKS)
    first_codes: dict[tuple[object, ...], int] = {}
    nice = (ord(each) for each in _NICE)
    for code in (*nice, *starts):
        signature: tuple[object, ...] = tuple(contains(ranges, code) for ranges in distinct)
        first_codes.setdefault((signature, len(chr(code).encode("utf-8")) if by_size else 0), code)
    return tuple(Letter(code) for code in first_codes.values())


Step = tuple[frozenset[int], str]
"""The states of a machine, and the kind of the previous character."""

START, DONE = 0, 1
"""The numbers of the first step of a machine, and of the step after its pattern has matched."""


class Walker:
    """Runs one machine over letters. Its steps are numbered; results are cached."""

    def __init__(self, machine: Machine, budget: Budget) -> None:
        self._machine = machine
        self._budget = budget
        self._steps: list[Step] = [(frozenset((0,)), EDGE), (frozenset((FOUND,)), OTHER)]
        self._numbers = {step: number for number, step in enumerate(self._steps)}
        self._after: list[dict[int, int]] = [{} for _ in self._steps]
        self._accepting: dict[int, bool] = {}
        self._looks_back = Anchor.WORD in machine.anchors

    def step(self, number: int, letter: Letter) -> int:
        """Return the number of the step after a letter."""
        if number == DONE:
            return DONE
        known = self._after[number].get(letter.code)
        if known is None:
            known = self._after[number][letter.code] = self._number(self._walk(self._steps[number], letter))
        return known

    def accepts(self, number: int) -> bool:
        """Return whether the pattern has matched if the string ends here."""
        known = self._accepting.get(number)
        if known is None:
            states, before = self._steps[number]
            self._budget.spend(len(states) + 1)
            known = self._accepting[number] = FOUND in self._machine.closure(states, before, EDGE)
        return known

    def is_dead(self, number: int) -> bool:
        """Return whether no continuation can match."""
        return not self._steps[number][0]

    def _number(self, step: Step) -> int:
        number = self._numbers.setdefault(step, len(self._steps))
        if number == len(self._steps):
            self._steps.append(step)
            self._after.append({})
        return number

    def _walk(self, step: Step, letter: Letter) -> Step:
        states, before = step
        here = self._machine.closure(states, before, letter.kind)
        if FOUND in here:
            return self._steps[DONE]
        self._budget.spend(len(here) + 1)
        moves, alive, code = self._machine.moves, self._machine.alive, letter.code
        targets = frozenset(
            target for state in here for of, target in moves[state] if target in alive and contains(of, code)
        )
        return targets, letter.kind if self._looks_back else OTHER
