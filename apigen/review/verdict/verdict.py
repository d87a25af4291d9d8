"""What a rule says of a change."""

from __future__ import annotations

from apigen.dataclass import dataclass, field
from apigen.review.changes.change import AnyChange
from apigen.review.verdict.example import Example
from apigen.review.verdict.impact import Effects
from apigen.review.verdict.severity import Severities


@dataclass(frozen=True, slots=True)
class Verdict:
    """One sentence of what changed, what it does in each direction, and how to mend it.

    `severities`: instead of the rule's own. `examples` are for the search for a witness. `fix` is what to do, `patch` the
    text to write in the spec. `not_verified`: why it could not be decided whether the change breaks anything; empty if it was.
    `beside`: fields next to the element at which a server may report it.
    """

    message: str
    hits: Effects = field(default_factory=dict)
    fix: str = ""
    patch: str = ""
    severities: Severities | None = None
    examples: tuple[Example, ...] = ()
    not_verified: str = ""
    beside: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The message, with the reason why it is not verified."""
        return f"{self.message}; not verified: {self.not_verified}" if self.not_verified else self.message


@dataclass(frozen=True, slots=True)
class Inner:
    """A nested change, and what the mitigations of its rule leave of the verdict: the difference of two types that replace each other."""

    change: AnyChange
    verdict: Verdict
    hits: Effects
    severities: Severities
