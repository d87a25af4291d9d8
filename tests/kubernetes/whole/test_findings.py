"""Losses of Kubernetes in the documentation: the same happens here, if it was Kubernetes' decision."""

from __future__ import annotations

import pytest

from tests.kubernetes.checking import RELEASE
from tests.kubernetes.findings import Finding, findings, part, taken_through
from tests.kubernetes.records import canonical
from tests.kubernetes.whole.building import load
from tests.kubernetes.whole.conftest import Built
from tests.kubernetes.whole.releases import REFERENCE

tried = pytest.mark.parametrize("finding", [f for f in findings() if f.example], ids=lambda finding: finding.title)


@tried
def test_findings(built: Built, finding: Finding) -> None:
    package = load(built(REFERENCE)[0])
    example = finding.example
    assert example is not None
    try:
        found = taken_through(package, example, RELEASE)
    except package.module("runtime").ConversionError:
        assert example.rejected
        return
    assert not example.rejected
    assert canonical(part(found, example.look)) == canonical(example.after)


@tried
def test_each_finding_shows_a_loss(finding: Finding) -> None:
    """An unchanged object is allowed only for findings about `default`."""
    example = finding.example
    assert example is not None
    assert canonical(example.shown) != canonical(example.after) or example.steps == ("default",)
