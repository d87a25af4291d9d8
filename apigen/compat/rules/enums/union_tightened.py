"""One member of a union must be set, and none could be."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.rules.claims import altered
from apigen.compat.rules.enums.union_change import union_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "union-tightened", altered(Trait.OPTIONAL, ElementKind.UNION), severities="W/E/E", mitigated_by=(Ratcheting(),)
)
def union_tightened(change: AnyChange, context: Context) -> Verdict | None:
    """From at most one to exactly one."""
    found = union_change(change, context)
    if found is None or not isinstance(change, Altered) or change.after is True:
        return None
    message = f"exactly one member of the union of `{change.element.type}` must be set, and none could be"
    return Verdict(message, found.hits, examples=found.examples)
