"""A CEL rule came."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inclusion.result import NotProven
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.rules.claims import added
from apigen.compat.rules.constraints.effects import tightened_hits
from apigen.compat.rules.constraints.rule_change import rule_change
from apigen.compat.rules.constraints.rule_examples import rule_examples
from apigen.compat.rules.constraints.shown import value_shown
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.verdict import Verdict


@change_rule("rule-added", added(ElementKind.RULE), severities="W/E/E", mitigated_by=(Ratcheting(),))
def rule_added(change: AnyChange, context: Context) -> Verdict | None:
    """Whatever breaks it was accepted before."""
    found = rule_change(change, context)
    if found is None or not found.came:
        return None
    hits = tightened_hits(value_shown(found.follows, "what the rule refuses"))
    message = f"the rule `{found.rule.text}` is new"
    examples = rule_examples(found.rule.text, found.follows, change, Side.OLD, context)
    if isinstance(found.follows, NotProven):
        message = f"{message}; not proven: {found.follows.reason}"
    return Verdict(message, hits, examples=examples, is_unproven=isinstance(found.follows, NotProven))
