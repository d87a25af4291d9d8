"""Which rules are asked of a change, and which one has it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.listed import OnChange
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.unclassified import UnclassifiedChange
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.verdict import Verdict

_UNCLASSIFIED = UnclassifiedChange()


class _Sort(NamedTuple):
    how: type[AnyChange]
    kind: ElementKind
    trait: Trait | None


def claimed(change: AnyChange, rules: tuple[OnChange, ...], context: Context) -> tuple[ChangeRule, Verdict]:
    """The first rule that has a verdict on a change, with that; of none: that the change is not classified."""
    trait = change.trait if isinstance(change, Altered) else None
    for line in _of_sort(rules, _Sort(type(change), change.element.kind, trait)):
        verdict = line.rule.judge(change, context)
        if verdict is not None:
            return line.rule, verdict
    return _UNCLASSIFIED, _UNCLASSIFIED.judge(change, context)


@lru_cache(maxsize=4096)
def _of_sort(rules: tuple[OnChange, ...], sort: _Sort) -> tuple[OnChange, ...]:
    """There are far fewer sorts than changes."""
    return tuple(line for line in rules if any(claim.fits(*sort) for claim in line.claims))
