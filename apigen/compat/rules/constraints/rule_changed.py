"""A CEL rule took the place of another."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inclusion.result import INCLUDED, NotProven
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.rules.claims import added, removed
from apigen.compat.rules.constraints.effects import loosened_hits, tightened_hits
from apigen.compat.rules.constraints.rule_change import RuleChange, rule_change
from apigen.compat.rules.constraints.rule_examples import rule_examples
from apigen.compat.rules.constraints.shown import value_shown
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "rule-changed", added(ElementKind.RULE), removed(ElementKind.RULE), severities="W/E/E", mitigated_by=(Ratcheting(),)
)
def rule_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Neither follows from the other, so far as is known. Told once, where the new rule stands."""
    found = rule_change(change, context)
    if found is None or found.partner is None:
        return None
    if not found.came:
        return Verdict(
            f"the rule `{found.rule.text}` became `{found.partner.text}`", {}, severities=Severities.of("-/-/-")
        )
    examples = (
        *rule_examples(found.rule.text, found.follows, change, Side.OLD, context),
        *rule_examples(found.partner.text, INCLUDED, change, Side.NEW, context),
    )
    return _verdict(found, found.partner.text, examples)


def _verdict(found: RuleChange, was: str, examples: tuple[Example, ...]) -> Verdict:
    value = value_shown(found.follows, "what the new rule refuses")
    hits = {**loosened_hits(f"what `{was}` refused"), **tightened_hits(value)}
    message = f"the rule `{was}` became `{found.rule.text}`"
    if isinstance(found.follows, NotProven):
        message = f"{message}; not proven: {found.follows.reason}"
    return Verdict(message, hits, examples=examples, is_unproven=isinstance(found.follows, NotProven))
