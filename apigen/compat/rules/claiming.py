"""Which rules are asked of a change, and which one has it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.unclassified import UnclassifiedChange
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.verdict import Verdict

_UNCLASSIFIED = UnclassifiedChange()


class _Sort(NamedTuple):
    how: type[AnyChange]
    kind: ElementKind
    trait: Trait | None


def claimed(change: AnyChange, rules: tuple[ChangeRule, ...], context: Context) -> tuple[ChangeRule, Verdict]:
    """The first rule that has a verdict on a change, with that; of none: that the change is not classified."""
    trait = change.trait if isinstance(change, Altered) else None
    for rule in _of_sort(rules, _Sort(type(change), change.element.kind, trait)):
        verdict = rule.judge(change, context)
        if verdict is not None:
            return rule, verdict
    return _UNCLASSIFIED, _UNCLASSIFIED.judge(change, context)


@lru_cache(maxsize=4096)
def _of_sort(rules: tuple[ChangeRule, ...], sort: _Sort) -> tuple[ChangeRule, ...]:
    """There are far fewer sorts than changes."""
    return tuple(rule for rule in rules if any(claim.fits(*sort) for claim in rule.claims))
