"""A CEL rule went."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inclusion.result import NotProven
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import removed
from apigen.compat.rules.constraints.effects import loosened_hits
from apigen.compat.rules.constraints.rule_change import rule_change
from apigen.compat.rules.constraints.rule_examples import rule_examples
from apigen.compat.rules.constraints.shown import value_shown
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.verdict import Verdict


@change_rule("rule-removed", removed(ElementKind.RULE), severities="I/W/W", mitigated_by=(RatchetingBefore(),))
def rule_removed(change: AnyChange, context: Context) -> Verdict | None:
    """What it refused is accepted."""
    found = rule_change(change, context)
    if found is None or found.came:
        return None
    hits = loosened_hits(value_shown(found.follows, "what the rule refused"))
    message = f"the rule `{found.rule.text}` is gone"
    examples = rule_examples(found.rule.text, found.follows, change, Side.NEW, context)
    if isinstance(found.follows, NotProven):
        message = f"{message}; not proven: {found.follows.reason}"
    return Verdict(message, hits, examples=examples, is_unproven=isinstance(found.follows, NotProven))
