"""What rules about served versions that disagree have in common."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.changes.words import sides
from apigen.compat.context import Context
from apigen.compat.rules.rule import Issue, StateRule
from apigen.compat.served import Difference
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.verdict import Verdict

UNSEEN = ": whether the webhook that converts makes that good is not proven"


class Disagreement(StateRule):
    """A rule about differences of served versions. What is the same on the other side of the review is not told."""

    def check(self, surface: Surface, context: Context) -> Iterator[Issue]:
        for difference in context.served(surface):
            verdict = self.judge(difference)
            if verdict is not None:
                change = difference.change
                detail = " | ".join((difference.pair, *sides(change)))
                yield Issue(change.element, change.new_place, verdict, detail)

    def judge(self, difference: Difference) -> Verdict | None:
        """What is to be said of a difference; None if it is none of this rule's."""
        raise NotImplementedError


def of_both(difference: Difference, what: str, fix: str) -> Verdict:
    """What happens to objects that are written in one version, and read or stored in the other."""
    hit: Hit = (depends if difference.is_unproven else breaks)(what)
    hits = dict.fromkeys((Direction.OLD_CLIENT, Direction.STORED, Direction.ROLLBACK), hit)
    tail = UNSEEN if difference.is_unproven else ""
    return Verdict(f"{what}{tail}", hits, fix, is_unproven=difference.is_unproven)
