"""The Python of the pages about operators is copied from the examples that `make test-cluster` runs."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from tests.docs.pages import ROOT

PAGES = sorted((ROOT / "docs/cookbook").glob("operator-with-*.md"))
_BLOCK = re.compile(r"^( *)```python\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)


def lines(text: str) -> str:
    """A text without its indentation."""
    return "\n".join(line.strip() for line in text.strip().splitlines())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_code_is_in_an_example(page: object) -> None:
    text = ROOT.joinpath(str(page)).read_text("utf-8")
    examples = [lines(path.read_text("utf-8")) for path in (ROOT / "examples/operators").glob("*.py")]
    blocks = [lines(dedent(block)) for _, block in _BLOCK.findall(text)]
    assert len(blocks) >= 4
    assert [block for block in blocks if not any(block in example for example in examples)] == []
