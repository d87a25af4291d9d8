"""An enum became free text."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.enums.text_and_enum import text_and_enum
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "enum-constraint-removed",
    altered(Trait.TYPE),
    altered(Trait.FORM),
    severities="I/W/E",
    mitigated_by=(RatchetingBefore(),),
)
def enum_constraint_removed(change: AnyChange, context: Context) -> Verdict | None:
    """Text that is none of the values is accepted."""
    found = text_and_enum(change, context)
    if found is None or found.is_enum_now:
        return None
    message = f"{change.element} is any text, and was one of {found.names}"
    if not found.compared.loosens and not found.compared.tightens:
        return Verdict(f"{message} or other text", {}, severities=Severities.of("I/I/I"))
    severities = Severities.of("W/E/E") if found.compared.tightens else None
    verdict = verdict_of(message, found.compared)
    return Verdict(
        verdict.message,
        verdict.hits,
        severities=severities,
        examples=verdict.examples,
        is_unproven=verdict.is_unproven,
    )
