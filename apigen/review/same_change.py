"""Group findings that are one change: the same finding in several versions, kinds and places, with its consequences; and
the same kind of finding about several rules, alternatives or values of one type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from apigen.dataclass import dataclass
from apigen.ir.stability import Stability
from apigen.review.finding import Finding
from apigen.review.results import Direction, Severity
from apigen.review.root_causes import every, worst
from apigen.review.surface import Element, ElementKind

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class SameChange:
    """One change, with its findings as root causes, the worst first."""

    findings: tuple[Finding, ...]

    @property
    def severity(self) -> Severity:
        """The worst severity of its findings and their consequences."""
        return worst(self.findings)

    @property
    def places(self) -> int:
        """The number of elements that its findings and their consequences are about."""
        return len({each.element for each in every(self.findings)})

    @property
    def variants(self) -> tuple[Finding, ...]:
        """Its different findings, each by the first one: those of one change at several places count once."""
        return tuple(group[0] for group in equal_findings(self.findings))

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions of its findings, each once."""
        return tuple(dict.fromkeys(each.element.version for each in self.findings if each.element.version))

    @property
    def by_direction(self) -> dict[Direction | None, Severity]:
        """The worst severity in each direction that it affects; None is the direction of findings without an effect."""
        return self._worst_by(lambda finding: tuple(finding.effects) or (None,))

    @property
    def by_stability(self) -> dict[Stability, Severity]:
        """The worst severity of elements of each stability."""
        return self._worst_by(lambda finding: (finding.stability,))

    @property
    def by_version(self) -> dict[tuple[str, str], Severity]:
        """The worst severity in each version of a group."""
        return self._worst_by(lambda finding: ((finding.element.group, finding.element.version),))

    def _worst_by(self, keys: Callable[[Finding], tuple[Key, ...]]) -> dict[Key, Severity]:
        found: dict[Key, Severity] = {}
        for finding in every(self.findings):
            for key in keys(finding):
                found[key] = max(found.get(key, Severity.SILENT), finding.severity)
        return found


def same_changes(findings: Iterable[Finding]) -> tuple[SameChange, ...]:
    """Return the changes behind findings that are grouped by root cause, in the order of their first findings."""
    changes: dict[int, list[Finding]] = {}
    of_place: dict[tuple[object, ...], int] = {}
    for group in equal_findings(findings):
        places = [place for each in group if (place := _place(each)) is not None]
        known = {of_place[place] for place in places if place in of_place}
        number = min(known, default=len(changes))
        for other in sorted(known - {number}):
            changes[number] += changes[other]
            changes[other] = []
            of_place.update({place: number for place, each in of_place.items() if each == other})
        changes.setdefault(number, []).extend(group)
        of_place.update(dict.fromkeys(places, number))
    return tuple(SameChange(tuple(findings_of_change)) for findings_of_change in changes.values() if findings_of_change)


def equal_findings(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Return the findings in groups that differ only in their versions, kinds and places."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        groups.setdefault(_key(finding), []).append(finding)
    return list(groups.values())


def _key(finding: Finding) -> tuple[object, ...]:
    """Return a key that is equal for the same change in another version, kind or place.

    A field is the same one if it has the same path below another kind; a CEL rule is the same one wherever it is.
    """
    element: Element = finding.element
    if element.kind is ElementKind.RULE:
        return finding.rule, element.group, finding.old, finding.new
    is_named_by_path = element.path and element.kind is not ElementKind.ENUM_VALUE
    type_ = "" if is_named_by_path else element.type.rpartition(".")[2]
    return finding.rule, element.kind, element.group, type_, element.path, finding.old, finding.new


_OF_ONE_TYPE = frozenset({ElementKind.RULE, ElementKind.BRANCH, ElementKind.ENUM_VALUE})
"""Elements of which a type has several that are added or removed together."""


def _place(finding: Finding) -> tuple[object, ...] | None:
    """Return a key that is equal for all findings of a kind about rules, alternatives or values of one type in a version.

    Findings of different severity, such as one that is not verified, remain different changes.
    """
    element = finding.element
    if element.kind not in _OF_ONE_TYPE or bool(finding.old) is bool(finding.new):
        return None
    path = "" if element.kind is ElementKind.ENUM_VALUE else element.path.partition("(")[0]
    place = element.kind, element.group, element.version, element.type, path
    return finding.rule, finding.severity, bool(finding.old), *place
