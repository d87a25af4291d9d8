"""Every question in `questions.yaml` has a page and a heading that answer it."""

from __future__ import annotations

import re

import pytest

from tests.docs.pages import ROOT
from tests.yaml_files import read_yaml

QUESTIONS = read_yaml((ROOT / "tests" / "docs" / "questions.yaml").read_text(encoding="utf-8"))


def section(page: str, heading: str) -> str | None:
    """Return the text from a heading of a page to the next heading of the same or a higher level; None without such a heading."""
    text = re.sub(r"^```.*?^```$", lambda block: block[0].replace("\n#", "\n #"), page, flags=re.DOTALL | re.MULTILINE)
    found = re.search(rf"^(#+) {re.escape(heading)}$", text, re.MULTILINE)
    if found is None:
        return None
    end = re.compile(rf"^#{{1,{len(found[1])}}} ", re.MULTILINE).search(text, found.end())
    return text[found.end() : end.start() if end else len(text)]


def test_at_least_thirty_questions_exist() -> None:
    assert len(QUESTIONS) >= 30
    assert len({each["question"] for each in QUESTIONS}) == len(QUESTIONS)
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+#\d+", each["source"]) for each in QUESTIONS)


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: str(asked["question"])[:40])
def test_page_answers_question(asked: dict[str, object]) -> None:
    page = (ROOT / "docs" / str(asked["page"])).read_text(encoding="utf-8")
    answer = section(page, str(asked["heading"]))
    assert answer is not None, f"{asked['page']} has no heading {asked['heading']!r}"
    missing = [words for words in asked["mentions"] if words not in " ".join(answer.split())]  # type: ignore[attr-defined]
    assert missing == []


def test_section_ends_at_the_next_heading_of_its_level() -> None:
    page = "# A\n\none\n\n```sh\n# no heading\n```\n\n## B\n\ntwo\n\n### C\n\nthree\n\n## D\n\nfour\n"
    assert "three" in (section(page, "B") or "")
    assert "four" not in (section(page, "B") or "")
    assert section(page, "no heading") is None
