"""The report as a comment on a pull request: the first screen, with the findings in collapsed sections.

It is not longer than a comment may be, and the omitted findings are counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Sized
from functools import cache
from typing import TYPE_CHECKING

from apigen import __version__
from apigen.codegen.rendering import template_environment
from apigen.diagnostics.quoting import counted
from apigen.review.finding import Finding
from apigen.review.reports.lines import json_text, prose, shown
from apigen.review.reports.report import Style
from apigen.review.reports.summary import DIRECTIONS, SHOWN, RuleRow, Summary, counted_word, first_screen, some
from apigen.review.results import Severity

if TYPE_CHECKING:
    from jinja2.environment import TemplateModule

LARGEST = 65_000
"""A comment has at most 65,536 characters; counted in bytes here, with room for a marker at its start."""

_LONGEST_BLOCK = 8_000
_FOR_THE_CUT = 600
_FEW_PATHS = 3
_FOR_PATHS = 20_000
"""The maximum number of bytes for the paths of all rules."""


def render(summary: Summary, _: Style) -> str:
    """Return the review as Markdown of at most 65,536 bytes."""
    head, tail = _part("head", summary, first_screen(summary), __version__), _part("tail", summary)
    room = LARGEST - _size(head) - _FOR_THE_CUT
    tail = tail if _size(tail) < room // 2 else _part("cut_tail", summary)
    blocks, omitted = _fitting(summary, room - _size(tail))
    opening, closing = (_part("opening", summary), "</details>") if summary.findings else ("", "")
    by_severity = Counter(finding.severity for finding in omitted)
    counts = ", ".join(counted_word(each, by_severity[each]) for each in SHOWN if by_severity[each])
    cut = _part("cut", len(omitted), counts) if omitted else ""
    return "\n\n".join(part for part in (head, opening, *blocks, cut, closing, tail) if part) + "\n"


def _fitting(summary: Summary, room: int) -> tuple[list[str], Sequence[Finding]]:
    """Return the findings that fit, and the others; a finding is printed in full or not at all."""
    blocks: list[str] = []
    for number, finding in enumerate(summary.findings):
        text = _part("detail", finding, summary)
        if _size(text) > _LONGEST_BLOCK:
            text = _part("short", finding)
        room -= _size(text) + 2
        if room < 0:
            return blocks, summary.findings[number:]
        blocks.append(text)
    return blocks, ()


def _part(name: str, *values: object) -> str:
    """Return a part of the comment, by the macro of this name."""
    return str(getattr(_macros(), name)(*values)).strip("\n")


@cache
def _macros() -> TemplateModule:
    environment = template_environment(autoescape=False)
    environment.filters |= {each.__name__: each for each in (plain, sentence, code, block)}
    environment.filters |= {"json": json_text, "paths": _paths, "listed": _listed}
    environment.globals |= {"counted": counted, "directions": DIRECTIONS, "shown_severities": SHOWN}
    environment.globals |= {"most_listed": 50, "most_wholes": 20, "longest_note": 200}
    return environment.get_template("review/comment.md.jinja").module


def _paths(row: RuleRow, count: int) -> str:
    """Return the paths of one of `count` rules: all paths for errors, if there is room."""
    paths, room = [code(path) for path in row.paths], _FOR_PATHS // count
    most = len(paths) if row.severity is Severity.ERROR else _FEW_PATHS
    while most > 1 and _size(some(paths, "more", most)) > room:
        most //= 2
    where = some(paths, "more", most)
    return where if _size(where) <= room else "…"


def _listed(lists: Mapping[str, Sized]) -> str:
    """Return the numbers of the entries of lists by name, without empty lists."""
    return ", ".join(f"{name}: {len(each):,}" for name, each in lists.items() if each)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#@|~:&$!^=]|(?<=www)\.")


def plain(text: str) -> str:
    """Return a text in one line, with the special characters of Markdown as entities."""
    return _SPECIAL.sub(lambda found: f"&#{ord(found[0])};", shown(text))


def sentence(text: str) -> str:
    """Return a sentence with the names and values in backticks as code."""
    return "".join(code(part) if is_code else plain(part) for part, is_code in prose(text))


def code(text: str) -> str:
    """Return a text as code. The fence is longer than any in the text; bars are not escaped."""
    line = shown(text)
    if not line.strip():
        return ""
    longest = max((len(run) for run in re.findall(r"`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line.startswith(("`", " ")) or line.endswith(("`", " ")) else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def block(text: str, language: str) -> str:
    """Return lines as a block of code."""
    lines = [shown(line) for line in text.splitlines()]
    longest = max((len(run) for line in lines for run in re.findall(r"`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}{language}", *lines, fence])
