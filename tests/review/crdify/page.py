"""The page about the agreement."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.review.crdify import mapping
from tests.review.crdify.given import Case, cases
from tests.review.crdify.outcome import AGREED, MILDER, MISSED, MORE, Line, outcome
from tests.review.crdify.reasons import REASONS, TRIED_ELSEWHERE
from tests.review.crdify.trying import tried

PAGE = Path(__file__).resolve().parents[3] / "tests/records/agreement-with-crdify.md"
_PARTS = {
    "e2e": "Whole definitions",
    "unit": "One property at a time",
    "served": "Served versions of one definition",
}
_ORDER = (AGREED, MORE, MILDER, MISSED)
_HEAD = """# Agreement with crdify

[crdify](https://github.com/kubernetes-sigs/crdify) compares two versions of a CustomResourceDefinition. `apigen diff` was run on all of
its cases ({total}); this page is written by `python -m tests.review.crdify --write`, and a test fails when it is out of date. Expected results
are those of crdify at 54162f2e (Apache-2.0, The Kubernetes Authors).

## Method

{mapping}

| crdify | apigen |
|---|---|
{rules}

## Result

{counts}

- *agreed*: an error of both, at the same place.
- *more*: only apigen reports the change.
- *lower severity*: both report the change; apigen assigns a lower severity. {tried}
- *not reported*: apigen has no finding of its own for the change.
"""


def lines_by_case() -> list[tuple[Case, list[Line]]]:
    """All cases with what both say."""
    with tempfile.TemporaryDirectory() as folder:
        return [(case, outcome(case, Path(folder))) for case in cases()]


def page() -> str:
    """The page, as text."""
    found = lines_by_case()
    counts = Counter((case.part, line.agreement) for case, lines in found for line in lines)
    silent = Counter(case.part for case, lines in found if not lines)
    head = _HEAD.format(
        total=", ".join(f"{sum(case.part == part for case, _ in found)} {part}" for part in _PARTS),
        mapping="\n".join((mapping.__doc__ or "").strip().splitlines()),
        rules="\n".join(f"| {theirs} | {', '.join(ours)} |" for theirs, ours in mapping.RULES_OF.items()),
        counts="\n".join(_counts(counts, silent)),
        tried=_tried([case for case, lines in found if any(line.agreement == MILDER for line in lines)]),
    )
    return "\n".join([head, *(text for part, title in _PARTS.items() for text in _part(part, title, found))])


def _counts(counts: Counter[tuple[str, str]], silent: Counter[str]) -> Iterator[str]:
    yield f"| | {' | '.join(_ORDER)} | cases on which both are silent |"
    yield "|---|" + "---:|" * 5
    for part, title in _PARTS.items():
        yield f"| {title} | {' | '.join(str(counts[part, each]) for each in _ORDER)} | {silent[part]} |"


def _tried(milder: list[Case]) -> str:
    """Return a sentence about the trials of findings with a lower severity."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [tried(case, Path(folder)) for case in milder if case.name not in TRIED_ELSEWHERE]
    given, rejected = sum(each.forth.objects for each in runs), sum(each.forth.rejected for each in runs)
    return f"All were tried: of {given:,} objects that the base accepts, the revision rejects {rejected}."


def _part(part: str, title: str, found: list[tuple[Case, list[Line]]]) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| case | crdify | apigen | | why |"
    yield "|---|---|---|---|---|"
    for case, lines in found:
        if case.part != part:
            continue
        name = f"{case.name} ({case.options})" if case.options else case.name
        if not lines:
            yield f"| {name} | – | – | {AGREED} | |"
        for line in lines:
            why = REASONS.get(case.name, {}).get(line.key, "")
            yield f"| {name} | {line.theirs or '–'} | {line.ours or '–'} | {line.agreement} | {why} |"
    yield ""
