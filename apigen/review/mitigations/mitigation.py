"""What a mitigation is."""

from __future__ import annotations

from typing import ClassVar

from apigen.dataclass import dataclass, field
from apigen.review.changes.change import AnyChange
from apigen.review.context import Context
from apigen.review.verdict.impact import Direction, Effects, Hit, depends
from apigen.review.verdict.severity import Severity
from apigen.review.verdict.verdict import Verdict


@dataclass(frozen=True, slots=True)
class MitigationResult:
    """A mitigation that was looked at. If it `holds`, `clears` are safe after all, `softens` depend on what people did and
    break no longer for all, `instead` stands for what was said of a direction, and the severity is at most `at_most`.

    `reason` says why it holds, or why not, with what was found.
    """

    name: str
    holds: bool
    reason: str
    clears: frozenset[Direction] = frozenset()
    softens: frozenset[Direction] = frozenset()
    instead: Effects = field(default_factory=dict)
    at_most: Severity | None = None

    def apply_to(self, hits: Effects) -> dict[Direction, Hit]:
        """What is left of hits: all of them where it does not hold."""
        if not self.holds:
            return dict(hits)
        softened = {each: depends(hits[each].text) for each in hits.keys() & self.softens}
        return {
            direction: self.instead.get(direction) or softened.get(direction, hit)
            for direction, hit in hits.items()
            if direction not in self.clears
        }


class Mitigation:
    """Something that makes a change milder. A class each, stateless; what it says is verified on both surfaces."""

    name: ClassVar[str]
    from_severity: ClassVar[Severity] = Severity.SILENT
    """The least severity of what it is considered for."""

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> MitigationResult | None:
        """Whether it holds; None where it has nothing to do with the change."""
        raise NotImplementedError
