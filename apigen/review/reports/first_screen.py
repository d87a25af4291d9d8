"""The first part of a report as plain data: the result, the removed and added versions and kinds, and a row per rule.

The reports for people begin with it, each in its own format.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from apigen.dataclass import dataclass
from apigen.diagnostics.quoting import counted
from apigen.ir.surface import ElementKind, Surface, Version
from apigen.review.finding import WITHOUT_CEL, Finding
from apigen.review.grouping import every, is_added, members, same_changes, worst
from apigen.review.reports.summary import SHOWN, Summary, counted_word, result_line
from apigen.review.results import Direction, Severity

_WHOM = {
    Direction.OLD_CLIENT: "older clients",
    Direction.NEW_CLIENT: "newer clients",
    Direction.STORED: "stored data",
    Direction.ROLLBACK: "rollback",
}
_WHOLE = (ElementKind.VERSION, ElementKind.KIND)


@dataclass(frozen=True, slots=True)
class Served:
    """Removed or added versions: their group, their kinds, and the kind of change (`removed`, `new`)."""

    how: str
    group: str
    versions: tuple[str, ...]
    kinds: tuple[str, ...]

    def __str__(self) -> str:
        """Return it as a phrase: `v1alpha1, v1alpha2 of Gateway, HTTPRoute (example.com)`."""
        kinds = f" of {some(self.kinds, 'more')}" if self.kinds else ""
        group = f" ({self.group})" if self.group else ""
        return f"{some(self.versions, 'more')}{kinds}{group}"


@dataclass(frozen=True, slots=True)
class RuleRow:
    """The changes of a rule. `paths` are the places of the worst ones within their kinds, `others` those of lower severity.

    `counts` are the changes by severity, the worst first; `consequences` is the number of changes that are counted with
    their root causes. `extent` names their kinds and versions. `example` is the text of one of the worst, `anchor` its
    fingerprint.
    """

    rule: str
    title: str
    severity: Severity
    counts: tuple[tuple[Severity, int], ...]
    consequences: int
    extent: str
    paths: tuple[str, ...]
    others: tuple[str, ...]
    example: str
    anchor: str

    @property
    def count(self) -> int:
        """The number of changes."""
        return sum(count for _, count in self.counts)

    @property
    def number(self) -> str:
        """The number of changes and their extent: `4 in 2 kinds, 3 versions`."""
        mixed = len(self.counts) > 1
        counts = [counted_word(*each) if mixed else f"{each[1]:,}" for each in self.counts]
        counts += [counted(self.consequences, "consequence")] if self.consequences else []
        return f"{', '.join(counts)} {self.extent}".rstrip()


@dataclass(frozen=True, slots=True)
class FirstScreen:
    """The first part of a report. `caution` states why the review is incomplete, if it is; it is printed first.

    `effects` are the directions that errors and warnings affect, with numbers.
    """

    result: str
    caution: str
    removed: tuple[Served, ...]
    added: tuple[Served, ...]
    effects: tuple[tuple[str, int], ...]
    rows: tuple[RuleRow, ...]
    notes: tuple[str, ...]


def first_screen(summary: Summary) -> FirstScreen:
    """Group the findings of a summary.

    New versions and kinds are not counted, and neither are warnings that follow from a warning or an error.
    """
    roots: dict[str, list[Finding]] = {}
    consequences: dict[str, list[Finding]] = {}
    for finding in (*summary.findings, *summary.additions, *summary.documentation):
        root, *rest = members(finding)
        is_new_whole = root.element.kind in _WHOLE and is_added(root) and root.severity <= Severity.INFO
        if root.severity > Severity.SILENT and not is_new_whole:
            roots.setdefault(root.rule, []).append(root)
        for each in rest:
            if each.severity > min(root.severity, Severity.WARNING):
                consequences.setdefault(each.rule, []).append(each)
    rows = [_row(roots.get(rule, []), consequences.get(rule, []), summary) for rule in {**roots, **consequences}]
    matrix = summary.matrix
    without_cel = sum(finding.no_counterexample == WITHOUT_CEL for finding in every(summary.findings))
    caution = f"no counterexamples were searched for {counted(without_cel, 'finding')}: {WITHOUT_CEL}"
    struck = {each: sum(matrix[each, s] for s in SHOWN if s > Severity.INFO) for each in Direction}
    return FirstScreen(
        result=result_line(summary),
        caution=caution if without_cel else "",
        removed=tuple(_changed(summary.old, summary.new, "removed", "no longer served")),
        added=tuple(_changed(summary.new, summary.old, "added", "now served")),
        effects=tuple((name, struck[direction]) for direction, name in _WHOM.items() if struck[direction]),
        rows=tuple(sorted(rows, key=lambda row: (-row.severity, -row.count, row.rule))),
        notes=tuple(_notes(summary)),
    )


def path_of(finding: Finding) -> str:
    """Return the path of a finding within its kind: `spec.ports[].name`. Rules, branches and values have the path of their type."""
    element = finding.element
    name = element.name
    if element.kind is ElementKind.ENUM_VALUE:
        name = element.type
    elif element.kind in (ElementKind.RULE, ElementKind.BRANCH):
        name = name.partition("(")[0]
    kind, _, rest = name.partition(".")
    return (rest if kind in _kinds(finding) and rest else name) or element.version or str(element)


def paths_of(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return the paths of findings, each once; those of enum values with some of the values."""
    found: dict[str, list[str]] = {}
    for finding in findings:
        values = found.setdefault(path_of(finding), [])
        if finding.element.kind is ElementKind.ENUM_VALUE and finding.element.path not in values:
            values.append(finding.element.path)
    return tuple(f"{path} ({some(values, 'more')})" if values else path for path, values in found.items())


