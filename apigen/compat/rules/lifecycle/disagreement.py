"""What rules about served versions that disagree have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from apigen.compat.changes.words import sides
from apigen.compat.context import Context
from apigen.compat.gating import OF_TYPES, Openness, Use
from apigen.compat.rules.guards import has_several_versions
from apigen.compat.rules.rule import Issue, StateRule
from apigen.compat.served import Difference
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.impact import Direction, Hit, Impact, breaks, depends
from apigen.compat.verdict.severity import Severities, Severity
from apigen.compat.verdict.verdict import Verdict
from apigen.dataclass import replace

UNSEEN = ": whether the code that converts makes that good is not proven"


def disagreement_rule(id_: str, *, severities: str) -> Callable[[Callable[[Difference], Verdict | None]], StateRule]:
    """Make a function the rule `id_` about differences of served versions; it returns None for those that it does not handle.

    Differences that the base has, too, are not reported.
    """
    of_stability = Severities.of(severities)

    def row(judge: Callable[[Difference], Verdict | None]) -> StateRule:
        def check(surface: Surface, context: Context) -> Iterator[Issue]:
            openness = context.new_openness if surface is context.new else context.old_openness
            for difference in context.served(surface):
                verdict = judge(difference)
                if verdict is None:
                    continue
                change = difference.change
                if _is_closed(difference, openness):
                    verdict = _milder(verdict, verdict.severities or of_stability)
                one, other = (side or "nothing" for side in sides(change))
                yield Issue(change.element, change.new_place, verdict, f"{difference.pair}: {one} -> {other}")

        return StateRule(id_, has_several_versions, of_stability, check, judge.__module__, compares_versions=True)

    return row


def of_both(difference: Difference, message: str, hits: Mapping[Direction, str]) -> Verdict:
    """A verdict on objects that are written in one version, and read or stored in the other."""
    make = depends if difference.is_unproven else breaks
    tail = UNSEEN if difference.is_unproven else ""
    made = {direction: make(text) for direction, text in hits.items()}
    severities = Severities.of("W/W/W") if difference.is_unproven else None
    return Verdict(f"{message}{tail}", made, severities=severities, is_unproven=difference.is_unproven)


def _is_closed(difference: Difference, openness: Openness) -> bool:
    """Whether no version has objects with it unless somebody switched a gate on."""
    element = difference.change.element
    versions = (difference.lower.name, difference.higher.name)
    uses = {openness.use(replace(element, version=version)) for version in versions}
    return element.kind in OF_TYPES and Use.NEVER in uses and Use.OPEN not in uses


def _milder(verdict: Verdict, severities: Severities) -> Verdict:
    hits = {direction: Hit(Impact.DEPENDS, hit.text) for direction, hit in verdict.hits.items()}
    capped = (min(each, Severity.WARNING) for each in (severities.alpha, severities.beta, severities.stable))
    return replace(verdict, message=f"{verdict.message}; its gate is off", hits=hits, severities=Severities(*capped))
