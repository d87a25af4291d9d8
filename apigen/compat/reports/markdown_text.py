"""Texts of an input within Markdown: no markup, no HTML, no mention, no link comes of them."""

from __future__ import annotations

import re

from apigen.compat.reports.lines import prose, shown

_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#@|~:&$!^=]|(?<=www)\.")


def plain(text: str) -> str:
    """A text as it is, in one line: what Markdown or a site would read something into stands as an entity."""
    return _SPECIAL.sub(lambda found: f"&#{ord(found[0])};", shown(text))


def sentence(text: str) -> str:
    """A sentence of ours, in which names and values of an input stand in backticks: these stay code."""
    return "".join(code(part) if is_code else plain(part) for part, is_code in prose(text))


def code(text: str) -> str:
    """A text as code. The fence is longer than any in it; within a table a bar has to be escaped."""
    line = shown(text)
    if not line.strip():
        return ""
    longest = max((len(run) for run in re.findall(r"`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line.startswith(("`", " ")) or line.endswith(("`", " ")) else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def block(text: str, language: str) -> str:
    """Lines as a block of code."""
    lines = [shown(line) for line in text.splitlines()]
    longest = max((len(run) for line in lines for run in re.findall(r"`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}{language}", *lines, fence])
