"""Regular expressions as sets of texts: a parser, automata, and a search that stays within a budget.

Written here and not taken from a library: the ones at hand build whole automata before they answer, so that a pattern that
explodes is not stopped, count no lengths or bytes next to the pattern, and read Python's syntax where servers of CRDs read RE2's.
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
    """A pattern that is not understood, or a question that takes too long. Its text goes on from "not proven: "."""


CharacterSet = tuple[tuple[int, int], ...]
"""Ranges from and to, both included, in order and apart from each other."""

_FOLDED_TO_ASCII = ((ord("k"), 0x212A), (ord("s"), 0x17F))
"""Characters beyond ASCII whose other case is a letter of ASCII: the sign for Kelvin, and the long s."""

ANY: CharacterSet = ((0, 0xD7FF), (0xE000, 0x10FFFF))
"""What text can hold: no halves of surrogate pairs."""


def joined(ranges: Iterable[tuple[int, int]]) -> CharacterSet:
    """Ranges in any order, as a set. What no text can hold is omitted."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return _within_text(found)


def characters(text: str) -> CharacterSet:
    """The characters of a text."""
    return joined((ord(each), ord(each)) for each in text)


def complement(of: CharacterSet) -> CharacterSet:
    """All others."""
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
    """Whether a character is in a set."""
    index = bisect_right(of, (code, 0x110000)) - 1
    return index >= 0 and code <= of[index][1]


def both_cases(of: CharacterSet) -> CharacterSet:
    """A set with the other cases of its letters, as RE2 folds them. Raises Undecidable for letters beyond ASCII."""
    if of and of[-1][1] > 0x7F:
        raise Undecidable("the pattern has `(?i)` with characters beyond ASCII")
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
    """Languages of patterns, each with its sets of `\\s` and of what `.` does not match."""

    RE2 = _RE2_SPACES, LINE_BREAK  # API servers and generated code
    ECMA = _ECMA_SPACES, _ECMA_LINE_BREAKS  # JSON Schema

    @property
    def spaces(self) -> CharacterSet:
        """What `\\s` stands for."""
        return self.value[0]

    @property
    def line_breaks(self) -> CharacterSet:
        """What `.` does not stand for."""
        return self.value[1]


def others(patterns: tuple[str, ...]) -> tuple[Dialect, ...]:
    """The dialects besides RE2 in which one of the patterns may match other texts; RE2 alone has `(?i)`."""
    if any("(?i" in _ESCAPED.sub("", each) for each in patterns):
        return ()
    has_spaces = any(r"\s" in each or r"\S" in each for each in patterns)
    has_any = any("." in _ESCAPED.sub("", each) for each in patterns)
    return (Dialect.ECMA,) if has_spaces or has_any else ()


class Anchor(StrEnum):
    """What holds at a place between characters."""

    BEGIN = "begin"
    END = "end"
    WORD = "word boundary"


@dataclass(frozen=True, slots=True)
class OneOf:
    """One character of a set."""

    characters: CharacterSet


@dataclass(frozen=True, slots=True)
class At:
    """No character; something holds here."""

    anchor: Anchor


