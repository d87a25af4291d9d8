"""Columns of protoc, which counts bytes, and tabs by their width, as columns of characters."""

from __future__ import annotations

_TAB = 8
"""What protoc takes a tab for."""


def character(text: str, column: int) -> int:
    """The position in a line that a column stands for; both count from 0."""
    if text.isascii() and "\t" not in text:
        return column
    reached = 0
    for index, each in enumerate(text):
        if reached >= column:
            return index
        reached += _TAB - reached % _TAB if each == "\t" else len(each.encode("utf-8", "surrogatepass"))
    return len(text)
