"""A CEL rule about updates came."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inclusion.cel.implication import is_true_without_change
from apigen.compat.rules.claims import added
from apigen.compat.rules.constraints.effects import loosened_hits
from apigen.compat.rules.constraints.rule_change import rule_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("transition-rule-added", added(ElementKind.RULE), severities="W/E/E")
def transition_rule_added(change: AnyChange, context: Context) -> Verdict | None:
    """`self == oldSelf` is another way to say immutable."""
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