@dataclass(frozen=True, slots=True)
class Sequence:
    """One after the other; none: the empty text."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Any of them."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """So many times; `most` None: without end."""

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
    """How what follows is read: `.` is any character, and letters stand for both of their cases."""

    dot_all: bool = False
    folds: bool = False

    def with_letters(self, letters: str) -> _Flags:
        """Also those that are written as letters."""
        return _Flags(self.dot_all or "s" in letters, self.folds or "i" in letters)

    def of(self, found: CharacterSet) -> CharacterSet:
        """The characters that a set stands for."""
        return both_cases(found) if self.folds else found


def parse(pattern: str, dialect: Dialect = Dialect.RE2) -> Node:
    """The tree of a pattern, as a dialect reads it. Raises Undecidable if it is not understood."""
    if len(pattern) > _LONGEST:
        raise Undecidable(f"the pattern is longer than {_LONGEST} characters")
    parser = _Parser(pattern, dialect)
    node = parser.choice(0, _Flags())
    if parser.at < len(pattern):
        raise Undecidable("the pattern has a `)` too many")
    return node


class _Parser:
    """Where in a pattern reading is."""

    def __init__(self, pattern: str, dialect: Dialect) -> None:
        self.pattern = pattern
        self.dialect = dialect
        self.at = 0

    def choice(self, depth: int, flags: _Flags) -> Node:
        """Alternatives, up to a `)` or the end."""
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
            raise Undecidable("the pattern ends in the middle")
        self.at += 1
        return self.pattern[self.at - 1]

    def _sequence(self, depth: int, flags: _Flags) -> tuple[Node, _Flags]:
        """What stands one after the other; a flag in it holds to the end of the group."""
        parts: list[Node] = []
        while self._next() not in ("", "|", ")"):
            said = _FLAGS.match(self.pattern, self.at)
            if said is not None and self._reads(said[1]):
                self.at, flags = said.end(), flags.with_letters(said[1])
                continue
            parts.append(self._repeated(self._atom(depth, flags)))
        return (parts[0] if len(parts) == 1 else Sequence(tuple(parts))), flags

    def _reads(self, letters: str) -> bool:
        """Whether these flags are known: ECMAScript has no `(?i)`."""
        return "i" not in letters or self.dialect is Dialect.RE2

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
                raise Undecidable("the pattern repeats nothing")
        return OneOf(flags.of(characters(sign)))

    def _group(self, depth: int, flags: _Flags) -> Node:
        start = _GROUP.match(self.pattern, self.at)
        letters = "" if start is None else start[1] or ""
        is_other = self.pattern.startswith("(?", self.at) and start is not None and start.end() == self.at + 1
        if start is None or is_other or not self._reads(letters):
            raise Undecidable(f"the pattern has `{self.pattern[self.at : self.at + 4]}`, which is not understood here")
        self.at = start.end()
        node = self.choice(depth + 1, flags.with_letters(letters))
        if self._take() != ")":
            raise Undecidable("the pattern has a `(` too many")
        return node

    def _escape(self, flags: _Flags) -> Node:
        sign = self._take()
        if sign in _ANCHORS:
            return At(_ANCHORS[sign])
        return OneOf(self._escaped(sign, flags))

    def _escaped(self, sign: str, flags: _Flags) -> CharacterSet:
        """The class, or the one character, that an escape stands for. A class of all others is that of the others in both cases."""
        if sign in ("D", "S", "W"):
            return complement(self._escaped(sign.lower(), flags))
        found = _class_of(sign, self.dialect)
        return flags.of(found if found is not None else self._character(sign))

    def _character(self, sign: str) -> CharacterSet:
        """The one character that an escape stands for."""
        code, self.at = _control_of(sign, self.pattern, self.at)
        return joined([(code, code)])

    def _class(self, flags: _Flags) -> CharacterSet:
        """What stands in brackets."""
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
        """A character, a class or a range in brackets."""
        if self.pattern[self.at : self.at + 2] in ("[:", "[.", "[="):
            raise Undecidable("classes by name mean different things to RE2 and to JSON Schema")
        low = self._class_part()
        if self._next() != "-" or self.pattern[self.at + 1 : self.at + 2] in ("]", ""):
            return flags.of(low)
        self.at += 1
        high = self._class_part()
        if len(low) != 1 or len(high) != 1 or low[0][0] != low[0][1] or high[0][0] != high[0][1] or high < low:
            raise Undecidable("the pattern has a range that is none")
        return flags.of(joined([(low[0][0], high[0][0])]))

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


IN_ALL = 1_000_000
"""States and letters that are looked at in a review, a second or two of them. Of some 1,300 cases and CRDs none takes more than 2,500."""

LEAST = 2_000
"""What a question may take after that: patterns that explode shall not keep plain ones from being compared."""

P = ParamSpec("P")
R = TypeVar("R")


class Account:
    """The work that is left, and the answers that were found: they may be others where more, or less, is left."""

    def __init__(self, work: int = IN_ALL) -> None:
        self.left = work
        self.kept: dict[Hashable, Callable[..., Any]] = {}

    def affords(self, work: int) -> int:
        """How much of it a question may take."""
        return min(work, max(self.left, LEAST))


_current: ContextVar[Account | None] = ContextVar("account", default=None)


@contextmanager
def one_account(work: int = IN_ALL) -> Iterator[Account]:
    """All that is asked within takes from one account; what is asked elsewhere has one of its own each time."""
    account = Account(work)
    before = _current.set(account)
    try:
        yield account
    finally:
        _current.reset(before)


def affordable(work: int) -> int:
    """How much of it a question may take, of the account that holds."""
    return (_current.get() or Account()).affords(work)


def kept(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Makes a function keep so many answers, for as long as its account holds."""

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
    """The work for one question, which the account pays for."""

    def __init__(self, work: int, reason: str = "the patterns are too large to compare") -> None:
        self._account = _current.get() or Account()
        self._reason = reason
        self.left = self._account.affords(work)

    def spend(self, work: int) -> None:
        """Raises Undecidable where nothing is left."""
        self.left -= work
        self._account.left -= work
        if self.left < 0:
            raise Undecidable(self._reason)


