"""Patterns of constraints: regular expressions of Go's `regexp` (RE2), as in Kubernetes, that match anywhere in a text.

Generated validation runs a pattern by `re` if that is proven to take linear time, and by `runtime/patterns.py`
otherwise. `re` backtracks: it tries the paths through the pattern's automaton one after the other, from each position
of the text. The proof bounds the number of paths that any text has at any position.
"""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from apigen.runtime.pattern_syntax import (
    ANY,
    CHARACTERS,
    CHOICE,
    DIGITS,
    LAST,
    LINE_END,
    LINE_START,
    NO_WORD_EDGE,
    NOT_NEWLINE,
    REPEAT,
    TEXT_END,
    TEXT_START,
    WORD_EDGE,
    WORDS,
    CharacterSet,
    Node,
    PatternError,
    complement,
    contains,
    parse,
)
from apigen.runtime.patterns import Pattern, Program

_LARGEST_TRIED = 50_000
_MOST_WORK_TRIED = 5_000_000
"""Instructions of a pattern, and these times characters, up to which a default is validated at build time."""

_LARGEST_PROVEN = 2_000
_DEEPEST_PROVEN = 40
"""The size and the depth of patterns that are given to `re`, whose own parser is recursive."""

_MOST_GROWTH = 4
"""Maximum growth of a pattern when converted for `re`; `\\pL` has 650 ranges, which are unreadable in generated code.
"""

_MOST_PATHS = 64
"""The paths that backtracking may follow at one position."""

_MOST_WORK = 200_000
"""The steps of a proof, about a tenth of a second."""


def pattern_problem(pattern: str) -> PatternError | None:
    """Return why Go's `regexp` rejects a pattern, or None."""
    try:
        parse(pattern)
    except PatternError as error:
        return error
    return None


def pattern_fix(problem: PatternError) -> str:
    """Return the fix for a problem of a pattern."""
    return _FIXES[problem.problem]


_FIXES = {
    "invalid or unsupported Perl syntax": "rewrite it without look-around and atomic groups, which RE2 does not have",
    "invalid escape sequence": "remove the backslash to match the character itself; RE2 has no back-references",
    "invalid repeat count": "use counts of at most 1000 (also as the product of nested ones), or `maxLength`",
    "invalid nested repetition operator": "remove one operator, or group the inner one: `(?:a*)*`",
    "missing argument to repetition operator": "escape the operator to match it: `\\*`",
    "missing closing )": "add the `)`, or escape the `(` to match it: `\\(`",
    "unexpected )": "remove the `)`, or escape it to match it: `\\)`",
    "missing closing ]": "add the `]`, or escape the `[` to match it: `\\[`",
    "invalid character class range": "write the lower character first, or a name of a class that RE2 has: `[[:alpha:]]`, `\\p{Greek}`",
    "invalid named capture": "write a name of ASCII letters, digits and `_`: `(?P<name>a)`",
    "trailing backslash at end of expression": "remove it, or double it to match a backslash",
    "expression nests too deeply": "remove groups: RE2 accepts 1000 levels",
    "expression too large": "lower the repeat counts, or use `maxLength`",
    "invalid UTF-8": "remove the surrogate code point",
}
"""The fix of each problem."""


def matches(pattern: str, text: str) -> bool | None:
    """Return whether a valid pattern matches a text, or None if the pattern is too large to find out."""
    size = parse(pattern).size
    if size > _LARGEST_TRIED or size * len(text) > _MOST_WORK_TRIED:
        return None
    return Pattern(pattern).matches(text)


def python_pattern(pattern: str) -> str | None:
    """Return a valid pattern as `re.search` with `re.ASCII` reads it, or None if that may take more than linear time."""
    tree = parse(pattern)
    written = _written(tree) if is_linear(tree) else None
    return written if written is None or len(written) <= _MOST_GROWTH * len(pattern) + 100 else None


# --- the proof --------------------------------------------------------------------------------------------------------


def is_linear(tree: Node, *, is_search: bool = True, is_repeated: bool = False) -> bool:
    """Return whether backtracking is proven to take linear time, in `re.search` or else in `match` and `fullmatch`.

    With `is_repeated`, for `finditer` and `sub`: each search starts at the end of the previous match.
    """
    if tree.size > _LARGEST_PROVEN or tree.nesting > _DEEPEST_PROVEN or _repeats_nothing(tree):
        return False
    try:
        automaton = _Automaton(Program(tree))
        automaton.bound_paths(is_failing=False, is_repeated=is_repeated)
        if is_search or is_repeated:
            automaton.bound_paths(is_failing=True)
    except _NotProvenError:
        return False
    return True


