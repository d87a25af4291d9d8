"""A schema in a schema accepts what was refused."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.claims import added, removed
from apigen.compat.rules.constraints.branch_effect import branch_effect
from apigen.compat.rules.constraints.effects import loosened_hits
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("schema-loosened", added(ElementKind.BRANCH), removed(ElementKind.BRANCH), severities="I/W/W")
def schema_loosened(change: AnyChange, context: Context) -> Verdict | None:
    """`allOf`, `not` and the like went, or an alternative came."""
    found = branch_effect(change, context)
    if found is None:
        return None
    what = f"`{found.branch.keyword}` with {found.branch.label}" if found.branch.label else f"`{found.branch.keyword}`"
    message = f"{what} {'came' if isinstance(change, Added) else 'is gone'}"
    if not found.loosens:
        return Verdict(f"{message}, which no value is judged by", {}, severities=Severities.of("-/-/-"))
    doubt = "" if found.is_certain else f"; not proven: which values it accepts that were refused{found.reason}"
    return Verdict(message + doubt, loosened_hits("what was refused"), is_unproven=not found.is_certain)
