"""What the documentation shows is what happens."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import IN_THIS_PROJECT, ROOT, Command, Runner, agrees, pages, records, steps
from tests.docs.reference import REFERENCE
from tests.docs.tables import with_tables


@pytest.mark.slow(one_in=5)
@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_examples(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    runner = Runner(tmp_path, in_this_project=IN_THIS_PROJECT in text)
    for step in steps(text):
        printed = runner.take(step)
        if isinstance(step, Command):
            place = f"{page.relative_to(ROOT)}:{step.line}: $ {step.words}"
            assert agrees(printed, step.printed), f"{place}\n{printed}"


def test_every_link_has_a_target() -> None:
    import re

    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in [*pages(), *records()]
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []


@pytest.mark.parametrize("path", REFERENCE)
def test_reference_is_up_to_date(path: str) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") == REFERENCE[path](), "run `make docs`"


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_copied_tables_are_up_to_date(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text == with_tables(text), "run `make docs`"


def test_copied_table_must_exist() -> None:
    text = "<!-- table: tests/records/agreement-with-buf.md | No such heading -->\n<!-- end -->"
    with pytest.raises(ValueError, match="no table below the heading 'No such heading'"):
        with_tables(text)
