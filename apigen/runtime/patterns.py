"""Patterns: regular expressions with the syntax, the limits and the results of Go's `regexp` (RE2), in linear time.

The time for a text is at most proportional to its length times the size of the pattern, whatever pattern and text are:
both may come from data. Generated validation uses this module for the patterns that `re` is not known to match in
linear time; CEL uses it for `find` and `findAll`.
"""

from __future__ import annotations

from functools import partial

from .pattern_syntax import (
    ASSERTION,
    CHARACTERS,
    CHOICE,
    LINE_END,
    LINE_START,
    NO_WORD_EDGE,
    REPEAT,
    SEQUENCE,
    TEXT_END,
    TEXT_START,
    WORD_EDGE,
    WORDS,
    Node,
    PatternError,
    contains,
    parse,
)

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Final

    from .pattern_syntax import CharacterSet

    Cells = frozenset[int]
    """Some instructions of a program."""

__all__ = ["Pattern", "PatternError", "matches", "pattern"]

MOST_CACHED: Final = 64
"""Maximum number of cached patterns."""

LARGEST_CACHED: Final = 5_000
"""The size of a program, in instructions, up to which its pattern is cached."""

_MOST_CELLS: Final = 20_000
"""The size at which the states of a matcher are dropped: instructions in the states and transitions between them."""

_BLOCK: Final = 4_096
"""The number of positions whose states `spans` has in memory at once."""

_CHARACTER, _BRANCH, _ASSERT, _MATCH = range(4)
"""Kinds of instructions."""

EDGE, NEWLINE, WORD, OTHER = range(4)
"""The kinds of neighbors of a position: the end of the text, a newline, a character of a word, another character."""


def matches(written: str, text: str) -> bool:
    """Return whether a pattern matches anywhere in a text. Raises PatternError."""
    return pattern(written).matches(text)


def pattern(written: str) -> Pattern:
    """Return a pattern, of which the last ones are cached if they are small. Raises PatternError."""
    known = _cache.pop(written, None)
    if known is None:
        known = Pattern(written)
        if len(written) + known.size > LARGEST_CACHED:
            return known
    _cache[written] = known
    for oldest in list(_cache)[:-MOST_CACHED]:
        _cache.pop(oldest, None)
    return known


_cache: Final[dict[str, Pattern]] = {}


