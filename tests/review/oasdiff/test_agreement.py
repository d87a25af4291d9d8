"""Every difference from oasdiff is on the page, with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.review.rules.registry import RULES
from tests.review.oasdiff.agreement import Row, rows
from tests.review.oasdiff.page import PAGE, page
from tests.review.oasdiff.reasons import reason

pytestmark = pytest.mark.slow(as_file=True, one_in=4)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Row, ...]:
    folder: Path = tmp_path_factory.mktemp("oasdiff")
    return rows(folder)


def test_every_difference_has_a_reason(found: tuple[Row, ...]) -> None:
    assert [row for row in found if not row.agrees and reason(row) is None] == []


def test_every_change_is_handled_by_a_rule(found: tuple[Row, ...]) -> None:
    known = {rule.id for rule in RULES}
    assert [row.case for row in found if set(row.rules) - known] == []


def test_the_page_is_up_to_date(found: tuple[Row, ...]) -> None:
    assert PAGE.read_text("utf-8") == page(found)
