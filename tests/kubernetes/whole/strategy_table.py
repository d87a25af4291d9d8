"""The tables about strategies: resource by resource, and by marked field. The result is kept as JSON for the documentation."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.kubernetes.records import DATA
from tests.kubernetes.whole.strategies import Prepared
from tests.kubernetes.whole.strategy_causes import CAUSES, Cause
from tests.kubernetes.whole.strategy_pairs import Pair

FILE = DATA / "strategies.json"
"""What came of all records when it was written; the tests hold it against a new run."""


HEADER: tuple[str, ...] = (
    *("resource", "records", "agree", "by nothing", "that change", "of them agree"),
    "left by cause",
)


@dataclass(frozen=True, slots=True)
class Row:
    """Of a resource: its records, those that agree, those that Kubernetes changes, and of them those that agree.

    `randomized`: the vectors omit the resource.
    `causes` counts the records that differ where no data can say it, by cause (joined where a record has more).
    """

    resource: str
    records: int
    agree: int
    changing: int
    changing_agree: int
    causes: dict[str, int]
    randomized: bool = False

    @property
    def by_nothing(self) -> int:
        """The records that doing nothing agrees with."""
        return self.records - self.changing

    @property
    def unexplained(self) -> int:
        """The records that differ and should not."""
        return self.records - self.agree - sum(self.causes.values())


@dataclass(frozen=True, slots=True)
class Result:
    """Both tables, and the causes that records need."""

    rows: tuple[Row, ...]
    pairs: tuple[Pair, ...]
    causes: tuple[Cause, ...]


def result(outcomes: Sequence[Prepared], pairs: Sequence[Pair]) -> Result:
    """The tables of all outcomes."""
    by_resource: dict[str, list[Prepared]] = defaultdict(list)
    for outcome in outcomes:
        by_resource[outcome.resource].append(outcome)
    rows = tuple(_row(resource, some) for resource, some in sorted(by_resource.items()))
    needed = dict.fromkeys(row for outcome in outcomes for row in outcome.explained)
    causes = sorted(needed, key=lambda row: (row.resource, CAUSES.index(row.cause), row.paths))
    return Result(rows, tuple(pairs), tuple(causes))


def write(found: Result, file: Path = FILE) -> None:
    """Keep a result: one row, pair and cause a line."""
    file.write_text(text(found), encoding="utf-8")


def text(found: Result) -> str:
    """A result as JSON."""
    parts = []
    for name, some in asdict(found).items():
        one_a_line = ",\n".join(json.dumps(one) for one in some)
        parts.append(f'"{name}": [\n{one_a_line}\n]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def read(file: Path = FILE) -> Result:
    """The result that was kept."""
    kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return Result(
        tuple(Row(**row) for row in kept["rows"]),
        tuple(Pair(**_with_tuples(pair)) for pair in kept["pairs"]),
        tuple(Cause(**_with_tuples(cause)) for cause in kept["causes"]),
    )


def total(rows: Iterable[Row], name: str = "all") -> Row:
    """The sums of some rows."""
    some = list(rows)
    causes: Counter[str] = Counter()
    for row in some:
        causes.update(row.causes)
    return Row(
        name,
        sum(row.records for row in some),
        sum(row.agree for row in some),
        sum(row.changing for row in some),
        sum(row.changing_agree for row in some),
        dict(sorted(causes.items())),
    )


def totals(rows: Sequence[Row]) -> Iterator[Row]:
    """The sums of the vectors, of additional generated records, and of all."""
    yield total([row for row in rows if not row.randomized], "vectors")
    yield total([row for row in rows if row.randomized], "random objects")
    yield total(rows)


def lines(found: Result) -> Iterator[str]:
    """Both tables as text."""
    yield from _aligned([HEADER, *(_cells(row) for row in (*found.rows, *totals(found.rows)))])
    yield ""
    yield from _sums_of_pairs(found.pairs)
    for pair in found.pairs:
        if not pair.agrees:
            yield f"  {pair.resource} {pair.field}: {pair.agree} of {pair.records}; {', '.join(pair.causes) or 'no cause'}"


def _sums_of_pairs(pairs: Sequence[Pair]) -> Iterator[str]:
    for words, some in (
        ("pairs of a resource and a marked field behind a feature gate", list(pairs)),
        ("of them follow the standard rule in Kubernetes", [p for p in pairs if p.is_standard]),
        ("of them do not", [p for p in pairs if not p.is_standard]),
    ):
        there = sum(pair.agrees_there for pair in some)
        yield f"{len(some)} {words}; {sum(p.agrees for p in some)} agree in full, {there} at the field itself"


def _cells(row: Row) -> tuple[str, ...]:
    counts = (row.records, row.agree, row.by_nothing, row.changing, row.changing_agree)
    left = [f"{count} {cause}" for cause, count in row.causes.items()]
    left += [f"{row.unexplained} WITHOUT CAUSE"] if row.unexplained else []
    return (row.resource, *map(str, counts), ", ".join(left))


def _row(resource: str, outcomes: Sequence[Prepared]) -> Row:
    changing = [outcome for outcome in outcomes if not outcome.by_nothing]
    causes = Counter(_causes_of(outcome) for outcome in outcomes if not outcome.agrees and not outcome.problem)
    return Row(
        resource,
        len(outcomes),
        sum(outcome.agrees for outcome in outcomes),
        len(changing),
        sum(outcome.agrees for outcome in changing),
        dict(sorted(causes.items())),
        any(outcome.randomized for outcome in outcomes),
    )


def _causes_of(outcome: Prepared) -> str:
    named = {row.cause for row in outcome.explained}
    return " and ".join(cause for cause in CAUSES if cause in named)


def _with_tuples(written: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in written.items()}


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        shown = [
            cell.rjust(width) if 0 < at < len(row) - 1 else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(shown).rstrip()
