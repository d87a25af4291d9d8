"""Group findings: by root cause, with their consequences; and by change, which has the same finding in several versions,
kinds and places, and the same kind of finding about several rules, alternatives or values of one type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeVar

from apigen.dataclass import dataclass, replace
from apigen.ir.stability import Stability
from apigen.ir.surface import Element, ElementKind, Surface, TypeName, path_in
from apigen.review.changes.change import Trait
from apigen.review.finding import Finding
from apigen.review.links import Owners, no_longer_served, owners
from apigen.review.results import Direction, Severity

_TYPES = frozenset({ElementKind.STRUCT, ElementKind.ENUM, ElementKind.ALIAS})
_WORD = re.compile(r"\w+")
_STABLE_FIRST = {Stability.STABLE: 0, Stability.BETA: 1, Stability.ALPHA: 2}


def group_by_root_cause(
    findings: Sequence[Finding], old: Surface, new: Surface, known: tuple[Owners, Owners] | None = None
) -> tuple[Finding, ...]:
    """Return the root causes in order, each with its consequences and the worst severity of all of them; no finding is dropped.

    `known` is the result of `owners_of` for these findings, or for a superset of them.
    """
    roots = _Roots(findings, old, new, owners_of(findings, old, new) if known is None else known)
    members: dict[int, list[Finding]] = {}
    for number, finding in enumerate(findings):
        root = roots.root(number)
        if root != number:
            members.setdefault(root, []).append(finding)
    kept = (number for number in range(len(findings)) if roots.root(number) == number)
    return in_order(_with(findings[number], members.get(number, ())) for number in kept)


def owners_of(findings: Iterable[Finding], old: Surface, new: Surface) -> tuple[Owners, Owners]:
    """Return, for base and revision, the types and fields that refer to removed or added types of the findings."""
    types = [finding for finding in findings if finding.element.kind in _TYPES]
    removed = {finding.element.type_name for finding in types if is_removed(finding)}
    added = {finding.element.type_name for finding in types if is_added(finding)}
    return owners(old, removed) if removed else {}, owners(new, added) if added else {}


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings in the order of reports: by severity, then from stable to alpha, then by element."""
    return tuple(sorted(findings, key=_rank))


def members(finding: Finding) -> Iterator[Finding]:
    """Yield a finding and its consequences, each with its own severity."""
    is_alone = not finding.consequences and finding.severity is finding.own_severity
    yield finding if is_alone else replace(finding, consequences=(), severity=finding.own_severity)
    yield from finding.consequences


