"""Fields are no longer members of a union."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.claims import removed
from apigen.compat.rules.enums.union_change import union_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("union-removed", removed(ElementKind.UNION), severities="I/W/W")
def union_removed(change: AnyChange, context: Context) -> Verdict | None:
    """What was refused is accepted."""
    found = union_change(change, context)
    if found is None or not isinstance(change, Removed) or found.old is None:
        return None
    names = ", ".join(f"`{name}`" for name in found.old.members)
    if found.new is not None:
        message = f"the union of {names} in `{change.element.type}` has another name or other members"
        return Verdict(message, {}, severities=Severities.of("-/-/-"))
    return Verdict(
        f"{names} of `{change.element.type}` are no longer members of a union", found.hits, examples=found.examples
    )
