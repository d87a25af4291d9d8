"""The result of a rule for a change."""

from __future__ import annotations

from apigen.dataclass import dataclass, field
from apigen.review.changes.change import AnyChange
from apigen.review.results.example import Example, JsonValue
from apigen.review.results.impact import Effects
from apigen.review.results.severity import Severities


@dataclass(frozen=True, slots=True)
class RuleResult:
    """One sentence about the change, its effects in each direction, and the fix.

    `severities` replace those of the rule. `examples` are values for the search for a counterexample. `fix` is what to do,
    `patch` the text to write in the spec. `not_verified`: why it is unknown whether the change breaks anything, as a clause
    after "because"; empty if it is known. `beside`: sibling fields at which a server may report the error. `objects` are
    whole objects of the base that show it. `number_of` is the field of the base whose protobuf number the element has
    now: only objects that set the element, or that field, show the finding.
    """

    message: str
    effects: Effects = field(default_factory=dict)
    fix: str = ""
    patch: str = ""
    severities: Severities | None = None
    examples: tuple[Example, ...] = ()
    not_verified: str = ""
    beside: tuple[str, ...] = ()
    objects: tuple[JsonValue, ...] = ()
    number_of: str = ""

    @property
    def text(self) -> str:
        """The message, with the reason why it is not verified."""
        return f"{self.message}; not verified, because {self.not_verified}" if self.not_verified else self.message


@dataclass(frozen=True, slots=True)
class NestedChange:
    """A difference of two types that replace each other: a nested change, with its result after mitigations."""

    change: AnyChange
    result: RuleResult
    effects: Effects
    severities: Severities
