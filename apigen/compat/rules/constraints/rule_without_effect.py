"""A CEL rule came or went, and says what others say."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inclusion.result import INCLUDED
from apigen.compat.rules.constraints.rule_change import rule_change
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class RuleWithoutEffect(ChangeRule):
    """White space, the order of conjuncts, a rule split in two, a comparison that follows from a stronger one."""

    id = "rule-without-effect"
    title = "a CEL rule that says what is said anyway"
    severities = Severities.of("I/I/I")
    explanation = (
        "A rule that follows from the rules of the other side refuses nothing new, or let nothing through that is refused now."
        " Proven are equal text, parts of a conjunction, alternatives, and comparisons of one expression with constants."
    )
    fix = "nothing has to be done"
    no_witness = "no object is judged differently"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims rules that are proven to follow from those of the other side."""
        found = rule_change(change, context)
        if found is None or found.follows != INCLUDED:
            return None
        how = (
            "is new, and follows from what was asked before"
            if found.came
            else "is gone, and follows from what is asked"
        )
        return Verdict(f"the rule `{found.rule.text}` {how}", {})
