"""Read the top-level keys of a YAML or JSON document without parsing it, to recognize the form of the input."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping
from pathlib import Path

from apigen.files.regular_files import read_regular
from apigen.review.sources.schemas.files import SUFFIXES

_FIRST = 256 * 1024
"""Bytes of a file that are looked at."""

_SHOWN = 200
_TOKEN = re.compile(r""""(?:[^"\\]++|\\.)*+"?|'[^']*+'?|[{}\[\],:]|#[^\n]*|[^\s{}\[\],:"'#]+""", re.DOTALL)
_START = re.compile(r"(?:\s*(?:#[^\n]*|%[^\n]*|---(?=\s))(?:\n|$|(?<=-)))*\s*")
_BLOCK = re.compile(
    r"""^(?P<indent>[ ]*)(?:"(?P<double>[^"\n]*)"|'(?P<single>[^'\n]*)'|(?P<plain>[^\s"'#\-{[][^\n]*?))[ \t]*:(?=\s|$)""",
    re.MULTILINE,
)
_END = re.compile(r"^(?:---|\.\.\.)(?:\s|$)", re.MULTILINE)
_QUOTES = "\"'"


def top_entries(path: Path) -> Mapping[str, str]:
    """Return the keys of the first document of a file, each with the beginning of its value as text.

    Empty for a file of another format, an unreadable one, and one that is not a mapping.
    """
    return entries_of_text(first_text(path, _FIRST))


def first_text(path: Path, size: int) -> str:
    """The text of the first bytes of a file of YAML or JSON; empty for one of another format, and one that cannot be
    read.
    """
    if path.suffix not in SUFFIXES:
        return ""
    try:
        data = read_regular(path, size)
    except OSError:
        return ""
    # UTF-16 is rejected with an error when the file is read
    encoding = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    return data.decode(encoding, "replace")


def entries_of_text(text: str) -> Mapping[str, str]:
    """Return the top-level keys of a text, each with the beginning of its value."""
    start = _START.match(text)
    at = 0 if start is None else start.end()
    line = text.rfind("\n", 0, at) + 1
    text = text[at if text[line:at].strip() else line :]  # with its indentation
    found = _of_flow(text) if text.lstrip().startswith("{") else _of_block(text)
    entries: dict[str, str] = {}
    for key, value in found:
        entries.setdefault(key, value)
    return entries


def _of_flow(text: str) -> Iterator[tuple[str, str]]:
    """Yield the entries of a mapping in braces: each first token after a top-level brace or comma."""
    depth, key, is_key = 0, "", False
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in ("{", "["):
            depth += 1
            is_key = depth == 1
        elif token in ("}", "]"):
            depth -= 1
            if not depth:
                return
        elif depth == 1 and token == ",":
            is_key = True
        elif depth == 1 and is_key and not token.startswith("#"):
            if token == ":":
                yield key, text[match.end() : match.end() + _SHOWN]
                is_key = False
            key = token.strip(_QUOTES)


def _of_block(text: str) -> Iterator[tuple[str, str]]:
    """Yield the entries of a block mapping: lines with the indentation of the first one."""
    end = _END.search(text)
    text = text if end is None else text[: end.start()]
    indent: str | None = None
    for match in _BLOCK.finditer(text):
        if indent is None:
            if match.start():
                return
            indent = match["indent"]
        if match["indent"] == indent:
            key = match["double"] or match["single"] or match["plain"] or ""
            yield key, text[match.end() : match.end() + _SHOWN]
