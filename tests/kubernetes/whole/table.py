"""The table that a run prints: a row per group, and what did not agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from tests.kubernetes.whole.building import Cost
from tests.kubernetes.whole.outcomes import Outcome, count

COLUMNS = ("fixtures", "conversions", "defaults", "codec")


def table(outcomes: Sequence[Outcome], cost: Cost) -> Iterator[str]:
    """Lines of text."""
    by_group: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_group[outcome.group or "core"].append(outcome)
    rows: list[tuple[str, ...]] = [("group", "kinds", *COLUMNS, "lenses", "by hand", "lines", "seconds", "MB")]
    rows += (_row(group, by_group[group], cost) for group in sorted(cost.kinds.keys() | by_group.keys()))
    total = (str(sum(c.values())) for c in (cost.lenses, cost.hand_written))
    lines = f"{sum(cost.lines.values()):,}"
    rows.append(
        (
            "all",
            str(sum(cost.kinds.values())),
            *_counts(outcomes),
            *total,
            lines,
            f"{cost.all_seconds:.1f}",
            f"{cost.peak_mb:.0f}",
        )
    )
    yield from _aligned(rows)
    yield ""
    for what in ("conversions", "defaults"):
        found = count(outcome for outcome in outcomes if outcome.what == what)
        if found.total:
            yield f"{what}: doing nothing would agree with {found.by_nothing:,} of {found.total:,}"
    yield "seconds: writing the code of a group; of all: the whole run. MB: what importing all of it takes; of all: the most"
    yield "that compiling held"


def _row(group: str, outcomes: Sequence[Outcome], cost: Cost) -> tuple[str, ...]:
    return (
        group,
        str(cost.kinds.get(group, 0)),
        *_counts(outcomes),
        str(cost.lenses.get(group, 0) or ""),
        str(cost.hand_written.get(group, 0) or ""),
        f"{cost.lines.get(group, 0):,}",
        f"{cost.seconds.get(group, 0):.1f}",
        f"{cost.megabytes.get(group, 0):.0f}",
    )


def problems(outcomes: Iterable[Outcome], most: int = 20) -> Iterator[str]:
    """What did not agree, of each group and kind of records the first ones."""
    wrong: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        if outcome.problem:
            wrong[outcome.group, outcome.what].append(outcome)
    for (group, what), found in sorted(wrong.items()):
        yield f"{group}: {len(found)} {what} differ"
        yield from (f"  {outcome.name}: {outcome.problem[:300]}" for outcome in found[:most])


def _counts(outcomes: Sequence[Outcome]) -> Iterator[str]:
    for what in COLUMNS:
        yield str(count(outcome for outcome in outcomes if outcome.what == what))


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
