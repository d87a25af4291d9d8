"""Write `tests/records/review-of-kubernetes.md`: the findings for four releases of Kubernetes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from apigen.review.results import Severity
from tests.review.kubernetes_history.checking import BETWEEN_VERSIONS, Step, rows, step
from tests.review.kubernetes_history.expected import reason_for
from tests.review.kubernetes_history.releases import STEPS

PAGE = Path(__file__).resolve().parents[3] / "tests" / "records" / "review-of-kubernetes.md"


def page() -> str:
    """The text of the page."""
    steps = [step(*pair) for pair in STEPS]
    return "\n".join(_lines(steps)) + "\n"


def _lines(steps: Sequence[Step]) -> Iterator[str]:
    yield "# Reviews of Kubernetes releases"
    yield ""
    yield "`apigen diff` compares the Kubernetes API in four steps, from 1.33 to 1.37. Both sides are specs that `apigen import go` wrote"
    yield "from the Go sources, without changes by a person. The changes of the sources were listed with Go's own parser, independently"
    yield "of the importer. `python -m tests.review.kubernetes_history --write` writes this page; a test fails if it is out of date."
    yield ""
    yield "## Changes found"
    yield ""
    yield from _table(
        ("step", "changes of the sources", "found", "not part of specs", "missed", "changes found", "invented"),
        [_found_row(each) for each in steps],
    )
    yield ""
    yield "*Found* means that the comparison reports a change of this kind at this element. A comparison of field names and numbers alone"
    yield "would find the added and removed fields, which are"
    yield f"{_fields(steps)} of the {sum(len(each.outcomes) for each in steps):,}. *Invented* changes are reported, but not in the sources."
    yield ""
    yield "By kind of change, over all steps:"
    yield ""
    yield from _table(("kind", "found", "not part of specs", "why"), list(_kind_rows(steps)))
    yield ""
    yield "## Findings by severity"
    yield ""
    yield from _table(("step", "errors", "warnings", "infos", "no effect"), [_severity_row(each) for each in steps])
    yield ""
    yield "Kubernetes shipped all four steps, so every error needs a reason. A tool that reports every difference as an error would have"
    yield f"{sum(sum(each.reasons.values()) for each in steps):,} errors. These are the errors of apigen:"
    yield ""
    yield from _table(("step", "rule", "errors", "why"), list(_error_rows(steps)))
    yield ""
    yield "Rules that compare the served versions of a release with each other are not part of this page ("
    yield ", ".join(f"`{rule}`" for rule in sorted(BETWEEN_VERSIONS)) + "): imported"
    yield "specs do not declare conversions, which are Go code in Kubernetes. The specs in `api-specs/kubernetes` declare them."
    yield ""
    yield "## Expected findings"
    yield ""
    results = [(each.new, row, problems) for each in steps for row, problems in rows(each)]
    yield from _table(
        ("step", "change", "expected", "findings"),
        [
            (
                release,
                row.change,
                row.expected,
                _said(row.findings) if not problems else "**wrong**: " + "; ".join(problems),
            )
            for release, row, problems in results
        ],
    )


def _found_row(of: Step) -> tuple[str, ...]:
    found = sum(bool(each.found) for each in of.outcomes)
    missing, all_ = len(of.missing), len(of.outcomes)
    numbers = all_, found, all_ - found - missing, missing, sum(of.reasons.values()), len(of.invented)
    return (f"{of.old} to {of.new}", *map(str, numbers))


def _fields(steps: Sequence[Step]) -> int:
    return sum(outcome.truth.kind in ("field-added", "field-removed") for each in steps for outcome in each.outcomes)


def _kind_rows(steps: Sequence[Step]) -> Iterator[tuple[str, ...]]:
    outcomes = [outcome for each in steps for outcome in each.outcomes]
    for kind in sorted({outcome.truth.kind for outcome in outcomes}):
        of_kind = [outcome for outcome in outcomes if outcome.truth.kind == kind]
        reasons = sorted({outcome.reason for outcome in of_kind if outcome.reason})
        found = sum(bool(outcome.found) for outcome in of_kind)
        yield kind, str(found), str(sum(bool(outcome.reason) for outcome in of_kind)), "; ".join(reasons)


def _severity_row(of: Step) -> tuple[str, ...]:
    counts = of.severities()
    return (f"{of.old} to {of.new}", *(str(counts[each.word]) for each in reversed(Severity)))


def _error_rows(steps: Sequence[Step]) -> Iterator[tuple[str, ...]]:
    for each in steps:
        whys = [(error.rule, reason_for(each.new, error.rule, str(error.element))) for error in each.errors]
        for (rule, why), count in sorted(Counter(whys).items()):
            yield each.new, f"`{rule}`", str(count), why or "**none**"


def _said(findings: Sequence[tuple[str, str, str]]) -> str:
    return "; ".join(f"{severity}, `{rule}` at `{element}`" for element, rule, severity in findings)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield f"|{'---|' * len(columns)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |"
