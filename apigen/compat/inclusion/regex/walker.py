"""A machine made deterministic, as far as it is walked."""

from __future__ import annotations

from apigen.compat.inclusion.regex.alphabet import Letter
from apigen.compat.inclusion.regex.characters import contains
from apigen.compat.inclusion.regex.machine import EDGE, FOUND, OTHER, Machine
from apigen.compat.inclusion.regex.nodes import Anchor
from apigen.compat.inclusion.regex.work import Budget

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
