"""No member of a union need be set."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.enums.union_change import union_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.verdict import Verdict


@change_rule("union-loosened", altered(Trait.OPTIONAL, ElementKind.UNION), severities="W/E/E")
def union_loosened(change: AnyChange, context: Context) -> Verdict | None:
    """From exactly one to at most one."""
    found = union_change(change, context)
    if found is None or not isinstance(change, Altered) or change.after is not True:
        return None
    message = f"no member of the union of `{change.element.type}` need be set, and exactly one had to be"
    return Verdict(message, found.hits, examples=found.examples)
