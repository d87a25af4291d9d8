"""What a review says, one by one."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.ir.stability import Stability
from apigen.review.changes.change import Trait
from apigen.review.mitigations.mitigation import MitigationResult
from apigen.review.surface import Element
from apigen.review.verdict.example import JsonValue
from apigen.review.verdict.impact import Direction, Hit
from apigen.review.verdict.severity import Severity
from apigen.review.verdict.verdict import Verdict

CEL = "apigen[cel]"
"""What brings the library that judges rules in CEL; errors that miss it name it."""

WITHOUT_CEL = f"rules in CEL cannot be judged: `pip install '{CEL}'` brings their library"
"""Why findings have no witness where that library is absent."""


@dataclass(frozen=True, slots=True)
class Witness:
    """An object that shows a finding in one direction, and what came out when it was tried.

    `kind` names what it is (`core/v1 Pod`), `before` is the object as the side that accepts it has it, `outcome` what the other
    one made of it, in a sentence; `after` the object then, None where it was rejected.
    """

    direction: Direction
    kind: str
    before: JsonValue
    outcome: str
    after: JsonValue = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A change with its verdict, after mitigations.

    `old` and `new` are what stands on both sides, as text; empty where there is nothing. `fingerprint` is a hash of rule,
    element, old and new: neither places nor words are in it. `consequences` are the findings that this one is the root of; the
    severity is the worst of all, and `folded_from` then the one that it had alone. `no_witness` says why there is none, where there is none;
    `is_untried` then tells that no object was looked for. `trait` is what changed of an element that stays, other than a constraint.
    """

    rule: str
    element: Element
    severity: Severity
    stability: Stability
    verdict: Verdict
    hits: dict[Direction, Hit]
    old: str
    new: str
    old_place: Place
    new_place: Place
    fingerprint: str
    considered: tuple[MitigationResult, ...] = ()
    consequences: tuple[Finding, ...] = ()
    proposal: str = ""
    witnesses: tuple[Witness, ...] = ()
    no_witness: str = ""
    is_untried: bool = False
    kinds: tuple[str, ...] = ()
    folded_from: Severity | None = None
    trait: Trait | None = None

    @property
    def own_severity(self) -> Severity:
        """Its severity without that of its consequences."""
        return self.severity if self.folded_from is None else self.folded_from

    @property
    def directions_without_witness(self) -> tuple[Direction, ...]:
        """The directions that no witness shows."""
        shown = {witness.direction for witness in self.witnesses}
        return tuple(direction for direction in self.hits if direction not in shown)

    @property
    def why_no_witness(self) -> str:
        """The reason with the directions that it is about, where others have a witness."""
        missing = self.directions_without_witness
        if not self.no_witness or not self.witnesses or not missing:
            return self.no_witness
        return f"for {', '.join(missing)}: {self.no_witness}"
