"""Puts tables that take long to make into the record that has them."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "tests" / "records" / "counterexamples.md"


def published(name: str) -> str:
    """The text between the marks of a name."""
    page = PAGE.read_text(encoding="utf-8")
    return page.partition(f"<!-- {name} -->")[2].partition(f"<!-- /{name} -->")[0]


def publish(name: str, text: str) -> None:
    """Put a text between the marks of a name."""
    page = PAGE.read_text(encoding="utf-8")
    marks = f"<!-- {name} -->", f"<!-- /{name} -->"
    pattern = re.compile(f"{re.escape(marks[0])}.*?{re.escape(marks[1])}", re.DOTALL)
    PAGE.write_text(pattern.sub(lambda _: f"{marks[0]}\n\n{text.strip()}\n\n{marks[1]}", page), encoding="utf-8")
