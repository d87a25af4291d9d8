"""The only ways in which text of a spec may reach the Markdown of the generated documentation."""

from __future__ import annotations

import re
from collections.abc import Iterable

from apigen.diagnostics.quoting import visible

LONGEST = 160
"""The length at which a sentence in a table is cropped."""

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~!&$])")
_PLAIN_CODE = re.compile(r"[\w .$/:;,()<>=\"'\[\]{}@+*^!?%#-]+", re.ASCII)


def text(words: str) -> str:
    """Words as Markdown in one line, whatever is in them."""
    return _SPECIAL.sub(r"\\\1", visible(" ".join(words.split())))


def with_code(words: str) -> str:
    """Return a sentence with names in backticks as Markdown."""
    parts = words.split("`")
    return "".join(code(part) if number % 2 else text(f".{part}.")[1:-1] for number, part in enumerate(parts))


def plain(markdown: str) -> str:
    """Return Markdown made by `text` and `code` as plain text, for a terminal."""
    return re.sub(r"\\(?=[\\`*_{}\[\]<>|#~!&$])", "", markdown)


def sentence(words: str | None) -> str:
    """The first sentence of a doc as Markdown, cropped; empty without one."""
    line = " ".join((words or "").split())
    first = re.match(r".*?[.!?](?=\s|$)", line)
    line = first[0] if first else line
    return text(line if len(line) <= LONGEST else line[: LONGEST - 1] + "…")


def code(name: str) -> str:
    """A name as code, in tables too; one that could end it is written as text."""
    return f"`{name}`" if _PLAIN_CODE.fullmatch(name) and name == name.strip() else text(name)


def anchor(name: str) -> str:
    """Return the anchor of a heading in links."""
    return re.sub(r"[^a-z0-9 _-]", "", name.lower()).replace(" ", "-")


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of cells that are Markdown already; empty without rows."""
    body = [f"| {' | '.join(row)} |" for row in rows]
    if not body:
        return ""
    names = list(header)
    return "\n".join([f"| {' | '.join(names)} |", f"|{'---|' * len(names)}", *body])
