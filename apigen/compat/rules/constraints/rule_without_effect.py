"""A CEL rule came or went, and says what others say."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inclusion.result import INCLUDED
from apigen.compat.rules.claims import added, removed
from apigen.compat.rules.constraints.rule_change import rule_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.verdict import Verdict


@change_rule("rule-without-effect", added(ElementKind.RULE), removed(ElementKind.RULE), severities="I/I/I")
def rule_without_effect(change: AnyChange, context: Context) -> Verdict | None:
    """White space, the order of conjuncts, a rule split in two, a comparison that follows from a stronger one."""
    found = rule_change(change, context)
    if found is None or found.follows != INCLUDED:
        return None
    how = "is new, and follows from what was asked before" if found.came else "is gone, and follows from what is asked"
    return Verdict(f"the rule `{found.rule.text}` {how}", {})
