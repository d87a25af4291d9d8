"""What the records of Kubernetes omit, as its code has it: the files of `tests/kubernetes/own`."""

from __future__ import annotations

import pytest

from tests.kubernetes.checking import Checker
from tests.kubernetes.records import Conversion, Defaulting
from tests.kubernetes.whole.building import load
from tests.kubernetes.whole.conftest import Built
from tests.kubernetes.whole.own import groups, own_conversions, own_defaultings
from tests.kubernetes.whole.releases import REFERENCE


@pytest.mark.parametrize("group", groups())
def test_conversions(built: Built, group: str) -> None:
    checker = Checker(load(built(REFERENCE)[0]))
    wrong = [f"{r}: {problem}" for r in own_conversions(group) if (problem := checker.conversion(r))]
    assert not wrong, f"{len(wrong)} records\n" + "\n".join(wrong)


@pytest.mark.parametrize("group", groups())
def test_defaults(built: Built, group: str) -> None:
    checker = Checker(load(built(REFERENCE)[0]))
    wrong = [f"{r}: {problem}" for r in own_defaultings(group) if (problem := checker.defaulting(r))]
    assert not wrong, f"{len(wrong)} records\n" + "\n".join(wrong)


@pytest.mark.parametrize("group", groups())
def test_records_are_distinct_and_effective(group: str) -> None:
    """Names are unique, and a file does not pass if no conversion is performed."""
    records: list[Conversion | Defaulting] = [*own_conversions(group), *own_defaultings(group)]
    assert records and len({str(record) for record in records}) == len(records)
    assert any(record.after_nothing != record.after for record in records)
