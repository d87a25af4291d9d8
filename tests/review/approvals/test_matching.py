"""What approvals do to findings."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from apigen.diagnostics import Report
from apigen.ir.stability import Stability
from apigen.language.releases import Release
from apigen.review.approvals.approval import SPANS, Approval, Matched, Moment, match, step
from apigen.review.finding import Finding
from apigen.review.results import Direction
from tests.review.reports.hand_made import TODAY, approval, field, finding

FOUND = finding()


def matched(
    *approvals: Approval, found: tuple[Finding, ...] = (FOUND,), moment: Moment | None = None
) -> tuple[Matched, list[str]]:
    report = Report()
    result = match(found, approvals, moment or Moment(TODAY, Release(1, 12)), report)
    return result, [f"{each.code} {each.message}" for each in report.diagnostics]


def test_an_approved_finding_is_not_open() -> None:
    result, problems = matched(approval(FOUND))
    assert (result.open, problems) == ((), [])
    (one,) = result.approved
    assert one.remaining == "until 2026-05-01, 60 days left"
    assert one.directions == (Direction.OLD_CLIENT, Direction.STORED)


def test_directions_that_are_not_approved_stay_open() -> None:
    result, problems = matched(approval(FOUND, directions=frozenset({Direction.OLD_CLIENT})))
    (left,) = result.open
    assert (list(left.effects), problems) == ([Direction.STORED], [])
    assert list(result.approved[0].finding.effects) == [Direction.OLD_CLIENT]


def test_an_unused_approval() -> None:
    result, problems = matched(approval(finding(field("gone"))))
    assert result.open == (FOUND,)
    assert len(result.unused) == 1
    assert problems == [f"AG1423 unused approval: no finding of `{FOUND.rule}` at things.example.com/v1.Thing.gone"]


def test_a_near_match_is_explained() -> None:
    result, problems = matched(approval(FOUND), found=(finding(new="maxLength: 16"),))
    assert len(result.open) == 1
    assert problems == [
        "AG1424 the change differs from the approved one: 63 -> 32 is approved, but the change is 63 -> 16"
    ]


def test_entry_that_contradicts_its_fingerprint() -> None:
    result, (problem,) = matched(approval(FOUND, new="maxLength: 48"))
    assert result.open == (FOUND,)
    assert problem.startswith(
        "AG1425 the fingerprint is of `unclassified-change` at things.example.com/v1.Thing.name, 63 -> 32"
    )
    assert problem.endswith("but the entry declares `new: maxLength: 48`")


def test_entry_with_another_fingerprint_names_that_of_the_change() -> None:
    result, problems = matched(approval(FOUND, fingerprint="0123456789abcdef"))
    assert result.open == (FOUND,)
    assert problems == [
        f"AG1424 no finding has the fingerprint 0123456789abcdef; that of the change is {FOUND.fingerprint}"
    ]


@pytest.mark.parametrize(
    ("expires", "holds"),
    [
        (TODAY, True),
        (TODAY - timedelta(days=1), False),
        (Release(1, 13), True),
        (Release(1, 12), False),
        (Release(1, 9), False),
    ],
)
def test_expiry_dates(expires: date | Release, holds: bool) -> None:
    created = TODAY - timedelta(days=9)
    result, problems = matched(approval(FOUND, created=created, expires=expires))
    assert (not result.open) is holds
    assert [problem[:6] for problem in problems] == ([] if holds else ["AG1422"])


@pytest.mark.parametrize("version", ["v1", "v1beta1", "v1alpha1"])
def test_spans(version: str) -> None:
    found = finding(field(version=version))
    span = SPANS[Stability({"v1": "stable", "v1beta1": "beta", "v1alpha1": "alpha"}[version])]
    last = TODAY + timedelta(days=span.days)
    for expires, holds in (
        (last, True),
        (last + timedelta(days=1), False),
        (Release(1, 12 + span.releases), True),
        (Release(1, 13 + span.releases), False),
        (Release(2, 0), False),
    ):
        result, problems = matched(approval(found, expires=expires), found=(found,))
        assert (not result.open) is holds, expires
        assert [problem[:6] for problem in problems] == ([] if holds else ["AG1421"])


@pytest.mark.parametrize(
    ("created", "expires", "hint"),
    [
        (
            TODAY - timedelta(days=400),
            TODAY - timedelta(days=300),
            f"set `created: {TODAY}` and `expires: {TODAY + timedelta(days=180)}` or earlier",
        ),
        (TODAY, TODAY + timedelta(days=181), f"set `expires: {TODAY + timedelta(days=180)}` or earlier"),
        (TODAY, Release(1, 12), 'set `expires: "1.14"` or earlier'),
        (TODAY, Release(1, 15), 'set `expires: "1.14"` or earlier'),
    ],
)
def test_fix_of_an_expiry_is_the_latest_valid_one(created: date, expires: date | Release, hint: str) -> None:
    report = Report()
    match((FOUND,), (approval(FOUND, created=created, expires=expires),), Moment(TODAY, Release(1, 12)), report)
    [problem] = report.diagnostics
    assert (problem.hint or "").endswith(hint)


def test_fix_of_another_change_is_the_entry_of_the_change() -> None:
    report = Report()
    changed = finding(new="maxLength: 16")
    match((changed,), (approval(FOUND),), Moment(TODAY, Release(1, 12)), report)
    [problem] = report.diagnostics
    written = f'`fingerprint: "{changed.fingerprint}"` and `new: "maxLength: 16"`'
    assert problem.hint == f"undo the change, or review it again and write {written} with its reason"


def test_expiry_by_release_requires_a_release() -> None:
    result, (problem,) = matched(approval(FOUND, expires=Release(1, 13)), moment=Moment(TODAY))
    assert result.open == (FOUND,)
    assert problem.startswith("AG1421 this approval expires with release 1.13, but the next release is unknown")


def test_remaining_releases_before_expiry() -> None:
    assert Moment(TODAY, Release(1, 12)).remaining(Release(1, 13)) == "before release 1.13, 1 release left"
    assert Moment(TODAY).remaining(Release(1, 13)) == "before release 1.13"


def test_steps() -> None:
    assert step("maxLength: 63", "maxLength: 16") == "63 -> 16"
    assert step("name: string", "") == "name: string -> absent"
    assert step("a: 1", "b: 2") == "a: 1 -> b: 2"
