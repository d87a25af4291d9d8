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
    text to write in the spec. `is_unproven`: something could not be decided, and the worse was taken; the message says what.
    `beside`: fields beside the element at which a server may report it.
    """

    message: str
    hits: Effects = field(default_factory=dict)
    fix: str = ""
    patch: str = ""
    severities: Severities | None = None
    examples: tuple[Example, ...] = ()
    is_unproven: bool = False
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Inner:
    """A nested change, and what the mitigations of its rule leave of the verdict: the difference of two types that replace each other."""

    change: AnyChange
    verdict: Verdict
    hits: Effects
    severities: Severities
