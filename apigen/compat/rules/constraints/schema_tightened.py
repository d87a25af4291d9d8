"""A schema in a schema refuses what was accepted."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.rules.claims import added, removed
from apigen.compat.rules.constraints.branch_effect import branch_effect
from apigen.compat.rules.constraints.effects import loosened_hits, tightened_hits
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "schema-tightened",
    added(ElementKind.BRANCH),
    removed(ElementKind.BRANCH),
    severities="W/E/E",
    mitigated_by=(Ratcheting(),),
)
def schema_tightened(change: AnyChange, context: Context) -> Verdict | None:
    """`allOf`, `not` and the like came, an alternative of `anyOf` or `oneOf` went, or nobody can tell."""
    found = branch_effect(change, context)
    if found is None or not found.tightens:
        return None
    what = f"`{found.branch.keyword}` with {found.branch.label}" if found.branch.label else f"`{found.branch.keyword}`"
    message = f"{what} {'came' if isinstance(change, Added) else 'is gone'}"
    loosened = loosened_hits("what it refuses") if found.loosens else {}
    accepted = ", and which it accepts" if found.loosens else ""
    doubt = "" if found.is_certain else f"; not proven: which values it refuses{accepted}{found.reason}"
    hits = {**loosened, **tightened_hits("what it accepts no longer")}
    return Verdict(message + doubt, hits, is_unproven=not found.is_certain)