MOST_STATES = 6_000
_MOST_STEPS = 50_000
_MOST_LOOKED_AT = 500_000

FOUND = 1
"""The state of which every text that goes on is good."""


class Machine:
    """A non-deterministic automaton: by state, the moves over a character of a set, and those over none.

    It is in state 0 at the beginning, stays there for whatever comes before a match, and in FOUND for what comes after.
    """

    def __init__(self, node: Node) -> None:
        self._budget = Budget(_MOST_STEPS, "the pattern repeats too much")
        self.moves: list[list[tuple[CharacterSet, int]]] = [[(ANY, 0)], [(ANY, FOUND)]]
        self.free: list[list[tuple[Anchor | None, int]]] = [[], []]
        self.anchors: set[Anchor] = set()
        start = self._build(node, FOUND)
        self.free[0].append((None, start))
        self.alive = self._alive()

    def _state(self) -> int:
        if len(self.moves) >= MOST_STATES:
            raise Undecidable(f"the pattern has more than {MOST_STATES} states")
        self.moves.append([])
        self.free.append([])
        return len(self.moves) - 1

    def _build(self, node: Node, end: int) -> int:
        """The state from which a node leads to `end`."""
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
        """The states that can still lead to FOUND once a character was read: the beginning is over then."""
        before: dict[int, set[int]] = {}
        for state in range(len(self.moves)):
            for _, target in self.moves[state]:
                before.setdefault(target, set()).add(state)
            for anchor, target in self.free[state]:
                if anchor is not Anchor.BEGIN:
                    before.setdefault(target, set()).add(state)
        found, waiting = {FOUND}, [FOUND]
        while waiting:
            for state in before.get(waiting.pop(), ()):
                if state not in found:
                    found.add(state)
                    waiting.append(state)
        return frozenset(found)

    def closure(self, states: frozenset[int], before: str, after: str) -> set[int]:
        """The states that are reached without a character between what stands `before` and `after`: see `kind`."""
        found, waiting = set(states), list(states)
        while waiting:
            for anchor, target in self.free[waiting.pop()]:
                if target not in found and (anchor is None or _holds(anchor, before, after)):
                    found.add(target)
                    waiting.append(target)
        return found

    def finds(self, text: str) -> bool:
        """Whether the pattern is found in a text, in time that grows with its length alone. Raises Undecidable."""
        states, before = frozenset((0,)), EDGE
        budget = Budget(_MOST_LOOKED_AT)
        for each in text:
            here = self.closure(states, before, kind(ord(each)))
            if FOUND in here:
                return True
            budget.spend(len(here))
            code = ord(each)
            states = frozenset(target for state in here for of, target in self.moves[state] if contains(of, code))
            before = kind(code)
        return FOUND in self.closure(states, before, EDGE)


