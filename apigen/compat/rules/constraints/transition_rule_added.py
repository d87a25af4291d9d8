"""A CEL rule about updates came."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inclusion.cel.implication import is_true_without_change
from apigen.compat.rules.constraints.effects import loosened_hits
from apigen.compat.rules.constraints.rule_change import rule_change
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class TransitionRuleAdded(ChangeRule):
    """`self == oldSelf` is another way to say immutable."""

    id = "transition-rule-added"
    title = "a CEL rule that refuses updates"
    severities = Severities.of("W/E/E")
    explanation = (
        "A rule that looks at `oldSelf` is asked on updates only, also of those that change nothing. Clients that made the updates"
        " that it refuses worked. Objects as they are stay valid only if the rule surely holds where nothing changes."
    )
    fix = "leave the rule out, or bring it in a new version; guard it so that it holds where nothing changes"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims new rules about updates that do not follow from those of before."""
        found = rule_change(change, context)
        if found is None or not found.came or not found.is_about_updates:
            return None
        text = found.rule.text
        hits: dict[Direction, Hit] = {}
        message = f"the rule `{text}` is new, and refuses updates"
        if found.partner is not None:
            hits.update(loosened_hits(f"an update that `{found.partner.text}` refused"))
            message = f"the rule `{text}` is asked of updates, instead of `{found.partner.text}`"
        hits[Direction.OLD_CLIENT] = breaks("a client of before that makes an update against the rule is refused")
        is_unproven = not is_true_without_change(text)
        if is_unproven:
            hits[Direction.STORED] = depends("an update that leaves the value as it is may be refused")
            message += "; not proven: that it holds where nothing changes"
        return Verdict(message, hits, is_unproven=is_unproven)
