"""Looks for a text that one set has and another has not, the shortest first."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from apigen.compat.inclusion.regex.alphabet import Letter, letters
from apigen.compat.inclusion.regex.machine import Machine
from apigen.compat.inclusion.regex.walker import DONE, START, Step, Walker
from apigen.compat.inclusion.regex.work import Budget
from apigen.compat.inclusion.texts import Texts
from apigen.dataclass import dataclass

_WORK = 150_000


class _Node(NamedTuple):
    """A prefix of a text: where each machine is, and what was counted, as far as that matters."""

    steps: tuple[Step, ...]
    length: int
    size: int


@dataclass(frozen=True, slots=True)
class _Trail:
    """How a prefix was reached."""

    before: _Trail | None
    character: str

    def text(self) -> str:
        """The prefix."""
        parts, trail = [], self
        while trail.before is not None:
            parts.append(trail.character)
            trail = trail.before
        return "".join(reversed(parts))


def texts_outside(inner: Texts, outer: Texts, budget: Budget | None = None) -> Iterator[str]:
    """Texts of `inner` that are none of `outer` (which has no formats): of those that go on alike one, the shortest first.

    None: there are none. Raises Undecidable where the budget does not suffice to tell.
    """
    yield from _Search(inner, outer, budget or Budget(_WORK)).texts()


def widest_character(of: Texts) -> int:
    """The most bytes that a character takes in texts that have the patterns of a set. Raises Undecidable."""
    budget, machines = Budget(_WORK), of.machines()
    walkers = tuple(Walker(machine, budget) for machine in machines)
    sets = (characters for machine in machines for moves in machine.moves for characters, _ in moves)
    alphabet = letters(sets, budget, by_size=True)
    first = tuple(START for _ in walkers)
    waiting, seen, widest = [first], {first}, 0
    while waiting:
        steps = waiting.pop()
        for letter in alphabet:
            budget.spend(1)
            after = tuple(walker.step(step, letter) for walker, step in zip(walkers, steps, strict=True))
            if any(walker.is_dead(step) for walker, step in zip(walkers, after, strict=True)):
                continue
            widest = max(widest, letter.size)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return widest


class _Search:
    """Walks all machines of both sides at once, breadth first."""

    def __init__(self, inner: Texts, outer: Texts, budget: Budget) -> None:
        wanted, unwanted = inner.machines(), outer.machines()
        self._inner, self._outer, self._budget = inner, outer, budget
        groups: tuple[tuple[Machine, ...], ...] = (wanted, inner.unwanted(), unwanted, outer.unwanted())
        self._walkers = tuple(Walker(each, budget) for group in groups for each in group)
        ends = [0]
        for group in groups:
            ends.append(ends[-1] + len(group))
        self._wanted, self._without, self._unwanted, self._anyway = (range(start, end) for start, end in pairwise(ends))
        limits = (inner, outer)
        self._counts_bytes = any(each.least_bytes or each.most_bytes is not None for each in limits)
        self._counts = any(each.least or each.most is not None for each in limits)
        self._longest = max(max(each.least, 0 if each.most is None else each.most + 1) for each in limits)
        self._largest = max(
            max(each.least_bytes, 0 if each.most_bytes is None else each.most_bytes + 1) for each in limits
        )
        sets = (of for group in groups for machine in group for moves in machine.moves for of, _ in moves)
        self._letters = letters(sets, budget, by_size=self._counts_bytes)
        budget.spend(sum(len(machine.moves) for group in groups for machine in group))

    def texts(self) -> Iterator[str]:
        """The texts that are found."""
        first = _Node(tuple(START for _ in self._walkers), 0, 0)
        waiting: deque[tuple[_Node, _Trail]] = deque([(first, _Trail(None, ""))])
        seen = {first}
        while waiting:
            node, trail = waiting.popleft()
            if self._is_inside(node) and self._is_outside(node):
                yield trail.text()
            for letter in self._letters:
                after = self._after(node, letter)
                if after not in seen and self._goes_on(after):
                    self._budget.spend(2)
                    seen.add(after)
                    waiting.append((after, _Trail(trail, letter.character)))

    def _after(self, node: _Node, letter: Letter) -> _Node:
        self._budget.spend(1)
        return _Node(
            tuple(walker.step(step, letter) for walker, step in zip(self._walkers, node.steps, strict=True)),
            min(node.length + 1, self._longest) if self._counts else 0,
            min(node.size + letter.size, self._largest) if self._counts_bytes else 0,
        )

    def _goes_on(self, node: _Node) -> bool:
        """Whether more of it can be inside, and outside of the other."""
        inner, outer = self._inner, self._outer
        if any(self._walkers[i].is_dead(node.steps[i]) for i in self._wanted):
            return False
        if (inner.most is not None and node.length > inner.most) or (
            inner.most_bytes is not None and node.size > inner.most_bytes
        ):
            return False
        is_settled = all(node.steps[i] == DONE for i in self._unwanted)
        has_end = outer.most is not None or outer.most_bytes is not None or self._anyway
        return not (is_settled and not has_end and node.length >= outer.least and node.size >= outer.least_bytes)

    def _is_inside(self, node: _Node) -> bool:
        inner = self._inner
        return (
            node.length >= inner.least
            and node.size >= inner.least_bytes
            and all(self._accepts(node, i) for i in self._wanted)
            and not any(self._accepts(node, i) for i in self._without)
        )

    def _is_outside(self, node: _Node) -> bool:
        outer = self._outer
        return (
            (self._counts and node.length < outer.least)
            or (outer.most is not None and node.length > outer.most)
            or (self._counts_bytes and node.size < outer.least_bytes)
            or (outer.most_bytes is not None and node.size > outer.most_bytes)
            or not all(self._accepts(node, i) for i in self._unwanted)
            or any(self._accepts(node, i) for i in self._anyway)
        )

    def _accepts(self, node: _Node, index: int) -> bool:
        return self._walkers[index].accepts(node.steps[index])