def some(words: Sequence[str], more: str, most: int = 6) -> str:
    """Return the first words of a list, and the number of the others."""
    rest = len(words) - most
    return ", ".join(words) if rest <= 0 else f"{', '.join(words[:most])} and {rest:,} {more}"


def _row(roots: Sequence[Finding], consequences: Sequence[Finding], summary: Summary) -> RuleRow:
    findings = [*roots, *consequences]
    counts = Counter(change.severity for change in same_changes(roots))
    most = worst(findings)
    worst_ones = [finding for finding in findings if finding.severity is most]
    paths = paths_of(worst_ones)
    others = paths_of(finding for finding in findings if finding.severity is not most)
    example = worst_ones[0]
    group = example.element.group
    return RuleRow(
        rule=example.rule,
        title=summary.title(example),
        severity=most,
        counts=tuple((severity, counts[severity]) for severity in SHOWN if counts[severity]),
        consequences=len(same_changes(consequences)),
        extent=extent_of(findings),
        paths=paths,
        others=tuple(path for path in others if path not in paths),
        example=example.result.text.replace(f"{group}/", "") if group else example.result.text,
        anchor=example.fingerprint,
    )


def extent_of(findings: Sequence[Finding]) -> str:
    """Return the kinds and versions of findings: `in 2 kinds, 3 versions`; a single kind or version by its name."""
    kinds = _unique(kind for finding in findings for kind in _kinds(finding))
    versions = _unique(finding.element.version for finding in findings if finding.element.version)
    extent = ", ".join(each for each in (_named(kinds, "kind"), _named(versions, "version")) if each)
    return f"in {extent}" if extent else ""


def _kinds(finding: Finding) -> tuple[str, ...]:
    """Return the kinds that a finding affects, without their versions."""
    if finding.element.kind is ElementKind.KIND:
        return (finding.element.type or finding.element.path,)
    return _unique(kind.rpartition(" ")[2] for kind in finding.kinds)


def _named(names: tuple[str, ...], noun: str) -> str:
    return names[0] if len(names) == 1 else counted(len(names), noun) if names else ""


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def _changed(side: Surface, other_side: Surface, lacking: str, unserved: str) -> Iterator[Served]:
    """Yield what one side serves and the other does not; versions of the same kinds together."""
    for group in side.groups.values():
        other = other_side.groups.get(group.name)
        found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for version in group.versions.values() if not group.borrowed else ():
            twin = None if other is None else other.versions.get(version.name)
            for how, kinds in _of_version(version, twin, lacking, unserved):
                found.setdefault((how, kinds), []).append(version.name)
        for (how, kinds), versions in found.items():
            yield Served(how, group.name, tuple(filter(None, versions)) or ("the API",), kinds)


def _of_version(
    version: Version, other: Version | None, lacking: str, unserved: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    if not version.kinds and other is None:
        yield lacking, ()
    kinds = {} if other is None else other.kinds
    absent = tuple(name for name in version.kinds if name not in kinds)
    changed = tuple(
        name for name, kind in version.kinds.items() if kind.served and name in kinds and not kinds[name].served
    )
    yield from ((how, names) for how, names in ((lacking, absent), (unserved, changed)) if names)


def _notes(summary: Summary) -> Iterator[str]:
    if summary.advice.earliest_removal is not None:
        yield f"earliest release that may remove the removed elements: {summary.advice.earliest_removal}"
    if summary.untried:
        yield summary.untried
    if summary.baselined.stale:
        stale = counted(len(summary.baselined.stale), "known finding")
        yield f"info: {stale} of {summary.baselined.file} no longer reported; remove with `--write-baseline`"
    if summary.unread:
        side, first = summary.unread[0]
        yield f"not reviewed: {len(summary.unread):,}, such as {side.value} {first.place}: {first.message}"
