"""Every record of Kubernetes' own conversions, defaults and strategies for the kinds of these specs.

A number of records that agree means nothing without the number that doing nothing reaches: the summary at the end of a
run shows both, kind by kind. Only all count.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.kubernetes.checking import Checker
from tests.kubernetes.compiling import Package
from tests.kubernetes.records import (
    Conversion,
    Defaulting,
    Preparation,
    canonical,
    conversions,
    defaultings,
    preparations,
)

ON_PURPOSE: dict[str, str] = {
    f"{entry['vectors']} {entry['record']}": entry["difference"]
    for entry in json.loads((Path(__file__).parent / "differences.json").read_text(encoding="utf-8"))
}
"""Record -> what it is called in the table of docs/comparisons/kubernetes.md, which has the reason."""

Record = Conversion | Defaulting | Preparation


def kinds(records: Sequence[Record]) -> list[str]:
    return sorted({record.kind for record in records})


def checked(
    vectors: str, records: Sequence[Record], checker: Callable[[Record], str], note: Callable[[str, object], None]
) -> None:
    """Check all records of a kind; fail for those that differ, and for listed differences that do not exist."""
    wrong: list[str] = []
    for record in records:
        problem = checker(record)
        listed = f"{vectors} {record}" in ON_PURPOSE
        if bool(problem) != listed:
            wrong.append(f"{record}: {problem or 'is listed as a difference, but agrees'}")
    right = len(records) - len(wrong)
    note("vectors", [vectors, records[0].kind, len(records), right, reached_by_nothing(records)])
    assert not wrong, f"{len(wrong)} of {len(records)} records\n" + "\n".join(wrong[:20])


def reached_by_nothing(records: Sequence[Record]) -> int:
    """How many come out right if nothing is done but to write the version that is wanted."""
    return sum(r.after is not None and canonical(r.after_nothing) == canonical(r.after) for r in records)


@pytest.mark.parametrize("kind", kinds(conversions()))
def test_conversions(package: Package, kind: str, record_property: Callable[[str, object], None]) -> None:
    records = [record for record in conversions() if record.kind == kind]
    checked("conversions", records, Checker(package).conversion, record_property)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", kinds(defaultings()))
def test_defaults(package: Package, kind: str, record_property: Callable[[str, object], None]) -> None:
    records = [record for record in defaultings() if record.kind == kind]
    checked("defaults", records, Checker(package).defaulting, record_property)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", kinds(preparations()))
def test_strategies(package: Package, kind: str, record_property: Callable[[str, object], None]) -> None:
    records = [record for record in preparations() if record.kind == kind]
    checked("strategies", records, Checker(package).preparation, record_property)  # type: ignore[arg-type]


def test_number_of_records() -> None:
    """Exact numbers, so that a missing record fails the test; and how many records need no action."""
    assert Counter(record.kind for record in conversions()) == {
        "ConfigMap": 40,
        "FlowSchema": 640,
        "HorizontalPodAutoscaler": 160,
        "Ingress": 360,
        "IngressClass": 160,
        "PriorityLevelConfiguration": 640,
        "Scale": 640,
    }
    assert (len(conversions()), reached_by_nothing(conversions())) == (2640, 1764)
    assert (len(defaultings()), reached_by_nothing(defaultings())) == (260, 182)
    assert (len(preparations()), reached_by_nothing(preparations())) == (469, 229)


def test_record_names_are_unique() -> None:
    """Otherwise an intended difference could hide another one."""
    for records in (conversions(), defaultings(), preparations()):
        assert len({str(record) for record in records}) == len(records)


def test_intended_differences_are_records_with_reasons() -> None:
    names = {
        f"{vectors} {record}"
        for vectors, records in (
            ("conversions", conversions()),
            ("defaults", defaultings()),
            ("strategies", preparations()),
        )
        for record in records
    }
    assert ON_PURPOSE.keys() <= names
    page = Path(__file__).parents[2] / "docs" / "comparisons" / "kubernetes.md"
    table = page.read_text(encoding="utf-8").partition(
        "| subject | Kubernetes | apigen | reason |\n|---|---|---|---|\n"
    )[2]
    explained = {line.split("|")[1].strip() for line in table.splitlines() if line[:1] == "|"}
    assert explained
    assert set(ON_PURPOSE.values()) <= explained
