"""A schema has one more condition in the form of a schema."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.branches.nesting import CONDITIONS, branch_of, is_only_tighter, place_name
from apigen.compat.rules.rule import ChangeRule, added
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, Hit, breaks
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class ConditionAdded(ChangeRule):
    """What was valid is refused where the condition does not hold."""

    id = "schema-condition-added"
    title = "a value has to match one more schema (allOf, not, if, patternProperties and the like)"
    severities = Severities.of("W/E/E")
    explanation = (
        "`allOf`, `not`, `if`/`then`/`else`, `contains`, `propertyNames`, dependencies and patterns of names are conditions besides"
        " all others: values that do not meet the new one are refused, those that are stored among them. A pattern of names also"
        " takes members away from what is said of the others, which can let in what was refused."
    )
    fix = "make it a condition of a new version, or of members that are new as well"
    no_witness = "what a whole schema matches is not made up from its text"
    claims = (added(ElementKind.BRANCH),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """The verdict on a new condition."""
        branch = branch_of(change)
        if branch is None or branch.keyword not in CONDITIONS:
            return None
        holder = place_name(change.element, branch)
        said = f"{branch.keyword} {branch.label}".rstrip()
        refused = breaks(f"a value of {holder} that does not meet {said} is refused")
        hits: dict[Direction, Hit] = {Direction.OLD_CLIENT: refused, Direction.STORED: refused}
        message = f"{holder} has to meet {said}, too"
        if is_only_tighter(branch, change.element, context):
            return Verdict(message, hits, self.fix)
        let_in = breaks(f"members or items of {holder} that {said} speaks of may be such as the release before refuses")
        hits = {**hits, Direction.NEW_CLIENT: let_in, Direction.ROLLBACK: let_in}
        return Verdict(f"{message}; that nothing else is let in is not proven", hits, self.fix, is_unproven=True)
