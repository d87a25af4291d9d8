"""A rule of a review: a row (id, what it applies to, severities, mitigations) and the function that evaluates it.

A rule is a function with a decorator, in the module of its subject. Its title, explanation and fix are in the Markdown file
of the same name next to that module (`prose.py`). The registry lists all rules in the order of evaluation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.ir.stability import Stability
from apigen.ir.surface import (
    Element,
    ElementKind,
    Keyword,
    Surface,
)
from apigen.review.changes.change import Added, Altered, AnyChange, Removed, Trait
from apigen.review.context import Context
from apigen.review.mitigations import Mitigation
from apigen.review.results import API, Preset, RuleResult, Severities, Severity


@dataclass(frozen=True, slots=True)
class ChangeSelector:
    """The changes to which a rule applies: the kind of change, the elements, and for Altered the trait (None: any).

    `keywords` are those of the selected constraints; empty: any.
    """

    how: type[Added] | type[Removed] | type[Altered]
    kinds: frozenset[ElementKind]
    trait: Trait | None = None
    keywords: frozenset[Keyword] = frozenset()

    def fits(self, how: type[AnyChange], kind: ElementKind, trait: Trait | None, keyword: Keyword | None) -> bool:
        """Return whether the changes include a kind of change; `trait` is None for all but an alteration."""
        if how is not self.how or kind not in self.kinds or (self.trait is not None and trait is not self.trait):
            return False
        return not self.keywords or keyword in self.keywords


_ANYTHING = frozenset(ElementKind)


def added(*kinds: ElementKind) -> ChangeSelector:
    """Select new elements of these kinds."""
    return ChangeSelector(Added, frozenset(kinds))


def removed(*kinds: ElementKind) -> ChangeSelector:
    """Select removed elements of these kinds."""
    return ChangeSelector(Removed, frozenset(kinds))


def altered(trait: Trait, *kinds: ElementKind) -> ChangeSelector:
    """Select a changed trait, of elements of these kinds, or of any."""
    return ChangeSelector(Altered, frozenset(kinds) if kinds else _ANYTHING, trait)


def constraint(*keywords: Keyword) -> ChangeSelector:
    """Select a changed constraint with one of these keywords."""
    return ChangeSelector(Altered, _ANYTHING, Trait.CONSTRAINT, frozenset(keywords))


F = TypeVar("F")


def about(
    find: Callable[[Any, Context], F | None],
) -> Callable[[Callable[[Any, F, Context], RuleResult | None]], Callable[[Any, Context], RuleResult | None]]:
    """Make a function of a change, what `find` returns for it, and the context evaluate changes for which `find` returns anything.

    The latest result of `find` is cached, because most changes are evaluated by several rules about the same thing.
    """

    def of_change(
        evaluate: Callable[[Any, F, Context], RuleResult | None],
    ) -> Callable[[Any, Context], RuleResult | None]:
        @wraps(evaluate)
        def evaluated(change: Any, context: Context) -> RuleResult | None:
            found = context.latest(find, change, context)
            return None if found is None else evaluate(change, found, context)

        return evaluated

    return of_change


_HEADING = re.compile(r"^## ([a-z0-9-]+): (.+)$", re.MULTILINE)
_FIX = "Fix: "
_FIX_FOR = re.compile(r"Fix for ([\w ]+): ")
_SCHEMAS = ("crd", "jsonschema", "openapi")
FORMS_OF_FIXES = {
    "schemas": _SCHEMAS,
    "CRDs": _SCHEMAS[:1],
    "JSON Schema": _SCHEMAS[1:2],
    "OpenAPI": _SCHEMAS[2:],
    "protobuf": ("proto",),
    "Go": ("go",),
}
"""The forms of input that `Fix for NAME:` is about. Specs, and forms without a fix of their own, have `Fix:`."""

_NO_COUNTEREXAMPLE = "No counterexample: "
_PACKAGE = __name__.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class RuleProse:
    """The documentation of a rule; `no_counterexample` is empty if its findings can have a counterexample.

    `fixes` are those in the words of other inputs than specs, by a key of `FORMS_OF_FIXES`.
    """

    title: str
    explanation: str
    fix: str
    no_counterexample: str = ""
    fixes: tuple[tuple[str, str], ...] = ()

    def fix_for(self, form: str) -> str:
        """Return the fix in the words of a form of input."""
        return next((fix for name, fix in self.fixes if form in FORMS_OF_FIXES[name]), self.fix)


@cache
def _sections(module: str) -> dict[str, RuleProse]:
    folders = module.removeprefix(f"{_PACKAGE}.").split(".")
    text = Path(__file__).parent.joinpath(*folders).with_suffix(".md").read_text(encoding="utf-8")
    _, *parts = _HEADING.split(text)
    return {id_: _section(title, body) for id_, title, body in zip(*[iter(parts)] * 3, strict=True)}


def _section(title: str, body: str) -> RuleProse:
    paragraphs = [" ".join(each.split()) for each in body.strip().split("\n\n")]
    fixes = [(match[1], each[match.end() :]) for each in paragraphs if (match := _FIX_FOR.match(each))]
    items = (_FIX, _NO_COUNTEREXAMPLE)
    explanation = [each for each in paragraphs if not each.startswith(items) and not _FIX_FOR.match(each)]
    fix, no_counterexample = (_item(each, paragraphs) for each in items)
    return RuleProse(title, " ".join(explanation), fix, no_counterexample, tuple(fixes))


def _item(name: str, paragraphs: list[str]) -> str:
    return next((each.removeprefix(name) for each in paragraphs if each.startswith(name)), "")


Evaluate = Callable[[AnyChange, Context], RuleResult | None]
"""Returns the result for a change, None if the rule does not handle it. The result for a change without effect has no
effects.
"""


@dataclass(frozen=True, slots=True)
class Issue:
    """A problem of one side; `detail` distinguishes several problems of one element."""

    element: Element
    place: Place
    result: RuleResult
    detail: str = ""


Check = Callable[[Surface, Context], Iterator[Issue]]
"""Yield the problems of one side."""


@dataclass(frozen=True, slots=True, eq=False)  # looked up for each change: by identity, as there is one of each
class Rule:
    """A rule: `id` is its name in reports and approvals, and never changes; `module` is the module that defines it.

    `presets` are the promises to which it belongs. `stops_from` is the lowest severity that stops the build: `WARNING` if
    the policy of a release series forbids in beta and stable versions what `diff` only warns of, `UNVERIFIED` if doubt is
    enough.
    """

    id: str
    severities: Severities
    module: str
    presets: frozenset[Preset]
    stops_from: Severity

    @property
    def prose(self) -> RuleProse:
        """Title, explanation and fix: the section of the rule in the file next to its module."""
        return _sections(self.module)[self.id]


@dataclass(frozen=True, slots=True, eq=False)
class ChangeRule(Rule):
    """A rule about changes. The first rule in the registry that returns a result for a change handles it.

    The rule is evaluated for changes that one of `applies_to` selects. `mitigated_by` are evaluated in addition to the
    common mitigations (`mitigations.COMMON`), which are omitted if the rule is not `is_excusable`: names and
    numbers are shared by all versions. `knows_messages`: its results are about requests or responses already, not about
    values in general.
    """

    applies_to: tuple[ChangeSelector, ...]
    evaluate: Evaluate
    mitigated_by: tuple[Mitigation, ...]
    is_excusable: bool
    knows_messages: bool


@dataclass(frozen=True, slots=True, eq=False)
class StateRule(Rule):
    """A rule about one side alone, such as served versions that disagree. Only problems that the base does not have are reported.

    `is_about_plans`: it is about future releases, so a problem that the last release already has still stops the build.
    """

    check: Check
    is_about_plans: bool


def change_rule(
    id_: str,
    *applies_to: ChangeSelector,
    severities: str,
    mitigated_by: tuple[Mitigation, ...] = (),
    presets: frozenset[Preset] = API,
    is_excusable: bool = True,
    stops_from: Severity = Severity.ERROR,
    knows_messages: bool = False,
) -> Callable[[Callable[[Any, Context], RuleResult | None]], ChangeRule]:
    """Make a function the rule `id_`; `severities` are those in alpha, beta and stable versions, such as `W/E/E`.

    The function takes the changes that `applies_to` fits: `Altered`, if all of them are `altered(…)`.
    """

    def row(evaluate: Evaluate) -> ChangeRule:
        common = (id_, Severities.of(severities), evaluate.__module__, presets, stops_from)
        return ChangeRule(*common, applies_to, evaluate, mitigated_by, is_excusable, knows_messages)

    return row


def state_rule(id_: str, *, severities: str, is_about_plans: bool = False) -> Callable[[Check], StateRule]:
    """Make a function the rule `id_` about one side; `severities` as for `change_rule`."""

    def row(check: Check) -> StateRule:
        common = (id_, Severities.of(severities), check.__module__, API, Severity.ERROR)
        return StateRule(*common, check, is_about_plans)

    return row


SILENT = Severities.of("-/-/-")
"""Severities of changes that are reported elsewhere, or affect no one."""

INFO = Severities.of("I/I/I")
"""Severities of changes that are only information."""


def silent(message: str) -> RuleResult:
    """Return the result for a change that is handled but not reported."""
    return RuleResult(message, {}, severities=SILENT)


def note(message: str, fix: str = "") -> RuleResult:
    """Return the result for a compatible change that is reported."""
    return RuleResult(message, {}, fix, severities=INFO)


def flat(severity: Severity) -> Severities:
    """Return severities that do not depend on the stability."""
    return Severities(severity, severity, severity)


def at(severities: Severities, of: Stability) -> Severities:
    """Return the severities of a certain stability, if that of the element itself would be misleading."""
    return flat(severities.at(of))


def version_of(element: Element) -> str:
    """Return the version of an element, for messages. Some forms of inputs have no versions."""
    return f"{element.group or 'core'}/{element.version}" if element.version else element.group or "the API"


def release_of(context: Context, series: str = "") -> str:
    """Return the next release of a series, for messages."""
    release = context.new.release_of(series)
    return "the new release" if release is None else str(release)


def release_before(context: Context, group: str) -> str:
    """Return the release of the base, of the series of a group, for messages."""
    release = context.old.release_in(group)
    return "the previous release" if release is None else str(release)
