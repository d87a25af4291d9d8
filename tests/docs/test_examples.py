"""What the documentation shows is what happens."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import IN_THIS_PROJECT, ROOT, Command, Runner, agrees, pages, steps
from tests.docs.reference import REFERENCE


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_examples(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    runner = Runner(tmp_path, in_this_project=IN_THIS_PROJECT in text)
    for step in steps(text):
        printed = runner.take(step)
        if isinstance(step, Command):
            place = f"{page.relative_to(ROOT)}:{step.line}: $ {step.words}"
            assert agrees(printed, step.printed), f"{place}\n{printed}"


def test_every_link_leads_somewhere() -> None:
    import re

    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages()
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []


@pytest.mark.parametrize("path", REFERENCE)
def test_reference_is_up_to_date(path: str) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") == REFERENCE[path](), "run `make docs`"
