"""A schema in a schema refuses what was accepted."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.rules.constraints.branch_effect import branch_effect
from apigen.compat.rules.constraints.effects import loosened_hits, tightened_hits
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class SchemaTightened(ChangeRule):
    """`allOf`, `not` and the like came, an alternative of `anyOf` or `oneOf` went, or nobody can tell."""

    id = "schema-tightened"
    title = "a schema in a schema that refuses what was accepted"
    severities = Severities.of("W/E/E")
    explanation = (
        "JSON Schema nests schemas: each of `allOf` must hold, one of `anyOf`, exactly one of `oneOf`, none of `not`. What must hold"
        " besides, and an alternative that is gone, refuse values. Alternatives that may overlap, conditions and words that are"
        " not known here may do both."
    )
    fix = "leave the schema as it was; say what is new as an alternative"
    mitigations = (Ratcheting(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims branches that may refuse what was accepted."""
        found = branch_effect(change, context)
        if found is None or not found.tightens:
            return None
        what = (
            f"`{found.branch.keyword}` with {found.branch.label}" if found.branch.label else f"`{found.branch.keyword}`"
        )
        message = f"{what} {'came' if isinstance(change, Added) else 'is gone'}"
        loosened = loosened_hits("what it refuses") if found.loosens else {}
        accepted = ", and which it accepts" if found.loosens else ""
        doubt = "" if found.is_certain else f"; not proven: which values it refuses{accepted}{found.reason}"
        hits = {**loosened, **tightened_hits("what it accepts no longer")}
        return Verdict(message + doubt, hits, is_unproven=not found.is_certain)
