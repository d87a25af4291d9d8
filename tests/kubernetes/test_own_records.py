"""What the records of Kubernetes omit, as its code has it; and the Frobber."""

from __future__ import annotations

import pytest

from tests.kubernetes.checking import Checker
from tests.kubernetes.compiling import Package
from tests.kubernetes.own_records import OWN_CONVERSIONS, OWN_DEFAULTINGS
from tests.kubernetes.records import Conversion, Defaulting


@pytest.mark.parametrize("record", OWN_CONVERSIONS, ids=str)
def test_conversions(package: Package, record: Conversion) -> None:
    assert Checker(package).conversion(record) == ""


@pytest.mark.parametrize("record", OWN_DEFAULTINGS, ids=str)
def test_defaults(package: Package, record: Defaulting) -> None:
    assert Checker(package).defaulting(record) == ""
