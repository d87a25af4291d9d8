"""A type was replaced by one that differs in name only."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inner import hits_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.types.pair import inner_of, pair_of
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class TypeRenamed(ChangeRule):
    """Neither JSON nor protobuf of values has names of types: both types are compared to the last field."""

    id = "type-renamed"
    title = "a type of another name and the same layout"
    severities = Severities.of("-/I/I")
    explanation = (
        "JSON and protobuf hold no names of types, so a type may be replaced by another that has the same fields, numbers,"
        " constraints and defaults. Both types are compared down to the last field before this is said. Code that is"
        " generated from the API sees the new name. Kubernetes has done so seven times in stable versions."
    )
    fix = "nothing has to be done for objects; callers of generated code use the new name"
    no_witness = "no object tells the two types apart"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims types of one form between which no difference hurts anybody."""
        pair = pair_of(change, context)
        if pair is None or not pair.is_same_form or "nothing known" in pair.shapes:
            return None
        if hits_of(inner_of(change, pair, context)):
            return None
        return Verdict(f"{change.element} is {pair.after} instead of {pair.before}, which has the same layout", {})
