"""A rule of a review: a row (id, what it applies to, severities, mitigations) and the function that evaluates it.

A rule is a function with a decorator, in the module of its subject. Its title, explanation and fix are in the Markdown file
of the same name next to that module (`prose.py`). The registry lists all rules in the order in which they are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.mitigation import Mitigation
from apigen.compat.rules.claims import Claim
from apigen.compat.rules.guards import Guard
from apigen.compat.rules.prose import RuleProse, prose_of
from apigen.compat.surface.elements import Element
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.preset import API, Preset
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.dataclass import dataclass
from apigen.diagnostics import Place

Judge = Callable[[AnyChange, Context], Verdict | None]
"""Return the verdict on a change, None if the rule does not handle it. A change without effect has a verdict without hits."""


@dataclass(frozen=True, slots=True)
class Issue:
    """A problem of one side; `detail` distinguishes several problems of one element."""

    element: Element
    place: Place
    verdict: Verdict
    detail: str = ""


Check = Callable[[Surface, Context], Iterator[Issue]]
"""Yield the problems of one side."""


@dataclass(frozen=True, slots=True)
class ChangeRule:
    """A rule about changes. The first rule in the registry that returns a verdict on a change handles it.

    `id` is its name in reports and approvals, and never changes. The rule is tried for changes that one of `applies_to`
    fits. `mitigated_by` are considered besides the common mitigations (`mitigations.registry.COMMON`), which are left out
    if the rule is not `is_excusable`: names and numbers count for all versions. `presets` are the promises that it belongs to.
    `module` is the module that defines it.
    """

    id: str
    applies_to: tuple[Claim, ...]
    severities: Severities
    judge: Judge
    module: str
    mitigated_by: tuple[Mitigation, ...] = ()
    presets: frozenset[Preset] = API
    is_excusable: bool = True

    @property
    def prose(self) -> RuleProse:
        """Title, explanation and fix."""
        return prose_of(self.id, self.module)


@dataclass(frozen=True, slots=True)
class StateRule:
    """A rule about one side alone, such as served versions that disagree. Only problems that the base does not have are reported.

    The rule is tried if `guard` holds for the revision. `compares_versions`: it compares the served versions of a kind.
    The other attributes are those of `ChangeRule`.
    """

    id: str
    guard: Guard
    severities: Severities
    check: Check
    module: str
    presets: frozenset[Preset] = API
    compares_versions: bool = False

    @property
    def prose(self) -> RuleProse:
        """Title, explanation and fix."""
        return prose_of(self.id, self.module)


Rule = ChangeRule | StateRule


def change_rule(
    id_: str,
    *applies_to: Claim,
    severities: str,
    mitigated_by: tuple[Mitigation, ...] = (),
    presets: frozenset[Preset] = API,
    is_excusable: bool = True,
) -> Callable[[Callable[[Any, Context], Verdict | None]], ChangeRule]:
    """Make a function the rule `id_`; `severities` are those in alpha, beta and stable versions, such as `W/E/E`.

    The function takes the changes that `applies_to` fits: `Altered`, if all claims are `altered(…)`.
    """

    def row(judge: Judge) -> ChangeRule:
        levels = Severities.of(severities)
        return ChangeRule(id_, applies_to, levels, judge, judge.__module__, mitigated_by, presets, is_excusable)

    return row


def state_rule(
    id_: str, guard: Guard, *, severities: str, presets: frozenset[Preset] = API
) -> Callable[[Check], StateRule]:
    """Make a function the rule `id_` about one side; `severities` as for `change_rule`."""

    def row(check: Check) -> StateRule:
        return StateRule(id_, guard, Severities.of(severities), check, check.__module__, presets)

    return row