class Pattern:
    """A pattern, compiled. Its states are computed when a text needs them; threads may share it."""

    def __init__(self, written: str) -> None:
        """Compile a pattern. Raises PatternError."""
        self._program = Program(parse(written))
        self._forward: _Forward | None = None
        self._backward: _Backward | None = None

    @property
    def size(self) -> int:
        """The number of instructions."""
        return len(self._program.kinds)

    def matches(self, text: str) -> bool:
        """Return whether the pattern matches anywhere in a text."""
        if self._forward is None:
            self._forward = _Forward(self._program)
        return self._forward.matches(text)

    def find(self, text: str) -> str:
        """Return the leftmost match in a text (of those the first by priority), or an empty string."""
        return next((text[start:end] for start, end in self.spans(text)), "")

    def find_all(self, text: str, most: int = -1) -> list[str]:
        """Return the matches that do not overlap, at most `most` unless it is negative."""
        found: list[str] = []
        if most == 0:
            return found
        for start, end in self.spans(text):
            found.append(text[start:end])
            if len(found) == most:
                break
        return found

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield start and end of the matches that do not overlap, in order.

        As in Go, an empty match right after another match is skipped.
        """
        if self._backward is None:
            self._backward = _Backward(self._program)
        return self._backward.spans(text)


class Program:
    """The instructions of a pattern.

    A CHARACTER leads to `first` over a character of `sets[second]`, a BRANCH to `first` or else to `second`, an ASSERT
    to `first` where the assertion `second` is true. A repeat of an expression that can be empty has the order of Go's
    compiler (golang.org/issue/46123).
    """

    def __init__(self, tree: Node) -> None:
        self.kinds = bytearray()
        self.first: list[int] = []
        self.second: list[int] = []
        self.sets: list[CharacterSet] = []
        self._indexes: dict[CharacterSet, int] = {}
        self.assertions = 0
        self.match = self._add(_MATCH, 0, 0)
        self.start = self._build(tree)
        closure = self.closure((self.start,), ~TEXT_START)
        self.is_anchored = all(self.kinds[each] > _CHARACTER for each in closure) and (
            self.match not in closure
        )
        """Whether a match can only start at the start of the text."""

    def _add(self, kind: int, first: int, second: int) -> int:
        self.kinds.append(kind)
        self.first.append(first)
        self.second.append(second)
        return len(self.kinds) - 1

    def _branch(self, preferred: int, other: int, greedy: bool) -> int:
        return self._add(
            _BRANCH, *((preferred, other) if greedy else (other, preferred))
        )

    def _build(self, tree: Node) -> int:
        """Add the instructions, the last ones first, with a stack of tasks. Return the first one."""
        after = self.match
        tasks: list[Node | Callable[[int], int]] = [tree]
        while tasks:
            node = tasks.pop()
            if not isinstance(node, Node):
                after = node(after)
            elif node.kind == CHARACTERS:
                for each in reversed(node.sets):
                    after = self._add(_CHARACTER, after, self._index(each))
            elif node.kind == ASSERTION:
                self.assertions |= node.assertion
                after = self._add(_ASSERT, after, node.assertion)
            elif node.kind == SEQUENCE:
                tasks += node.parts
            elif node.kind == CHOICE:
                choice = self._choice(after, len(node.parts))
                for part in node.parts:
                    tasks += (choice, part)
            elif node.kind == REPEAT and node.most != 0:
                part = node.parts[0]
                if node.most is not None:
                    option = partial(self._branch, other=after, greedy=node.greedy)
                    tasks += [part] * node.least
                    tasks += (option, part) * (node.most - node.least)
                else:
                    tasks += [part] * (node.least - 1)
                    loop = self._add(_BRANCH, 0, 0)
                    tasks += (self._loop(loop, after, node), part)
                    after = loop
        return after

    def _choice(self, after: int, count: int) -> Callable[[int], int]:
        """Return the function that is called with the start of each of so many alternatives, the last one first. It returns
        what the next one leads to, or else the start of the choice.
        """
        entries: list[int] = []

        def resolve(entry: int) -> int:
            entries.append(self._branch(entry, entries[-1], True) if entries else entry)
            return after if len(entries) < count else entries[-1]

        return resolve

    def _loop(self, loop: int, after: int, node: Node) -> Callable[[int], int]:
        """Return the function that closes the loop around a part that is repeated without limit, and returns its start."""

        def resolve(entry: int) -> int:
            ways = (entry, after) if node.greedy else (after, entry)
            self.first[loop], self.second[loop] = ways
            if node.least:
                return entry
            if node.parts[0].nullable:
                return self._branch(entry, after, node.greedy)
            return loop

        return resolve

    def _index(self, characters: CharacterSet) -> int:
        index = self._indexes.setdefault(characters, len(self.sets))
        if index == len(self.sets):
            self.sets.append(characters)
        return index

    def closure(self, starts: Iterable[int], true: int) -> list[int]:
        """The instructions that are reached without a character, by priority; `true` are assertions."""
        found: list[int] = []
        seen: set[int] = set()
        waiting = list(starts)
        waiting.reverse()
        kinds, first, second = self.kinds, self.first, self.second
        while waiting:
            at = waiting.pop()
            if at in seen:
                continue
            seen.add(at)
            found.append(at)
            kind = kinds[at]
            if kind == _BRANCH:
                waiting.append(second[at])
                waiting.append(first[at])
            elif kind == _ASSERT and second[at] & true:
                waiting.append(first[at])
        return found

    def after(self, here: Iterable[int], code: int) -> set[int]:
        """Return the instructions after those that accept a character."""
        reading = [at for at in here if self.kinds[at] == _CHARACTER]
        return {self.first[at] for at in self.accepting(reading, code)}

    def accepting(self, reading: Iterable[int], code: int) -> Iterator[int]:
        """Yield those of some CHARACTER instructions that accept a character."""
        known: dict[int, bool] = {}
        for at in reading:
            index = self.second[at]
            if index not in known:
                known[index] = contains(self.sets[index], code)
            if known[index]:
                yield at


def _true_between(before: int, after: int) -> int:
    """The assertions that are true between two kinds of neighbors."""
    true = WORD_EDGE if (before == WORD) != (after == WORD) else NO_WORD_EDGE
    if before == EDGE:
        true |= TEXT_START | LINE_START
    elif before == NEWLINE:
        true |= LINE_START
    if after == EDGE:
        true |= TEXT_END | LINE_END
    elif after == NEWLINE:
        true |= LINE_END
    return true


_AT_END: Final = _MATCH, EDGE
"""The key of the result of `_Forward` at the end of a text."""

TRUE: Final = tuple(
    tuple(_true_between(before, after) for after in range(4)) for before in range(4)
)
"""The assertions that are true between two kinds of neighbors."""


def neighbor_kind(code: int) -> int:
    """Return the kind of a character."""
    if code == 10:
        return NEWLINE
    return WORD if contains(WORDS, code) else OTHER


class _State(dict[str, "_State"]):
    """A state of an automaton: instructions, the kind of the neighbor that was read last, and the states after it.

    The states after it are computed when they are first looked up. `results` are the cached results of the automaton in this state.
    """

    __slots__ = ("automaton", "cells", "neighbor", "results")

    def __init__(self, automaton: _Automaton, cells: Cells, neighbor: int) -> None:
        self.automaton = automaton
        self.cells = cells
        self.neighbor = neighbor
        self.results: dict[tuple[int, int], int] = {}

    def __missing__(self, character: str) -> _State:
        return self.automaton.step(self, character)


class _Automaton:
    """A deterministic automaton whose states are computed lazily, and dropped when they are too many."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._used = 0
        self._states: dict[tuple[Cells, int], _State] = {}

    def step(self, state: _State, character: str) -> _State:
        """Return the state after a character."""
        raise NotImplementedError

    def state(self, cells: Cells, neighbor: int) -> _State:
        """Return the state with these instructions, next to a neighbor of this kind."""
        key = cells, neighbor
        state = self._states.get(key)
        if state is None:
            self._count(len(cells) + 8)
            state = self._states[key] = _State(self, cells, neighbor)
        return state

    def _count(self, cells: int) -> None:
        self._used += cells
        if self._used > _MOST_CELLS:
            self._used = 0
            states, self._states = self._states, {}
            for state in list(states.values()):
                state.clear()
                state.results.clear()


