"""One step: what the sources say, what the comparison finds, and what the review says of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

from apigen.review.changes.change import AnyChange
from apigen.review.finding import Finding
from apigen.review.results import Severity
from apigen.review.review import review
from apigen.review.rules.registry import all_rules
from tests.review.kubernetes_history.expected import ERRORS, ROWS, Row, reason_for
from tests.review.kubernetes_history.index import Index
from tests.review.kubernetes_history.inventing import INVENTED, Explaining
from tests.review.kubernetes_history.matching import Outcome, look
from tests.review.kubernetes_history.releases import surface
from tests.review.kubernetes_history.truth import truths

BETWEEN_VERSIONS = frozenset(
    {"field-in-some-versions-only", *(rule.id for rule in all_rules() if rule.id.endswith("-between-versions"))}
)
"""Rules about how versions convert, of which specs that were only imported say nothing: Kubernetes does that in Go."""


@dataclass(frozen=True)
class Step:
    """What came of one step."""

    old: str
    new: str
    outcomes: tuple[Outcome, ...]
    reasons: Counter[str]
    invented: tuple[AnyChange, ...]
    findings: tuple[Finding, ...]

    @property
    def missing(self) -> tuple[Outcome, ...]:
        """Changes of the sources that nothing accounts for."""
        return tuple(each for each in self.outcomes if each.is_missing)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that would stop a merge."""
        return tuple(each for each in self.findings if each.severity is Severity.ERROR)

    @property
    def unexpected(self) -> tuple[Finding, ...]:
        """Errors without a reason."""
        return tuple(each for each in self.errors if not reason_for(self.new, each.rule, str(each.element)))

    @property
    def overdue(self) -> tuple[str, ...]:
        """Findings with an explanation as errors that are not, or no longer, errors."""
        said = {(each.rule, str(each.element)) for each in self.errors}
        reasons = (reason for reason in ERRORS if reason.release == self.new)
        return tuple(
            f"{reason.rule} {element}"
            for reason in reasons
            for element in sorted(reason.elements)
            if (reason.rule, element) not in said
        )

    def severities(self) -> Counter[str]:
        """How many findings of each severity."""
        return Counter(each.severity.word for each in self.findings)


@cache
def step(old: str, new: str) -> Step:
    """Evaluate a step."""
    index = Index(surface(old), surface(new))
    known = truths(old, new)
    explaining = Explaining(known, index)
    reasons = {id(change): explaining.reason(change) for change in index.changes}
    found = review(index.old, index.new)
    return Step(
        old,
        new,
        tuple(look(truth, index) for truth in known),
        Counter(reasons.values()),
        tuple(change for change in index.changes if reasons[id(change)] == INVENTED),
        tuple(each for each in found.findings if each.rule not in BETWEEN_VERSIONS),
    )


def rows(of: Step) -> tuple[tuple[Row, tuple[str, ...]], ...]:
    """The rows of the table for a step, each with what does not hold of it."""
    said = {(str(each.element), each.rule, each.severity.word) for each in of.findings}
    return tuple(
        (
            row,
            tuple(
                f"{element}: no {severity} {rule}"
                for element, rule, severity in row.findings
                if (element, rule, severity) not in said
            ),
        )
        for row in ROWS
        if row.release == of.new
    )
