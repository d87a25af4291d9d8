"""The page that lists the bugs names every test here, and no test that is not there."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGE = (ROOT / "tests/records/bugs-of-others.md").read_text()


def test_table_lists_every_test() -> None:
    named, module = set(), ""
    for found, test in re.findall(r"`(test_\w+\.py|…)::(test_\w+)`", PAGE):
        module = module if found == "…" else found
        named.add((module, test))
    there = {
        (path.name, test)
        for path in HERE.glob("test_*.py")
        if path != Path(__file__)
        for test in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)
    }
    assert named == there


def test_other_paths_in_the_table_exist() -> None:
    for path in re.findall(r"`(tests/[\w./-]+)`", PAGE):
        assert (ROOT / path).exists(), path
