"""A type was replaced by one that differs in name only."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.inner import hits_of
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.types.pair import inner_of, pair_of
from apigen.compat.verdict.verdict import Verdict


@change_rule("type-renamed", altered(Trait.TYPE), altered(Trait.FORM), severities="-/I/I")
def type_renamed(change: AnyChange, context: Context) -> Verdict | None:
    """Neither JSON nor protobuf of values has names of types: both types are compared to the last field."""
    pair = pair_of(change, context)
    if pair is None or not pair.is_same_form or "nothing known" in pair.shapes:
        return None
    if hits_of(inner_of(change, pair, context)):
        return None
    return Verdict(f"{change.element} is {pair.after} instead of {pair.before}, which has the same layout", {})
