"""An enum became free text."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.enums.text_and_enum import text_and_enum
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class EnumConstraintRemoved(ChangeRule):
    """Text that is none of the values is accepted."""

    id = "enum-constraint-removed"
    title = "a value that may be any text now"
    severities = Severities.of("I/W/E")
    explanation = (
        "Clients that handle all values meet text that is none of them. Servers of the release before refuse such text: during an"
        " upgrade, and after a rollback."
    )
    fix = "keep the enum and add values to it, or say `open: true` in it from a first release on"
    mitigations = (RatchetingBefore(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims an enum that became text."""
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
