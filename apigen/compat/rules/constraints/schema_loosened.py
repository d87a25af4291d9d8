"""A schema in a schema accepts what was refused."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.constraints.branch_effect import branch_effect
from apigen.compat.rules.constraints.effects import loosened_hits
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class SchemaLoosened(ChangeRule):
    """`allOf`, `not` and the like went, or an alternative came."""

    id = "schema-loosened"
    title = "a schema in a schema that accepts what was refused"
    severities = Severities.of("I/W/W")
    explanation = (
        "An alternative more, or a condition less, lets values through that servers of the release before refuse. A definition that"
        " nothing refers to changes nothing."
    )
    fix = "accept the values in updates of objects that have them for a release, then everywhere"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims branches that refuse nothing that was accepted."""
        found = branch_effect(change, context)
        if found is None:
            return None
        what = (
            f"`{found.branch.keyword}` with {found.branch.label}" if found.branch.label else f"`{found.branch.keyword}`"
        )
        message = f"{what} {'came' if isinstance(change, Added) else 'is gone'}"
        if not found.loosens:
            return Verdict(f"{message}, which no value is judged by", {}, severities=Severities.of("-/-/-"))
        doubt = "" if found.is_certain else f"; not proven: which values it accepts that were refused{found.reason}"
        return Verdict(message + doubt, loosened_hits("what was refused"), is_unproven=not found.is_certain)
