"""The text of a version's file, split type by type: only where no type may say something of another."""

from __future__ import annotations

import pytest

from apigen.spec.split_types import split_types

TYPES = """\
# a comment
types:
  # another
  A:
    doc: "two * three, and *four*"
    is: string

  B: {is: int32}
"""


def test_each_piece_ends_where_the_next_type_begins() -> None:
    split = split_types(TYPES)
    assert split is not None
    assert [(piece.text.partition(":")[0], piece.line) for piece in split.pieces] == [("  A", 4), ("  B", 8)]
    assert split.head + "".join(piece.text for piece in split.pieces) == TYPES


def test_a_file_may_begin_with_a_type() -> None:
    split = split_types("  A: {is: string}\n")
    assert split is not None
    assert (split.head, [piece.line for piece in split.pieces]) == ("", [1])


@pytest.mark.parametrize("alias", ["is: *x", "[*x]", "{a:  *x}", "- *x", "\n   *x", "a, *x", "? *x"])
def test_text_with_an_alias_is_not_split(alias: str) -> None:
    assert split_types(f"types:\n  A: 1\n  B: {alias}\n") is None


@pytest.mark.parametrize("text", ["a *x", "a*x", "* x", "a **", '"*x"', "a  *x"])
def test_a_star_within_a_text_is_no_alias(text: str) -> None:
    assert split_types(f"types:\n  A: {text}\n") is not None


def test_text_is_not_split_where_another_key_stands_below_the_types() -> None:
    assert split_types("types:\n  A: 1\nmore: 2\n") is None


def test_lines_that_end_otherwise_are_not_split() -> None:
    assert split_types("types:\r\n  A: 1\r\n") is None