def every(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings and their consequences, each with its own severity, without silent ones."""
    return [each for finding in findings for each in members(finding) if each.severity is not Severity.SILENT]


def _with(finding: Finding, consequences: Sequence[Finding]) -> Finding:
    if not consequences:
        return finding
    ordered = in_order((*finding.consequences, *(each for one in consequences for each in members(one))))
    worst = max((finding.severity, *(each.severity for each in ordered)))
    return replace(finding, severity=worst, severity_alone=finding.own_severity, consequences=ordered)


def _rank(finding: Finding) -> tuple[int, int, Element, str, str, str]:
    stable_first = _STABLE_FIRST[finding.stability]
    return -finding.severity, stable_first, finding.element, finding.rule, finding.old, finding.new


def is_removed(finding: Finding) -> bool:
    """Return whether the finding is about an element that the revision does not have."""
    return not finding.new and bool(finding.old)


def is_added(finding: Finding) -> bool:
    """Return whether the finding is about an element that the base does not have."""
    return not finding.old and bool(finding.new)


class _OneSided:
    """The findings about elements that only one side has, by element, with the references to types on that side."""

    def __init__(self, findings: Mapping[Element, int], surface: Surface, owners: Owners) -> None:
        self.findings = findings
        self.owners = owners
        self._surface = surface
        self.kinds: dict[TypeName, list[Element]] = {}
        """The kinds with a type as root, each in its version."""
        for version, kind in surface.kinds():
            element = Element(ElementKind.KIND, version.group, version.name, kind.kind)
            self.kinds.setdefault(kind.root, []).append(element)

    def of(self, elements: Iterable[Element]) -> Iterator[int]:
        """Yield the findings about some elements."""
        return (self.findings[each] for each in elements if each in self.findings)

    def of_kind(self, element: Element) -> Iterator[int]:
        """Yield the possible causes of a finding about a whole kind: its findings in single versions, and the finding about a
        version if all of its versions were added or removed.
        """
        if element.version:
            return
        names = [each.name for each in self._surface.versions_of(element.group) if element.type in each.kinds]
        yield from self.of(replace(element, version=name) for name in names)
        versions = [Element(ElementKind.VERSION, element.group, name) for name in names]
        if versions and all(version in self.findings for version in versions):
            yield self.findings[versions[0]]


class _Roots:
    """The root cause of each finding."""

    def __init__(self, findings: Sequence[Finding], old: Surface, new: Surface, known: tuple[Owners, Owners]) -> None:
        self._findings = findings
        self._removed = _OneSided(_by_element(findings, is_removed), old, known[0])
        self._added = _OneSided(_by_element(findings, is_added), new, known[1])
        self._no_longer_served = _by_element(findings, lambda each: each.trait is Trait.SERVED)
        self._retyped: dict[TypeName, list[int]] = {}
        for number, finding in enumerate(findings):
            if finding.element.type and finding.trait is Trait.TYPE:
                self._retyped.setdefault(finding.element.type_name, []).append(number)
        self._unserved = no_longer_served(old, new)
        self._parents: dict[int, int] = {}
        for number, finding in enumerate(findings):
            candidates = (each for each in self._candidates(finding) if number not in self._chain(each))
            self._parents.update((number, each) for each in islice(candidates, 1))

    def root(self, number: int) -> int:
        """The finding at the end of the chain; itself, where it follows from none."""
        *_, last = self._chain(number)
        return last

    def _chain(self, number: int) -> Iterator[int]:
        """Yield a finding, the one that it follows from, and so on."""
        yield number
        while number in self._parents:
            number = self._parents[number]
            yield number

    def _candidates(self, finding: Finding) -> Iterator[int]:
        """The findings that it may follow from, the likeliest first."""
        element = finding.element
        if element.kind is ElementKind.TOMBSTONE and is_added(finding):
            yield from self._buried(element)
        elif element.kind is ElementKind.FIELD and is_added(finding) and element in self._removed.findings:
            yield self._removed.findings[element]  # the field is now in some versions only
        elif element.kind is ElementKind.RULE and is_removed(finding):
            yield from self._removed_fields_of(finding)
        elif finding.trait in (Trait.LIST_TYPE, Trait.LIST_MAP_KEYS):
            # a set of strings cannot become a list of structs otherwise
            retyped = self._retyped.get(element.type_name, ())
            yield from (each for each in retyped if self._findings[each].element.path == f"{element.path}[]")
        elif is_removed(finding):
            yield from self._from(element, self._removed)
        elif is_added(finding):
            yield from self._from(element, self._added)
        if finding.kinds and finding.trait is not Trait.SERVED and self._unserved.issuperset(finding.kinds):
            kind = replace(element, kind=ElementKind.KIND, type=element.type.partition(".")[0], path="")
            version = Element(ElementKind.VERSION, element.group, element.version)
            yield from (self._no_longer_served[each] for each in (kind, version) if each in self._no_longer_served)

    def _buried(self, element: Element) -> Iterator[int]:
        """Yield the removed element that a new tombstone names: a field or a value of its type, a version or a kind of
        its group.
        """
        group, version, type_, name = element.group, element.version, element.type, element.path
        return self._removed.of(
            (
                Element(ElementKind.FIELD, group, version, type_, name),
                Element(ElementKind.ENUM_VALUE, group, version, type_, name),
                Element(ElementKind.VERSION, group, name),
                Element(ElementKind.KIND, group, "", name),
            )
        )

    def _removed_fields_of(self, finding: Finding) -> Iterator[int]:
        """Yield the removed fields that a removed CEL rule mentions, at its place or below it."""
        element = finding.element
        place = path_in(element.type, element.path.partition("(")[0])
        words = frozenset(_WORD.findall(finding.old))
        for removed, number in self._removed.findings.items():
            is_near = removed.kind is ElementKind.FIELD and removed.version == element.version
            if is_near and removed.path in words and _is_within(removed.type, place):
                yield number

    def _from(self, element: Element, side: _OneSided) -> Iterator[int]:
        if element.kind is ElementKind.KIND:
            yield from side.of_kind(element)
        elif element.kind in _TYPES:
            yield from self._of_type(element, side)

    def _of_type(self, element: Element, side: _OneSided) -> Iterator[int]:
        name = element.type_name
        for kind in side.kinds.get(name, ()):
            yield from side.of((kind, replace(kind, version="")))
        owners = side.owners.get(name, ())
        fields = [Element(ElementKind.FIELD, o.group, o.version, o.name, field) for o, field in owners if field]
        yield from side.of(fields)
        for field in fields:
            for number in self._retyped.get(field.type_name, ()):
                if _is_within(self._findings[number].element.path, field.path):
                    yield number
        for owner, _ in owners:
            if owner != name:
                yield from side.of(Element(kind, owner.group, owner.version, owner.name) for kind in sorted(_TYPES))


def _by_element(findings: Sequence[Finding], is_counted: Callable[[Finding], bool]) -> dict[Element, int]:
    found: dict[Element, int] = {}
    for number, finding in enumerate(findings):
        if is_counted(finding):
            found.setdefault(finding.element, number)
    return found


def _is_within(path: str, field: str) -> bool:
    return path == field or (path.startswith(field) and path[len(field)] in ".[{(")


def worst(findings: Iterable[Finding]) -> Severity:
    """Return the worst severity; silent for no findings."""
    return max((finding.severity for finding in findings), default=Severity.SILENT)


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
    def consequences(self) -> tuple[Finding, ...]:
        """The consequences of all its findings."""
        return tuple(one for each in self.findings for one in each.consequences)

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
