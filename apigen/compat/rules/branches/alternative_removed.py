"""A schema lost an alternative, or all of them."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.branches.nesting import ALTERNATIVES, OVERLAPPING, branch_of, has_others, place_name
from apigen.compat.rules.rule import ChangeRule, removed
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_LOOSER = Severities.of("I/W/W")


class AlternativeRemoved(ChangeRule):
    """One less is tighter, none left is looser; under `oneOf`, one less can be both."""

    id = "alternative-removed"
    title = "a schema lost an alternative (anyOf, oneOf), or all of them"
    severities = Severities.of("W/E/E")
    explanation = (
        "Of `anyOf` and `oneOf` a value has to match one. Values that matched the alternative which is gone, and no other, are"
        " refused, those that are stored among them. Where none is left, the condition is gone, and new clients may write what"
        " the release before refuses. `oneOf` refuses what matches two of its schemas: with one less, some of that is valid."
    )
    fix = "keep the alternative, and say that it is deprecated; remove it in a new version"
    no_witness = "what a whole schema matches is not made up from its text"
    claims = (removed(ElementKind.BRANCH),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """The verdict on an alternative that is gone."""
        branch = branch_of(change)
        if branch is None or branch.keyword not in ALTERNATIVES:
            return None
        holder = place_name(change.element, branch)
        if not has_others(context.new, change.element, branch.keyword):
            message = f"{holder} has to match {branch.keyword} no longer, which had {branch.label}"
            newer = breaks(
                f"a value of {holder} that matches no schema of {branch.keyword} is refused by the release before"
            )
            reader = depends(f"a client of before may meet a value of {holder} that matches none that it knows")
            hits = {Direction.OLD_CLIENT: reader, Direction.NEW_CLIENT: newer, Direction.ROLLBACK: newer}
            return Verdict(message, hits, self.fix, severities=_LOOSER)
        message = f"{holder} may match {branch.label} of {branch.keyword} no longer"
        refused = breaks(f"a value of {holder} that matches the one that is gone, and no other, is refused")
        tighter: dict[Direction, Hit] = {Direction.OLD_CLIENT: refused, Direction.STORED: refused}
        if branch.keyword != OVERLAPPING:
            return Verdict(message, tighter, self.fix)
        once = breaks(f"a value of {holder} that matched two matches one now, which the release before refuses")
        hits = {**tighter, Direction.NEW_CLIENT: once, Direction.ROLLBACK: once}
        return Verdict(f"{message}; that no value matched two is not proven", hits, self.fix, is_unproven=True)
