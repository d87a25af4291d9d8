"""A CEL rule went."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inclusion.result import NotProven
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.constraints.effects import loosened_hits
from apigen.compat.rules.constraints.rule_change import rule_change
from apigen.compat.rules.constraints.rule_examples import rule_examples
from apigen.compat.rules.constraints.shown import value_shown
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class RuleRemoved(ChangeRule):
    """What it refused is accepted."""

    id = "rule-removed"
    title = "a CEL rule that is no longer asked"
    severities = Severities.of("I/W/W")
    explanation = (
        "Objects against the rule are accepted by the new server, and refused by servers of the release before: during an upgrade,"
        " and after a rollback. Clients may rely on what the rule promised."
    )
    fix = "keep the rule for a release in which only objects that break it already may go on to do so"
    mitigations = (RatchetingBefore(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims rules that went, and do not follow from those that are left."""
        found = rule_change(change, context)
        if found is None or found.came:
            return None
        hits = loosened_hits(value_shown(found.follows, "what the rule refused"))
        message = f"the rule `{found.rule.text}` is gone"
        examples = rule_examples(found.rule.text, found.follows, change, Side.NEW, context)
        if isinstance(found.follows, NotProven):
            message = f"{message}; not proven: {found.follows.reason}"
        return Verdict(message, hits, examples=examples, is_unproven=isinstance(found.follows, NotProven))
