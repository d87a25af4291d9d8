"""The effects of Kubernetes' strategies on objects, checked record by record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from tests.kubernetes.checking import Checker
from tests.kubernetes.compiling import Package
from tests.kubernetes.records import DATA, Preparation, canonical, preparations
from tests.kubernetes.whole.building import load
from tests.kubernetes.whole.strategy_causes import Cause, Tokens, causes, differences, explained_by, shown

RANDOMIZED = DATA / "more-vectors"
FOLDERS = (DATA / "all-vectors", RANDOMIZED)
"""All vectors of Kubernetes v1.36.3, and random records of the kinds that they omit."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """Result of a record: it agrees, or all differences have rows among the causes, or `problem` describes an error.

    `about` is the marked field that the record is about, `is_disabled` is true if a gate was disabled for it. `randomized`
    records are those of kinds that the vectors omit.
    """

    resource: str
    group: str
    operation: str
    name: str
    about: str
    case: str
    is_disabled: bool
    by_nothing: bool
    differs_at: tuple[Tokens, ...] = ()
    explained: tuple[Cause, ...] = ()
    problem: str = ""
    randomized: bool = False

    @property
    def agrees(self) -> bool:
        """Whether all is as in Kubernetes."""
        return not self.differs_at and not self.problem


def groups(folders: Iterable[Path] = FOLDERS) -> list[tuple[Path, str]]:
    """The files: by folder, and group."""
    return [
        (folder, file.name.removesuffix(".jsonl.gz"))
        for folder in folders
        for file in sorted((folder / "strategies").glob("*.jsonl.gz"))
    ]


def check_group(built: Path, folder: Path, group: str) -> list[Prepared]:
    """The outcomes of a file of records; `built` holds the package."""
    checked = Strategies(load(built)).checked(preparations(folder, group))
    return [replace(outcome, randomized=folder == RANDOMIZED) for outcome in checked]


def check_all_groups(built: Path, processes: int) -> list[Prepared]:
    """Those of all files."""
    files = groups()
    with ProcessPoolExecutor(processes) as pool:
        found = pool.map(check_group, [built] * len(files), *zip(*files, strict=True))
        return [one for outcomes in found for one in outcomes]


class Strategies:
    """Runs records through the strategies of a package, and looks up what differs among the causes."""

    def __init__(self, package: Package, rows: tuple[Cause, ...] | None = None) -> None:
        self._checker = Checker(package)
        self._rows = causes() if rows is None else rows

    def checked(self, records: Iterable[Preparation]) -> Iterator[Prepared]:
        """What came of each record."""
        for record in records:
            yield self._evaluated(record)

    def _evaluated(self, record: Preparation) -> Prepared:
        outcome = Prepared(
            resource=record.resource,
            group=record.group or "core",
            operation=record.operation,
            name=str(record),
            about=record.field,
            case=record.case,
            is_disabled=not all(record.gates.values()),
            by_nothing=canonical(record.before) == canonical(record.after),
        )
        try:
            ours = self._checker.prepared(record)
        except Exception as error:
            return replace(outcome, problem=f"{type(error).__name__}: {error}")
        if ours is None:
            return replace(outcome, problem="the old object was changed")
        places = tuple(dict.fromkeys(differences(ours, record.after)))
        rows = explained_by(self._rows, record.resource, record.operation, places)
        if rows is None:
            return replace(outcome, differs_at=places, problem=f"differs at {', '.join(map(shown, places))}")
        return replace(outcome, differs_at=places, explained=tuple(rows))


def unused_causes(outcomes: Iterable[Prepared]) -> list[str]:
    """Rows that no record needs, each as a sentence."""
    needed = {row for outcome in outcomes for row in outcome.explained}
    return [
        f"{row.resource}: no record needs the row about {', '.join(row.paths)} ({row.cause})"
        for row in causes()
        if row not in needed
    ]
