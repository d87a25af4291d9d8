"""Regular expressions as sets of strings: automata, and a search with a limited budget.

Parser and program are those of validation. No library is used: available ones build complete automata before they
answer, so that they cannot be stopped for a pattern with exponentially many states, and do not count lengths or bytes
together with the pattern.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast

from apigen.runtime import pattern_syntax
from apigen.runtime.pattern_syntax import (
    ASSERTION,
    CHARACTERS,
    CHOICE,
    LINE_END,
    LINE_START,
    NOT_NEWLINE,
    SEQUENCE,
    SPACES,
    TEXT_END,
    TEXT_START,
    WORDS,
    CharacterSet,
    Node,
    PatternError,
    complement,
    contains,
    union,
)
from apigen.runtime.patterns import EDGE, OTHER, TRUE, Program, neighbor_kind


class Undecidable(Exception):
    """An unsupported pattern, or a comparison that takes too long. Its text is a clause after "not verified, because"."""


_ESCAPED = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|x\{([0-9A-Fa-f]+)\}|.)", re.DOTALL)
_RE2_ONLY = re.compile(r"\(\?[a-z-]*[imU]")
_NO_COUNT = re.compile(r"\{(?:,\d*|0\d+(?:,\d*)?|\d*,0\d+)\}")
_CLASS = re.compile(r"\[\^?\]?[^\]]*\]")
_NAMED_CLASS = re.compile(r"\[\^?\]?[^\]]*\[[:.=]")
_OTHER_MEANING = frozenset("0123456789pPQ")
"""Escapes with different meanings in RE2 and other languages."""


def _set(characters: str, *ranges: tuple[int, int]) -> CharacterSet:
    return union((*((ord(each), ord(each)) for each in characters), *ranges))


class Dialect(Enum):
    """Dialects of patterns, each with its sets of `\\s` and of the characters that `.` matches."""

    RE2 = SPACES, NOT_NEWLINE  # API servers and generated code
    ECMA = (  # JSON Schema
        _set(" \t\n\r\f\v\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff", (0x2000, 0x200A)),
        complement(_set("\n\r\u2028\u2029")),
    )


def others(patterns: tuple[str, ...]) -> tuple[Dialect, ...]:
    """Return the dialects other than RE2 in which one of the patterns may match other strings; none for flags that
    only RE2 has.
    """
    plain = [_ESCAPED.sub("_", each) for each in patterns]
    if any(map(_RE2_ONLY.search, plain)):
        return ()
    has_spaces = any(r"\s" in each or r"\S" in each for each in patterns)
    return (Dialect.ECMA,) if has_spaces or any("." in each for each in plain) else ()


def parse(pattern: str, dialect: Dialect = Dialect.RE2) -> Node:
    """Return the tree of a pattern in a dialect.

    Raises Undecidable for a pattern that is not valid in RE2 or has another meaning in other languages, because the
    validator of the strings is unknown.
    """
    plain = _ESCAPED.sub("_", pattern)
    if _NAMED_CLASS.search(plain):
        raise Undecidable("named character classes have different meanings in RE2 and JSON Schema")
    count = _NO_COUNT.search(_CLASS.sub("_", plain))
    if count is not None:
        raise Undecidable(f"`{count[0]}` has different meanings in RE2 and other languages")
    pattern = _ESCAPED.sub(_escape, pattern)
    try:
        return pattern_syntax.parse(pattern, *dialect.value)
    except PatternError as error:
        for start, length in (("(?", 4), ("\\", 2)):
            if pattern.startswith(start, error.offset):
                raise _unsupported(pattern[error.offset : error.offset + length]) from None
        raise Undecidable(f"the pattern is not valid in RE2: {error}") from None


def _escape(found: re.Match[str]) -> str:
    """Return an escape as RE2 reads it. Raises Undecidable."""
    code = found[1] or found[2]
    if code is not None:
        if 0xD800 <= int(code, 16) <= 0xDFFF:
            raise Undecidable(f"`{found[0]}` is half of a surrogate pair, which no string contains")
        return rf"\x{{{code}}}"
    if found[0][1] in _OTHER_MEANING:
        raise _unsupported(found[0])
    return r"\z" if found[0] == r"\Z" else found[0]  # the end in Python's `re`


def _unsupported(part: str) -> Undecidable:
    return Undecidable(f"the pattern has `{part}`, which apigen does not support")


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
        self.cached: dict[Hashable, Callable[..., Any]] = {}

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


def cached(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that caches up to `most` results of a function in the current account."""

    def keeping(find: Callable[P, R]) -> Callable[P, R]:
        @wraps(find)
        def found(*args: P.args, **kwargs: P.kwargs) -> R:
            account = _current.get()
            if account is None:
                return find(*args, **kwargs)
            if find not in account.cached:
                account.cached[find] = lru_cache(most)(find)
            return cast(R, account.cached[find](*args, **kwargs))

        return found

    return keeping


class Budget:
    """The work budget of one comparison, which is also subtracted from the account."""

    def __init__(self, work: int) -> None:
        self._account = _current.get() or Account()
        self.left = self._account.affords(work)

    def spend(self, work: int) -> None:
        """Subtract work. Raises Undecidable if the budget is used up."""
        self.left -= work
        self._account.left -= work
        if self.left < 0:
            raise Undecidable("the patterns are too large to compare")


MOST_STATES = 6_000
_MOST_LOOKED_AT = 500_000
_MOST_KEPT = 2_000
"""Maximum number of steps that a machine caches to match other strings."""


