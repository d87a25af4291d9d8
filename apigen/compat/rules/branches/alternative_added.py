"""A schema has one more alternative, or has alternatives where it had none."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.branches.nesting import ALTERNATIVES, OVERLAPPING, branch_of, has_others, place_name
from apigen.compat.rules.rule import ChangeRule, added
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_LOOSER = Severities.of("I/W/W")


class AlternativeAdded(ChangeRule):
    """One more is looser, the first one is tighter; under `oneOf`, one more can be both."""

    id = "alternative-added"
    title = "a schema got one more alternative (anyOf, oneOf), or its first one"
    severities = Severities.of("W/E/E")
    explanation = (
        "Of `anyOf` and `oneOf` a value has to match one. With one more alternative there are values that servers of before, and"
        " clients that know the old list alone, do not take. The first alternative is a condition that there was not before."
        " And `oneOf` refuses what matches two of its schemas, so that one more can refuse values that were valid."
    )
    fix = "add it in a new version, or say in which release clients may begin to write it"
    no_witness = "what a whole schema matches is not made up from its text"
    claims = (added(ElementKind.BRANCH),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """The verdict on a new alternative."""
        branch = branch_of(change)
        if branch is None or branch.keyword not in ALTERNATIVES:
            return None
        holder = place_name(change.element, branch)
        if not has_others(context.old, change.element, branch.keyword):
            message = f"{holder} has to match {branch.keyword} now, which has {branch.label}"
            refused = breaks(f"a value of {holder} that matches no schema of {branch.keyword} is refused")
            return Verdict(message, {Direction.OLD_CLIENT: refused, Direction.STORED: refused}, self.fix)
        message = f"{holder} may match {branch.label}, one more of {branch.keyword}"
        hits: dict[Direction, Hit] = {
            Direction.OLD_CLIENT: depends(
                f"a client of before may meet a value of {holder} that matches none that it knows"
            ),
            Direction.NEW_CLIENT: breaks(
                f"a server of before refuses a value of {holder} that matches the new one alone"
            ),
            Direction.ROLLBACK: breaks(
                f"the release before refuses a value of {holder} that matches the new one alone"
            ),
        }
        if branch.keyword != OVERLAPPING:
            return Verdict(message, hits, self.fix, severities=_LOOSER)
        twice = breaks(f"a value of {holder} that matches the new one and another is refused, unless there is none")
        hits = {**hits, Direction.OLD_CLIENT: twice, Direction.STORED: twice}
        return Verdict(f"{message}; that no value matches two is not proven", hits, self.fix, is_unproven=True)
