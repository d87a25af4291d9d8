"""Tables of a page that are copied from records, which the tests write.

    <!-- table: tests/records/agreement-with-buf.md | Agreement with buf -->

    <!-- end -->

The first table below the heading named is copied between the comments. `make docs` does so, and a test compares.
"""

from __future__ import annotations

import re

from tests.docs.pages import ROOT

_COPY = re.compile(r"(<!-- table: (?P<path>\S+) \| (?P<heading>.+?) -->\n).*?(<!-- end -->)", re.DOTALL)
_TABLE = re.compile(r"^\|.*\n(?:\|.*(?:\n|\Z))+", re.MULTILINE)


def with_tables(text: str) -> str:
    """Return the text of a page with its copied tables brought up to date. Raises ValueError for a table that does not exist."""
    return _COPY.sub(lambda found: f"{found[1]}\n{_table(found['path'], found['heading'])}\n{found[4]}", text)


def _table(path: str, heading: str) -> str:
    record = (ROOT / path).read_text(encoding="utf-8")
    start = re.search(rf"^#+ {re.escape(heading)}$", record, re.MULTILINE)
    table = start and _TABLE.search(record, start.end())
    if not table:
        raise ValueError(f"{path} has no table below the heading {heading!r}")
    return table[0].rstrip() + "\n"
