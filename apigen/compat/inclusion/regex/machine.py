"""Automata that find a pattern anywhere in a text."""

from __future__ import annotations

from apigen.compat.inclusion.regex.characters import ANY, WORDS, CharacterSet, characters, contains
from apigen.compat.inclusion.regex.nodes import Anchor, At, Choice, Node, OneOf, Repeat, Sequence
from apigen.compat.inclusion.regex.undecidable import Undecidable
from apigen.compat.inclusion.regex.work import Budget

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
    """What a character is to the places beside it."""
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
