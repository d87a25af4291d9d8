"""The base class of mitigations and their results."""

from __future__ import annotations

from typing import ClassVar

from apigen.dataclass import dataclass, field
from apigen.review.changes.change import AnyChange
from apigen.review.context import Context
from apigen.review.results import Direction, Effect, Effects, RuleResult, Severity, depends


@dataclass(frozen=True, slots=True)
class MitigationResult:
    """Result of evaluating a mitigation. If it applies (`holds`), directions in `clears` are safe, directions in `softens`
    change from `breaks` to `depends`, `instead` replaces the effect of a direction, and the severity is at most `at_most`.

    `reason` states why it applies or not, with the facts.
    """

    name: str
    holds: bool
    reason: str
    clears: frozenset[Direction] = frozenset()
    softens: frozenset[Direction] = frozenset()
    instead: Effects = field(default_factory=dict)
    at_most: Severity | None = None

    def apply_to(self, effects: Effects) -> dict[Direction, Effect]:
        """Return the remaining effects: all of them if the mitigation does not apply."""
        if not self.holds:
            return dict(effects)
        softened = {each: depends(effects[each].text) for each in effects.keys() & self.softens}
        return {
            direction: self.instead.get(direction) or softened.get(direction, effect)
            for direction, effect in effects.items()
            if direction not in self.clears
        }


class Mitigation:
    """A fact that lowers the severity of a change. One stateless class each; it is verified on both surfaces."""

    name: ClassVar[str]
    from_severity: ClassVar[Severity] = Severity.SILENT
    """The minimum severity of changes for which it is evaluated."""

    def consider(self, change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
        """Return the result; None if the mitigation is not relevant for the change."""
        raise NotImplementedError
