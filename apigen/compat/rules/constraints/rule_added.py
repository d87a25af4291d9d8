"""A CEL rule came."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inclusion.result import NotProven
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.rules.constraints.effects import tightened_hits
from apigen.compat.rules.constraints.rule_change import rule_change
from apigen.compat.rules.constraints.rule_examples import rule_examples
from apigen.compat.rules.constraints.shown import value_shown
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class RuleAdded(ChangeRule):
    """Whatever breaks it was accepted before."""

    id = "rule-added"
    title = "a CEL rule that was not asked before"
    severities = Severities.of("W/E/E")
    explanation = (
        "Values and combinations of fields that were valid are refused: in requests of clients that worked, and in updates of"
        " stored objects that touch them."
    )
    fix = "write the rule so that it holds wherever fields that are new are absent, or bring it in a new version"
    mitigations = (Ratcheting(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims new rules that do not follow from those of before, and replace none."""
        found = rule_change(change, context)
        if found is None or not found.came:
            return None
        hits = tightened_hits(value_shown(found.follows, "what the rule refuses"))
        message = f"the rule `{found.rule.text}` is new"
        examples = rule_examples(found.rule.text, found.follows, change, Side.OLD, context)
        if isinstance(found.follows, NotProven):
            message = f"{message}; not proven: {found.follows.reason}"
        return Verdict(message, hits, examples=examples, is_unproven=isinstance(found.follows, NotProven))
