"""Which rules are asked of a change."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.elements import ElementKind


class _Sort(NamedTuple):
    how: type[AnyChange]
    kind: ElementKind
    trait: Trait | None


def claiming(rules: tuple[ChangeRule, ...], change: AnyChange) -> tuple[ChangeRule, ...]:
    """The rules that claim changes of the sort of this one, in their order."""
    trait = change.trait if isinstance(change, Altered) else None
    return _of_sort(rules, _Sort(type(change), change.element.kind, trait))


@lru_cache(maxsize=4096)
def _of_sort(rules: tuple[ChangeRule, ...], sort: _Sort) -> tuple[ChangeRule, ...]:
    """There are far fewer sorts than changes."""
    return tuple(rule for rule in rules if any(claim.fits(*sort) for claim in rule.claims))