class _NotProvenError(Exception):
    """The number of paths is too large, or too much work to count."""


def _repeats_nothing(tree: Node) -> bool:
    """Return whether a part that can be empty is repeated: `re` has rules of its own for that."""
    if tree.kind == REPEAT and (tree.most is None or tree.most > 1) and tree.parts[0].nullable:
        return True
    return any(_repeats_nothing(part) for part in tree.parts)


_Paths = dict[int, int]
"""The number of paths to each CHARACTER instruction."""

_CHARACTER, _BRANCH, _ASSERT, _MATCH = range(4)
_ENDED = -1


class _Automaton:
    """The automaton that backtracking explores, in which the number of paths is counted.

    Reading a character leads from the paths to each instruction to others; the vectors of these numbers, of all texts,
    are explored breadth first. If there are finitely many, and none is large, each character takes bounded work.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._work = _MOST_WORK
        self._reached: dict[tuple[int, bool], _Paths] = {}
        self._matching: dict[int, bool] = {}
        self._letters = self._distinct_characters()

    def bound_paths(self, *, is_failing: bool, is_repeated: bool = False) -> None:
        """Explore the paths of all texts. Raises _NotProvenError.

        With `is_failing`, paths start at each position, and only texts without a match count: `re.search` continues at
        the next position after all paths from this one have failed. Otherwise they start at the start of the text;
        with `is_repeated`, they must not go on without limit after a match, where the next search reads again.
        """
        start = self._program.start
        if is_failing and self._always_matches(start):
            return
        first = self._reach(start, is_first=True)
        later = self._reach(start, is_first=False) if is_failing else {}
        has_matched = is_repeated and self._always_matches(start)
        waiting, seen = [(first, has_matched)], {(frozenset(first.items()), has_matched)}
        ahead: dict[frozenset[tuple[int, int]], set[frozenset[tuple[int, int]]]] = {}
        while waiting:
            paths, has_matched = waiting.pop()
            before = frozenset(paths.items())
            for letter in self._letters:
                after, matches_here = self._step(paths, letter, is_failing)
                for at, count in later.items():
                    after[at] = after.get(at, 0) + count
                if sum(after.values()) > _MOST_PATHS:
                    raise _NotProvenError
                after.pop(_ENDED, None)
                vector = frozenset(after.items())
                if has_matched and after and not matches_here:
                    ahead.setdefault(before, set()).add(vector)
                key = vector, is_repeated and (has_matched or matches_here)
                if key not in seen:
                    seen.add(key)
                    waiting.append((after, key[1]))
        try:
            TopologicalSorter(ahead).prepare()
        except CycleError:
            raise _NotProvenError from None

    def _step(self, paths: _Paths, letter: frozenset[int], is_failing: bool) -> tuple[_Paths, bool]:
        """The paths after a character, given by the sets that it is in, and whether one of them is a match."""
        program = self._program
        after: _Paths = {}
        matches_here = False
        self._spend(len(paths) + 1)
        for at, count in paths.items():
            if at == _ENDED or program.second[at] not in letter:
                continue
            target = program.first[at]
            if self._always_matches(target):
                matches_here = True
                if is_failing:
                    continue
            reached = self._reach(target, is_first=False)
            self._spend(len(reached))
            for each, ways in reached.items():
                after[each] = after.get(each, 0) + count * ways
        return after, matches_here

    def _spend(self, work: int) -> None:
        self._work -= work
        if self._work < 0:
            raise _NotProvenError

    def _reach(self, start: int, *, is_first: bool) -> _Paths:
        """The ways without a character to each CHARACTER, and to an end: a match, or an assertion that may fail.

        `is_first` is whether this is at the start of the text. There are no loops, as nothing that can be empty is repeated.
        """
        known = self._reached.get((start, is_first))
        if known is not None:
            return known
        program = self._program
        path_counts: _Paths = {}
        waiting, total = [start], 0
        while waiting:
            at = waiting.pop()
            total += 1
            if total > 16 * _MOST_PATHS:
                raise _NotProvenError
            kind = program.kinds[at]
            if kind == _BRANCH:
                waiting += (program.first[at], program.second[at])
                continue
            if kind == _ASSERT:
                path_counts[_ENDED] = path_counts.get(_ENDED, 0) + 1
                if program.second[at] != TEXT_END and (is_first or program.second[at] != TEXT_START):
                    waiting.append(program.first[at])
                continue
            target = at if kind == _CHARACTER else _ENDED
            path_counts[target] = path_counts.get(target, 0) + 1
        self._spend(total)
        if sum(path_counts.values()) > _MOST_PATHS:
            raise _NotProvenError
        self._reached[start, is_first] = path_counts
        return path_counts

    def _always_matches(self, at: int) -> bool:
        """Return whether a match is reached from an instruction in all texts."""
        known = self._matching.get(at)
        if known is None:
            known = self._matching[at] = self._program.match in self._program.closure((at,), 0)
        return known

    def _distinct_characters(self) -> list[frozenset[int]]:
        """The sets of the pattern that a character is in, of all characters that differ in that."""
        sets = self._program.sets
        starts = {0}
        for characters in sets:
            for low, high in characters:
                starts.update((low, high + 1))
        self._spend(len(starts) * len(sets))
        found = (frozenset(i for i, each in enumerate(sets) if contains(each, code)) for code in sorted(starts))
        return list(dict.fromkeys(found))


# --- the pattern for `re` ---------------------------------------------------------------------------------------------

_ASSERTIONS = {
    TEXT_START: "^",
    TEXT_END: r"\Z",
    LINE_START: "(?m:^)",
    LINE_END: "(?m:$)",
    WORD_EDGE: r"\b",
    NO_WORD_EDGE: r"(?!\b)",  # `\B` of `re` does not match an empty text before Python 3.14
}
_SETS: dict[CharacterSet, str] = {
    (): "(?!)",
    ANY: "(?s:.)",
    NOT_NEWLINE: ".",
    DIGITS: r"\d",
    complement(DIGITS): r"\D",
    WORDS: r"\w",
    complement(WORDS): r"\W",
}
_CONTROLS = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\f": r"\f", "\v": r"\v"}
_REPEATS = {(0, None): "*", (1, None): "+", (0, 1): "?"}


def _written(tree: Node) -> str:
    match tree.kind:
        case 0:  # EMPTY
            return ""
        case 1:  # CHARACTERS
            return "".join(map(_set, tree.sets))
        case 2:  # ASSERTION
            return _ASSERTIONS[tree.assertion]
        case 3:  # SEQUENCE
            return "".join(f"(?:{_written(p)})" if p.kind == CHOICE else _written(p) for p in tree.parts)
        case 4:  # CHOICE
            return "|".join(map(_written, tree.parts))
    if tree.most == 0:
        return ""
    part = tree.parts[0]
    is_one = (part.kind == CHARACTERS and len(part.sets) == 1) and part.sets[0] not in ((), ANY)
    written = _written(part) if is_one else f"(?:{_written(part)})"
    most = "" if tree.most is None else tree.most
    counts = f"{{{tree.least}}}" if tree.least == tree.most else f"{{{tree.least},{most}}}"
    return written + _REPEATS.get((tree.least, tree.most), counts) + ("" if tree.greedy else "?")


def _set(characters: CharacterSet) -> str:
    """Return the shortest text of a set of characters."""
    known = _SETS.get(characters)
    if known is not None:
        return known
    if len(characters) == 1 and characters[0][0] == characters[0][1]:
        return _character(characters[0][0], r"\.^$*+?{}[]|()")
    if characters[-1][1] == LAST:
        return f"[^{_ranges(complement(characters))}]"
    return f"[{_ranges(characters)}]"


def _ranges(characters: CharacterSet) -> str:
    """Return the text inside of brackets, with `-` first, so that it needs no backslash."""
    dash = words = ""
    ranges = list(characters)
    if all(any(first <= low and high <= last for first, last in ranges) for low, high in WORDS):
        words = r"\w"
        ranges = [
            (max(low, first), min(high, last))
            for low, high in ranges
            for first, last in complement(WORDS)
            if max(low, first) <= min(high, last)
        ]
    if (45, 45) in ranges:
        dash = "-"
        ranges.remove((45, 45))
    for first in (45, 44):  # `,-` and `-.` are ranges of two
        if (first, first + 1) in ranges:
            dash = "-"
            other = first + 1 if first == 45 else first
            ranges[ranges.index((first, first + 1))] = (other, other)
    return dash + words + "".join(_range(low, high) for low, high in ranges)


def _range(low: int, high: int) -> str:
    first, last = (_character(code, r"\]^[-&~|") for code in (low, high))
    if low == high:
        return first
    return f"{first}{last}" if high == low + 1 else f"{first}-{last}"


def _character(code: int, special: str) -> str:
    """A character, with a backslash if it is special; by its number unless it is ASCII or a Latin letter."""
    character = chr(code)
    if character in special:
        return f"\\{character}"
    if character in _CONTROLS:
        return _CONTROLS[character]
    if 0x20 <= code < 0x7F or (0xC0 <= code < 0x180):
        return character
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
