"""Rules that are weakened on purpose, to show that the trials notice it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.registry import RULES
from apigen.compat.rules.rule import ChangeRule, Rule
from apigen.compat.verdict.verdict import Verdict
from apigen.dataclass import replace


def mild(id_: str) -> tuple[Rule, ...]:
    """Return all rules, of which one reports no effect."""

    def without_effect(rule: ChangeRule) -> ChangeRule:
        def judge(change: AnyChange, context: Context) -> Verdict | None:
            found = rule.judge(change, context)
            return None if found is None else replace(found, hits={}, examples=())

        return replace(rule, judge=judge)

    return tuple(without_effect(rule) if isinstance(rule, ChangeRule) and rule.id == id_ else rule for rule in RULES)
