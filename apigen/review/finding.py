"""A review with its findings, and their counterexamples."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place
from apigen.ir.model import Lifecycle
from apigen.ir.stability import Stability
from apigen.ir.surface import Element, Keyword, Surface
from apigen.language.json_values import JsonValue
from apigen.review.changes.change import Trait
from apigen.review.links import Owners
from apigen.review.results import Direction, Effect, MitigationResult, Preset, RuleResult, RuleText, Severity

CEL = "apigen[cel]"
"""The extra that installs the library for CEL; errors name it."""

WITHOUT_CEL = f"CEL rules cannot be evaluated: run `pip install '{CEL}'`"
"""The reason for which findings have no counterexample without that library."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """An object that shows a finding in one direction, and the result of testing it.

    `kind` is its type (`core/v1 Pod`), `before` the object of the side that accepts it, `outcome` a sentence about the other
    side; `after` the resulting object, None if it was rejected.
    """

    direction: Direction
    kind: str
    before: JsonValue
    outcome: str
    after: JsonValue = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A change with its result, after mitigations.

    `old` and `new` are both sides as text; empty for a side without the element. `fingerprint` is a hash of rule,
    element, old and new, without places and messages. `consequences` are findings with this one as root cause; the
    severity is the worst of all, and `severity_alone` the one without them. `no_counterexample` states why there is no
    counterexample; `is_untried`: no search was made. `trait` is the changed property of an element that both sides
    have; of a constraint, `keyword` is set instead. `lifecycle` is that of an element that was removed, or is no longer
    served.
    """

    rule: str
    element: Element
    severity: Severity
    stability: Stability
    result: RuleResult
    effects: dict[Direction, Effect]
    old: str
    new: str
    old_place: Place
    new_place: Place
    fingerprint: str
    considered: tuple[MitigationResult, ...] = ()
    consequences: tuple[Finding, ...] = ()
    proposal: str = ""
    counterexamples: tuple[Counterexample, ...] = ()
    no_counterexample: str = ""
    is_untried: bool = False
    kinds: tuple[str, ...] = ()
    severity_alone: Severity | None = None
    trait: Trait | None = None
    keyword: Keyword | None = None
    lifecycle: Lifecycle | None = None

    @property
    def own_severity(self) -> Severity:
        """The severity without the consequences."""
        return self.severity if self.severity_alone is None else self.severity_alone

    @property
    def directions_without_counterexample(self) -> tuple[Direction, ...]:
        """The directions without a counterexample."""
        directions = {counterexample.direction for counterexample in self.counterexamples}
        return tuple(direction for direction in self.effects if direction not in directions)

    @property
    def why_no_counterexample(self) -> str:
        """The reason, with the directions without a counterexample if others have one."""
        missing = self.directions_without_counterexample
        if not self.no_counterexample or not self.counterexamples or not missing:
            return self.no_counterexample
        return f"for {', '.join(missing)}: {self.no_counterexample}"


@dataclass(frozen=True, slots=True)
class Review:
    """The result of a review. `findings` are in the order of the surface, including silent ones; `changes` were evaluated.

    `rules` are the texts of the rules with findings; `owners` are needed to group findings by root cause. Reports need
    nothing else.
    """

    old: Surface
    new: Surface
    findings: tuple[Finding, ...]
    changes: int = 0
    preset: Preset = Preset.API
    rules: Mapping[str, RuleText] = field(default_factory=dict)
    owners: tuple[Owners, Owners] | None = None
