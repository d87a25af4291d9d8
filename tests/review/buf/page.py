"""The page `tests/records/agreement-with-buf.md`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.review.buf.agreement import Outcome, Row
from tests.review.buf.cases import categories
from tests.review.buf.mapping import MAPPING, preset_of
from tests.review.buf.reasons import reason

PAGE = Path(__file__).parents[3] / "tests/records/agreement-with-buf.md"

_INTRODUCTION = """<!-- Made by `python -m tests.review.buf --write`. Do not edit. -->

# Agreement with buf

`buf breaking` checks `.proto` files against an older state, by rules in categories. This page lists all 45 cases of its own tests
(commit c9a5b265, Apache-2.0) with their 547 findings, each with file and line, next to the findings of `apigen diff` for the same
files. The cases are in `tests/review/buf/cases`; a test compares them again, and a difference that is not on this page
fails it.

buf reports a change as breaking or not, for code (`FILE`, `PACKAGE`), for bytes and JSON (`WIRE_JSON`), or for bytes (`WIRE`). apigen
evaluates four directions, has three severities, and presets instead of categories: `source` corresponds to `FILE` and `PACKAGE`,
`wire` to `WIRE_JSON`, and `bytes` to `WIRE`. Each rule is compared with the preset of the laxest category that
contains it; the rules and files of a case are those in its configuration.

If apigen reports a lower severity, python's protobuf of both sides was run on random messages of the affected types:
each side read the bytes and the JSON of the other one unchanged, in both directions.
"""


def page(rows: Iterable[Row]) -> str:
    """The page for all rows."""
    found = list(rows)
    return "\n".join([_INTRODUCTION, *_totals(found), *_cases(found), *_differences(found), *_mapping()]) + "\n"


def _totals(rows: list[Row]) -> Iterator[str]:
    counts: Counter[Outcome] = Counter()
    for row in rows:
        counts[row.outcome] += row.count
    words = {
        Outcome.SAME: "the same, as an error, in the same file and line",
        Outcome.MILDER: "the same, in the same place, as a warning or less",
        Outcome.OTHERWISE: "an error of another rule, in the same place",
        Outcome.MISSING: "reported in another place",
        Outcome.MORE: "only reported by apigen",
    }
    yield "| findings | |\n|---|---|"
    yield from (f"| {text} | {counts[outcome]} |" for outcome, text in words.items())
    yield ""


def _cases(rows: list[Row]) -> Iterator[str]:
    yield "## Case by case\n\n| case | buf | the same | lower severity | another rule | elsewhere | only apigen |\n|---|---|---|---|---|---|---|"
    for case in sorted({row.case for row in rows}):
        counts: Counter[Outcome] = Counter()
        for row in rows:
            if row.case == case:
                counts[row.outcome] += row.count
        theirs = sum(counts[each] for each in Outcome if each is not Outcome.MORE)
        order = (Outcome.SAME, Outcome.MILDER, Outcome.OTHERWISE, Outcome.MISSING, Outcome.MORE)
        yield f"| `{case}` | {theirs} | " + " | ".join(str(counts[each] or "") for each in order) + " |"
    yield "\nCases without a finding on either side are not in the table.\n"


def _differences(rows: list[Row]) -> Iterator[str]:
    yield "## Every difference\n\n| buf | ours | where | why |\n|---|---|---|---|"
    grouped: dict[tuple[Outcome, str, tuple[str, ...], str], list[Row]] = {}
    for row in rows:
        if row.outcome is not Outcome.SAME:
            key = (row.outcome, row.told.rule, row.by, reason(row) or "")
            grouped.setdefault(key, []).append(row)
    for (outcome, rule, by, why), each in sorted(grouped.items()):
        buf = "nothing" if outcome is Outcome.MORE else f"`{rule}`"
        beside = f" (next to `{rule}`)" if outcome is Outcome.MORE else ""
        yield f"| {buf}{beside} | {_listed(by)} | {'; '.join(_places(each))} | {why} |"
    yield ""


def _listed(by: tuple[str, ...]) -> str:
    return (
        ", ".join(f"`{each.partition(' ')[0]}`{each.partition(' ')[1]}{each.partition(' ')[2]}" for each in by)
        or "nothing"
    )


def _places(rows: list[Row]) -> Iterator[str]:
    by_file: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        times = f" ({row.count} times)" if row.count > 1 else ""
        by_file.setdefault((row.case, row.told.file), []).append(f"{row.told.line or '–'}{times}")
    for (case, file), lines in by_file.items():
        yield f"`{case}` {file or 'gone'}: {', '.join(lines)}"


def _mapping() -> Iterator[str]:
    yield "## Compared rules\n\n| buf | categories | preset | ours |\n|---|---|---|---|"
    for rule, mine in MAPPING.items():
        groups = sorted(categories().get(rule, set()))
        cells = (f"`{rule}`", ", ".join(groups), f"`{preset_of(groups)}`", ", ".join(f"`{each}`" for each in mine))
        yield f"| {' | '.join(cells)} |"
