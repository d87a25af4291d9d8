"""The versions of both sides as a picture: kept, added and removed ones, and the number of changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from apigen.dataclass import dataclass
from apigen.ir.stability import Stability, VersionRank, version_rank
from apigen.review.reports.summary import SHOWN, Summary, counted_word
from apigen.review.results import Severity
from apigen.review.same_change import same_changes
from apigen.review.surface import Group, Version

MOST_GROUPS = 30
"""The maximum number of groups in the picture; the others are counted."""

_ROW = 46
_NODE = 34
_TOP = 34


@dataclass(frozen=True, slots=True)
class Node:
    """A version on one side. `note` is its state: stored, not served, deprecated."""

    name: str
    note: str
    is_served: bool
    y: int


@dataclass(frozen=True, slots=True)
class Row:
    """A version on both sides, or on one; `label` counts the changes, `state` is the severity or `added`, `removed`, `same`."""

    old: Node | None
    new: Node | None
    label: str
    state: str
    middle: int


@dataclass(frozen=True, slots=True)
class GroupGraph:
    """A group with all its versions, the most stable one first."""

    name: str
    rows: tuple[Row, ...]
    height: int


def graphs(summary: Summary) -> tuple[tuple[GroupGraph, ...], int]:
    """Return a picture for each group with findings or changes, the worst first, and the number of omitted groups."""
    found: dict[str, dict[str, list[Severity]]] = {}
    told = (*summary.findings, *summary.additions, *summary.documentation, *summary.harmless)
    for change in same_changes(told):
        for (group, version), severity in change.by_version.items():
            found.setdefault(group, {}).setdefault(version, []).append(severity)
    old, new = summary.old.groups, summary.new.groups
    names = sorted(
        (name for name in dict.fromkeys((*new, *old)) if name in found), key=lambda name: -_worst(found[name])
    )
    drawn = tuple(_graph(name, old.get(name), new.get(name), found[name]) for name in names[:MOST_GROUPS])
    return drawn, max(0, len(names) - MOST_GROUPS)


def _worst(found: Mapping[str, list[Severity]]) -> Severity:
    return max(severity for severities in found.values() for severity in severities)


def _graph(name: str, old: Group | None, new: Group | None, found: Mapping[str, list[Severity]]) -> GroupGraph:
    before = {} if old is None else old.versions
    after = {} if new is None else new.versions
    versions = sorted(dict.fromkeys((*after, *before)), key=_rank, reverse=True)
    rows = tuple(
        _row(before.get(version), after.get(version), found.get(version, ()), _TOP + number * _ROW)
        for number, version in enumerate(versions)
    )
    return GroupGraph(name, rows, _TOP + len(rows) * _ROW)


def _row(old: Version | None, new: Version | None, found: Sequence[Severity], y: int) -> Row:
    counted = Counter(found)
    most = max(counted, default=Severity.SILENT)
    words = ", ".join(counted_word(s, counted[s]) for s in SHOWN if counted[s])
    state = most.word if counted else "same"
    if old is None or new is None:
        what = "added" if old is None else "removed"
        state = state if most >= Severity.WARNING else what
        words = f"{what}, {words}" if words else what
    return Row(_node(old, y), _node(new, y), words or "unchanged", state, y + _NODE // 2)


def _node(version: Version | None, y: int) -> Node | None:
    if version is None:
        return None
    notes: Iterable[str] = (
        "stored" if version.storage or any(kind.storage for kind in version.kinds.values()) else "",
        "" if version.served else "not served",
        "deprecated" if version.lifecycle.declares_deprecation else "",
    )
    return Node(version.name or "(no version)", ", ".join(note for note in notes if note), version.served, y)


def _rank(name: str) -> tuple[VersionRank, str]:
    return version_rank(name) or VersionRank(Stability.STABLE, 0, 0), name