EDGE, WORD, OTHER = "edge", "word", "other"


def kind(code: int) -> str:
    """What a character is to the places next to it."""
    return WORD if contains(WORDS, code) else OTHER


def literal(text: str) -> Node:
    """The tree of exactly one text."""
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
"""Looks for a character in a set, which take as long as one at a state of a machine."""
_NICE = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./:,;=+!?@#%&*()[]{}<>|~^$'\"` \\é\n\t"


class Letter:
    """Characters of one kind: the one that stands for them, what it is to the places next to it, and its bytes in UTF-8."""

    __slots__ = ("character", "code", "kind", "size")

    def __init__(self, code: int) -> None:
        self.code = code
        self.character = chr(code)
        self.kind = kind(code)
        self.size = len(self.character.encode("utf-8"))


def letters(sets: Iterable[CharacterSet], budget: Budget, *, by_size: bool) -> tuple[Letter, ...]:
    """The letters that sets of characters make, those that are good to read first. `by_size`: bytes tell them apart, too.

    Raises Undecidable where there are too many, or too many sets.
    """
    distinct = list(dict.fromkeys((*sets, WORDS)))
    bounds = {0x80, 0x800, 0x10000} if by_size else set()
    for ranges in (*distinct, ANY):
        for low, high in ranges:
            bounds.update((low, high + 1))
    if len(bounds) > _MOST_LETTERS:
        raise Undecidable("the patterns tell too many characters apart")
    starts = sorted(bound for bound in bounds if contains(ANY, bound))
    budget.spend(len(distinct) * len(starts) // _LOOKS)
    found: dict[tuple[object, ...], int] = {}
    nice = (ord(each) for each in _NICE)
    for code in (*nice, *starts):
        signature: tuple[object, ...] = tuple(contains(ranges, code) for ranges in distinct)
        found.setdefault((signature, len(chr(code).encode("utf-8")) if by_size else 0), code)
    return tuple(Letter(code) for code in found.values())


Step = tuple[frozenset[int], str]
"""The states that a machine can be in, and what stands before."""

DONE: Step = (frozenset((FOUND,)), OTHER)
"""The pattern was found."""

START: Step = (frozenset((0,)), EDGE)


class Walker:
    """Steps of one machine over letters; what was worked out is kept."""

    def __init__(self, machine: Machine, budget: Budget) -> None:
        self._machine = machine
        self._budget = budget
        self._steps: dict[tuple[Step, int], Step] = {}
        self._accepting: dict[Step, bool] = {}
        self._looks_back = Anchor.WORD in machine.anchors

    def step(self, step: Step, letter: Letter) -> Step:
        """Where a letter leads."""
        if step == DONE:
            return DONE
        known = self._steps.get((step, letter.code))
        if known is None:
            known = self._steps[(step, letter.code)] = self._walk(step, letter)
        return known

    def accepts(self, step: Step) -> bool:
        """Whether the pattern is found if the text ends here."""
        known = self._accepting.get(step)
        if known is None:
            self._budget.spend(len(step[0]) + 1)
            known = self._accepting[step] = FOUND in self._machine.closure(step[0], step[1], EDGE)
        return known

    def is_dead(self, step: Step) -> bool:
        """Whether the pattern is not found, whatever comes."""
        return not step[0]

    def _walk(self, step: Step, letter: Letter) -> Step:
        states, before = step
        here = self._machine.closure(states, before, letter.kind)
        if FOUND in here:
            return DONE
        self._budget.spend(len(here) + 1)
        moves, alive, code = self._machine.moves, self._machine.alive, letter.code
        targets = frozenset(
            target for state in here for of, target in moves[state] if target in alive and contains(of, code)
        )
        return targets, letter.kind if self._looks_back else OTHER
