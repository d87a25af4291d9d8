"""A schema lost a condition in the form of a schema."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.branches.nesting import CONDITIONS, branch_of, is_only_tighter, place_name
from apigen.compat.rules.rule import ChangeRule, removed
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_UNPROVEN = Severities.of("W/E/E")


class ConditionRemoved(ChangeRule):
    """New values are let in, which the release before refuses."""

    id = "schema-condition-removed"
    title = "a value no longer has to match a schema (allOf, not, if, patternProperties and the like)"
    severities = Severities.of("I/W/W")
    explanation = (
        "Without the condition, values are accepted that servers of before refuse, and that clients of before do not expect. A"
        " pattern of names that is gone also leaves its members to what is said of the others, which may refuse them."
    )
    fix = "let new clients write such values one release later, when no server of before is left"
    no_witness = "what a whole schema matches is not made up from its text"
    claims = (removed(ElementKind.BRANCH),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """The verdict on a condition that is gone."""
        branch = branch_of(change)
        if branch is None or branch.keyword not in CONDITIONS:
            return None
        holder = place_name(change.element, branch)
        said = f"{branch.keyword} {branch.label}".rstrip()
        newer = breaks(f"a value of {holder} that does not meet {said} is refused by the release before")
        hits: dict[Direction, Hit] = {
            Direction.OLD_CLIENT: depends(f"a client of before may meet a value of {holder} that does not meet {said}"),
            Direction.NEW_CLIENT: newer,
            Direction.ROLLBACK: newer,
        }
        message = f"{holder} has to meet {said} no longer"
        if is_only_tighter(branch, change.element, context):
            return Verdict(message, hits, self.fix)
        refused = breaks(
            f"members or items of {holder} that {said} spoke of may be refused by what is said of the others"
        )
        hits = {**hits, Direction.OLD_CLIENT: refused, Direction.STORED: refused}
        text = f"{message}; that nothing is refused for it is not proven"
        return Verdict(text, hits, self.fix, severities=_UNPROVEN, is_unproven=True)
