"""A free text became an enum."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.effects import verdict_of
from apigen.compat.rules.enums.text_and_enum import text_and_enum
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "enum-constraint-added", altered(Trait.TYPE), altered(Trait.FORM), severities="W/E/E", mitigated_by=(Ratcheting(),)
)
def enum_constraint_added(change: AnyChange, context: Context) -> Verdict | None:
    """Text that is none of the values is refused."""
    found = text_and_enum(change, context)
    if found is None or not found.is_enum_now:
        return None
    message = f"{change.element} is one of {found.names}, and was any text"
    if not found.compared.tightens:
        return Verdict(f"{message} that is one of these", {}, severities=Severities.of("I/I/I"))
    return verdict_of(message, found.compared)