class _Forward(_Automaton):
    """Answers whether a pattern matches.

    A state has the instructions before the next character. Two more are final: FOUND and, for patterns that match at
    the start only, LOST.
    """

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.found = _State(self, frozenset(), OTHER)
        self.lost = _State(self, frozenset(), OTHER)

    def matches(self, text: str) -> bool:
        """Return whether the pattern matches anywhere in a text."""
        state = self.state(frozenset((self.program.start,)), EDGE)
        found, lost = self.found, self.lost
        for character in text:
            state = state[character]
            if state is found:
                return True
            if state is lost:
                return False
        ends = state.results.get(_AT_END)
        if ends is None:
            here = self.program.closure(state.cells, TRUE[state.neighbor][EDGE])
            ends = state.results[_AT_END] = self.program.match in here
        return bool(ends)

    def step(self, state: _State, character: str) -> _State:
        """Return the state after a character."""
        program, code = self.program, ord(character)
        kind = neighbor_kind(code) if program.assertions else OTHER
        here = program.closure(state.cells, TRUE[state.neighbor][kind])
        if program.match in here:
            after = self.found
        else:
            cells = program.after(here, code)
            if not program.is_anchored:
                cells.add(program.start)
            after = self.state(frozenset(cells), kind) if cells else self.lost
        self._count(1)
        state[character] = after
        return after