class Machine:
    """The automaton of a pattern. Raises Undecidable for a pattern with too many states."""

    def __init__(self, tree: Node) -> None:
        if tree.size > MOST_STATES:
            raise Undecidable(f"the pattern has more than {MOST_STATES} states")
        self.program = Program(tree)
        self._finder = Walker(self, Budget(0))

    @property
    def size(self) -> int:
        """Return the number of states."""
        return len(self.program.kinds)

    @property
    def sets(self) -> Iterator[CharacterSet]:
        """Yield the sets of characters that the pattern distinguishes."""
        yield from self.program.sets
        if self.program.assertions & (LINE_START | LINE_END):
            yield complement(NOT_NEWLINE)

    def finds(self, text: str) -> bool:
        """Return whether the pattern matches in a string, in linear time. Raises Undecidable."""
        if self._finder.walked > _MOST_KEPT:
            self._finder = Walker(self, Budget(0))
        walker, number = self._finder, START
        walker.budget = Budget(_MOST_LOOKED_AT)
        for each in text:
            number = walker.step(number, ord(each))
            if number == DONE:
                return True
        return walker.accepts(number)


def literals(texts: Iterable[str]) -> Node:
    """Return the tree that matches exactly some strings."""
    nothing = Node(CHARACTERS, sets=((),))
    return Node(CHOICE, tuple(map(_literal, texts)) or (nothing,))


def _literal(text: str) -> Node:
    middle = Node(CHARACTERS, sets=tuple(((ord(each), ord(each)),) for each in text))
    return Node(SEQUENCE, (Node(ASSERTION, assertion=TEXT_START), middle, Node(ASSERTION, assertion=TEXT_END)))


_TEXT: CharacterSet = ((0, 0xD7FF), (0xE000, pattern_syntax.LAST))
"""All characters of strings: without surrogates."""
_MOST_LETTERS = 3_000
_LOOKS = 8
"""Lookups of a character in a set that take as long as visiting one state of a machine."""
_NICE = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./:,;=+!?@#%&*()[]{}<>|~^$'\"` \\é\n\t"


class Letter:
    """Characters of one kind: their representative, and its bytes in UTF-8."""

    __slots__ = ("character", "code", "size")

    def __init__(self, code: int) -> None:
        self.code = code
        self.character = chr(code)
        self.size = len(self.character.encode("utf-8"))


def letters(sets: Iterable[CharacterSet], budget: Budget, *, by_size: bool) -> tuple[Letter, ...]:
    """Return the classes of characters that some sets distinguish, readable ones first. `by_size`: their UTF-8 lengths
    distinguish them, too.

    Raises Undecidable if there are too many classes or sets.
    """
    # the bounds of each set, alternately where it starts and where it ends
    edges = [[edge for low, high in ranges for edge in (low, high + 1)] for ranges in dict.fromkeys((*sets, WORDS))]
    bounds = {0x80, 0x800, 0x10000} if by_size else set()
    bounds.update(*edges, (edge for low, high in _TEXT for edge in (low, high + 1)))
    if len(bounds) > _MOST_LETTERS:
        raise Undecidable("the patterns distinguish too many characters")
    starts = sorted(bound for bound in bounds if contains(_TEXT, bound))
    budget.spend(len(edges) * len(starts) // _LOOKS)
    first_codes: dict[tuple[object, ...], int] = {}
    nice = (ord(each) for each in _NICE)
    for code in (*nice, *starts):
        signature = tuple([bisect_right(each, code) % 2 for each in edges])
        first_codes.setdefault((signature, len(chr(code).encode("utf-8")) if by_size else 0), code)
    return tuple(Letter(code) for code in first_codes.values())


Step = tuple[frozenset[int], int]
"""The states of a machine, and the kind of the previous character."""

START, DONE = 0, 1
"""The numbers of the first step of a machine, and of the step after its pattern has matched."""


class Walker:
    """Runs one machine over characters. Its steps are numbered and cached; `walked` counts the computed ones."""

    def __init__(self, machine: Machine, budget: Budget) -> None:
        self._program = machine.program
        self.budget = budget
        self.walked = 0
        done = frozenset((self._program.match,)), EDGE
        self._steps: list[Step] = [(frozenset((self._program.start,)), EDGE), done]
        self._numbers = {step: number for number, step in enumerate(self._steps)}
        self._after: list[dict[int, int]] = [{} for _ in self._steps]
        self._accepting: dict[int, bool] = {}
        self._looks_back = bool(self._program.assertions & ~(TEXT_START | TEXT_END))

    def step(self, number: int, code: int) -> int:
        """Return the number of the step after a character."""
        if number == DONE:
            return DONE
        known = self._after[number].get(code)
        if known is None:
            known = self._after[number][code] = self._walk(*self._steps[number], code)
        return known

    def accepts(self, number: int) -> bool:
        """Return whether the pattern has matched if the string ends here."""
        known = self._accepting.get(number)
        if known is None:
            states, before = self._steps[number]
            self.budget.spend(len(states) + 1)
            here = self._program.closure(states, TRUE[before][EDGE])
            known = self._accepting[number] = self._program.match in here
        return known

    def is_dead(self, number: int) -> bool:
        """Return whether no continuation can match."""
        return not self._steps[number][0]

    def _walk(self, states: frozenset[int], before: int, code: int) -> int:
        program, kind = self._program, neighbor_kind(code)
        here = program.closure(states, TRUE[before][kind])
        if program.match in here:
            return DONE
        self.budget.spend(len(here) + 1)
        self.walked += 1
        targets = program.after(here, code)
        if not program.is_anchored:
            targets.add(program.start)
        step = frozenset(targets), kind if self._looks_back else OTHER
        number = self._numbers.setdefault(step, len(self._steps))
        if number == len(self._steps):
            self._steps.append(step)
            self._after.append({})
        return number
