"""The counts and the summary of a review, and its result for releases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apigen.ir.model import Lifecycle, Release
from apigen.ir.surface import Element, ElementKind
from apigen.review.changes.change import Trait
from apigen.review.finding import Finding
from apigen.review.reports.html_report import graphs
from apigen.review.reports.summary import Bump, FailOn, advise
from apigen.review.results import Direction, Severity
from apigen.review.rules.registry import DOCUMENTATION_RULES
from tests.review.reports.hand_made import GROUP, added, approval, field, finding, removed, struct, summary, surface

SPEC = Element(ElementKind.STRUCT, GROUP, "v1", "Spec")
OLD = surface(types=[struct("Thing", {"spec": "Spec"}), struct("Spec", {})])


def elements(findings: tuple[Finding, ...]) -> list[str]:
    return [str(each.element).removeprefix(f"{GROUP}/v1.") for each in findings]


def test_each_finding_is_in_one_part() -> None:
    documented = (
        finding(field("d"), rule=DOCUMENTATION_RULES[0].id, severity=Severity.INFO, effects={})
        if DOCUMENTATION_RULES
        else None
    )
    of = summary(
        finding(field("open")),
        added(field("new")),
        finding(field("quiet"), severity=Severity.SILENT, effects={}),
        *([documented] if documented else []),
    )
    parts = (of.findings, of.additions, of.harmless)
    assert [elements(part) for part in parts] == [["Thing.open"], ["Thing.new"], ["Thing.quiet"]]
    assert elements(of.documentation) == (["Thing.d"] if documented else [])


def test_breaking_addition_is_not_listed_as_addition() -> None:
    of = summary(added(field("new"), severity=Severity.WARNING), added(field("b"), effects=finding().effects))
    assert elements(of.findings) == ["Thing.new", "Thing.b"]
    assert of.additions == ()


def test_consequences_are_locations_of_their_root_cause() -> None:
    of = summary(removed(field("spec")), removed(SPEC, severity=Severity.WARNING), old=OLD)
    assert len(of.findings) == 1
    assert list(of.counts.values()) == [1, 0, 0, 0]
    assert list(of.places.values()) == [2, 0, 0, 0]
    assert of.matrix[Direction.OLD_CLIENT, Severity.ERROR] == 1


def test_group_fails_for_its_most_severe_member() -> None:
    mild = removed(field("spec"), severity=Severity.INFO)
    assert summary(mild, removed(SPEC), old=OLD).fails
    assert not summary(mild, removed(SPEC), old=OLD, fail_on=FailOn.NEVER).fails
    assert not summary(mild).fails


def test_consequences_of_approval_are_approved_unless_severe() -> None:
    root = removed(field("spec"))
    mild = summary(root, removed(SPEC, severity=Severity.INFO), old=OLD, approvals=[approval(root)])
    assert mild.findings == ()
    assert elements(mild.approved[0].finding.consequences) == ["Spec"]
    worse = summary(root, removed(SPEC, severity=Severity.WARNING), old=OLD, approvals=[approval(root)])
    assert elements(worse.findings) == ["Spec"]


def test_approved_consequence_keeps_severity_of_its_root() -> None:
    root, worse = removed(field("spec"), severity=Severity.WARNING), removed(SPEC)
    of = summary(root, worse, old=OLD, approvals=[approval(worse)])
    assert [each.severity for each in of.findings] == [Severity.WARNING]
    assert not of.fails


@pytest.mark.parametrize(
    ("found", "bump"),
    [
        ([], Bump.NONE),
        ([finding()], Bump.MAJOR),
        ([finding(field(version="v1alpha1"))], Bump.MINOR),
        ([added(field())], Bump.MINOR),
        (
            [finding(old="description: a", new="description: b", trait=Trait.DOC, severity=Severity.INFO, effects={})],
            Bump.PATCH,
        ),
        ([finding(field(name="description"), old="description: string", new="", effects={})], Bump.MINOR),
    ],
)
def test_bumps(found: list[Finding], bump: Bump) -> None:
    assert advise(found, surface()).bump is bump


@pytest.mark.parametrize(
    ("deprecated", "release", "earliest"),
    [
        (Release(1, 10), Release(1, 11), Release(1, 13)),
        (None, Release(1, 11), Release(1, 14)),
        (None, None, None),
    ],
)
def test_earliest_removal_from_a_beta_version(
    deprecated: Release | None, release: Release | None, earliest: Release | None
) -> None:
    of = replace(removed(field("old", version="v1beta1")), lifecycle=Lifecycle(deprecated=deprecated))
    assert advise([of], surface(versions=("v1beta1",), release=release)).earliest_removal == earliest


def test_version_diagram() -> None:
    of = summary(
        finding(),
        finding(field(version="v1beta1"), severity=Severity.WARNING),
        old=surface(versions=("v1alpha1", "v1beta1", "v1")),
        new=surface(versions=("v1beta1", "v1", "v2")),
    )
    (graph,), left = graphs(of)
    assert left == 0
    told = [(row.new or row.old, row.label, row.state) for row in graph.rows]
    assert [(node and node.name, label, state) for node, label, state in told] == [
        ("v2", "added", "added"),
        ("v1", "1 error", "error"),
        ("v1beta1", "1 warning", "warning"),
        ("v1alpha1", "removed", "removed"),
    ]
