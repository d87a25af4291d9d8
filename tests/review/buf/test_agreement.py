"""Every finding of buf is ours as well, or there is a reason; an unexplained difference fails."""

from __future__ import annotations

import re
from functools import cache

import pytest

from apigen.ir.surface import ElementKind, Struct
from apigen.review.rules.registry import RULES
from tests.review.buf.agreement import Outcome, Row, rows
from tests.review.buf.cases import Case, Told, all_cases, reviewed
from tests.review.buf.mapping import MAPPING
from tests.review.buf.ours import ours
from tests.review.buf.page import PAGE, page
from tests.review.buf.pinned import PINNED, as_text, known
from tests.review.buf.reasons import reason
from tests.review.buf.runs import failures

CASES = all_cases()


@cache
def all_rows() -> list[Row]:
    """The findings of all cases; compiling them takes a quarter of a minute."""
    return [row for case in CASES for row in rows(case)]


def test_number_of_cases() -> None:
    assert (len(CASES), sum(len(case.expected) for case in CASES)) == (45, 547)
    assert {told.rule for case in CASES for told in case.expected} <= set(MAPPING)


@pytest.mark.slow(one_in=16)
def test_every_difference_is_known() -> None:
    assert as_text(all_rows()).splitlines() == PINNED.read_text("utf-8").splitlines()


@pytest.mark.slow(one_in=4)
def test_every_difference_has_a_reason() -> None:
    assert [row for row in all_rows() if reason(row) is None] == []


@pytest.mark.slow(one_in=16)
def test_every_difference_is_classified() -> None:
    found = [
        f"{case.name}: {each.result.message}"
        for case in CASES
        for each in reviewed(case).findings
        if "unclassified" in each.rule
    ]
    assert found == []


def test_mapped_rules_exist() -> None:
    assert {rule for mine in MAPPING.values() for rule in mine} <= {rule.id for rule in RULES}


MILDER = list(known(Outcome.MILDER))


@pytest.mark.parametrize(
    ("name", "told"), MILDER, ids=[re.sub(r"\W+", "-", f"{name}-{told.file}-{told.line}") for name, told in MILDER]
)
def test_lower_severity_is_safe_at_run_time(name: str, told: Told) -> None:
    case = next(case for case in CASES if case.name == name)
    assert [each for message in messages(case, told) for each in failures(name, message)] == []


def messages(case: Case, told: Told) -> list[str]:
    """The messages that a finding is about, by full name; of a file, all that it holds on both sides."""
    review = reviewed(case)
    found = set()
    for finding in ours(case)[told]:
        element = finding.element
        version = review.new.version(element.group, element.version)
        assert version is not None
        types = [each for each in version.types.values() if isinstance(each, Struct)]
        if element.kind is ElementKind.FILE:
            found |= {each.wire_name for each in types if each.file == element.path and review.old.type(each.name)}
        else:
            found |= {each.wire_name for each in types if each.name == element.type_name}
    return sorted(found)


def test_incompatible_change_fails_at_run_time() -> None:
    assert failures("field_same_oneof", "a.Two") == []
    assert failures("field_wire_compatible_type", "a.IncompatiblePrimitives") != []


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(all_rows())