class _Backward(_Automaton):
    """Finds matches in two passes (Frisch and Cardelli, Greedy Regular Expression Matching, 2004).

    The first pass reads the text backward and notes from which instructions a match can be reached at each position.
    The second one follows the program by priority, and never tries an instruction in vain. A state has the CHARACTER
    instructions from which the rest of the text leads to a match; the state after it is for one more character in front.
    """

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._free_before: list[list[tuple[int, int]]] = [[] for _ in program.kinds]
        self._reading_before: list[list[int]] = [[] for _ in program.kinds]
        for at, kind in enumerate(program.kinds):
            first, second = program.first[at], program.second[at]
            if kind == _CHARACTER:
                self._reading_before[first].append(at)
            elif kind == _BRANCH:
                self._free_before[first].append((at, ~0))
                self._free_before[second].append((at, ~0))
            elif kind == _ASSERT:
                self._free_before[first].append((at, second))

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield start and end of the matches that do not overlap."""
        states = _Suffixes(self, text)
        size, position, last_end = len(text), 0, -1
        while position <= size:
            start = position
            while not self._matches_at(states, start):
                start += 1
                if start > size or self.program.is_anchored:
                    return
            end = self._end(states, start)
            if end == position:  # an empty match where the search began
                if start != last_end:
                    yield start, end
                position += 1
            else:
                yield start, end
                position = end
            last_end = end

    def _matches_at(self, states: _Suffixes, start: int) -> bool:
        before, state = states.at(start)
        return self._choice(state, self.program.start, before) >= 0

    def _end(self, states: _Suffixes, start: int) -> int:
        """Return the end of the match from `start` that has priority."""
        at, position = self.program.start, start
        while True:
            before, state = states.at(position)
            chosen = self._choice(state, at, before)
            if chosen == self.program.match:
                return position
            at = self.program.first[chosen]
            position += 1

    def _choice(self, state: _State, at: int, before: int) -> int:
        """Return the first CHARACTER or MATCH that leads to a match, or -1."""
        chosen = state.results.get((at, before))
        if chosen is None:
            program = self.program
            here = program.closure((at,), TRUE[before][state.neighbor])
            chosen = next(
                (each for each in here if each == program.match or each in state.cells),
                -1,
            )
            self._count(1)
            state.results[at, before] = chosen
        return chosen

    def step(self, state: _State, character: str) -> _State:
        """Return the state before a character."""
        program, code = self.program, ord(character)
        kind = neighbor_kind(code) if program.assertions else OTHER
        true = TRUE[kind][state.neighbor]
        alive: set[int] = {program.match, *state.cells}
        waiting = list(alive)
        while waiting:
            for each, assertion in self._free_before[waiting.pop()]:
                if each not in alive and assertion & true:
                    alive.add(each)
                    waiting.append(each)
        reading = (each for target in alive for each in self._reading_before[target])
        before = self.state(frozenset(program.accepting(reading, code)), kind)
        self._count(1)
        state[character] = before
        return before


class _Suffixes:
    """The states of all positions of a text, to be read from the start to the end.

    A first pass stores every 4,096th state; the ones between are computed again, block by block.
    """

    def __init__(self, matcher: _Backward, text: str) -> None:
        self._matcher = matcher
        self._text = text
        self._start = 0
        self._states: list[_State] = []
        state = matcher.state(frozenset(), EDGE)
        self._stored = {len(text): state}
        for position in range(len(text) - 1, -1, -1):
            state = state[text[position]]
            if position % _BLOCK == 0:
                self._stored[position] = state
        self._load(0)

    def at(self, position: int) -> tuple[int, _State]:
        """Return the kind of character before a position, and the state there. Positions never decrease by more than
        one.
        """
        offset = position - self._start
        if offset >= len(self._states):
            self._load(position)
            offset = position - self._start
        before = EDGE
        if position and self._matcher.program.assertions:
            before = neighbor_kind(ord(self._text[position - 1]))
        elif position:
            before = OTHER
        return before, self._states[offset]

    def _load(self, position: int) -> None:
        start = position - position % _BLOCK
        end = min(start + _BLOCK, len(self._text))
        states = [self._stored[end]] if end == len(self._text) else []
        state = self._stored[end]
        for each in range(end - 1, start - 1, -1):
            state = state[self._text[each]]
            states.append(state)
        states.reverse()
        self._start, self._states = start, states
