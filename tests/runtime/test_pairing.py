"""Items of two lists that are the same thing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigen.runtime.pairing import same_items, with_old_items

Item = tuple[str, int]
ITEMS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9)), max_size=4)


def name(item: Item) -> str:
    return item[0]


@pytest.mark.parametrize(
    ("items", "others", "pairs"),
    [
        (None, None, []),
        (None, [], []),
        ([], None, []),
        ([("a", 1)], None, None),
        (None, [("a", 1)], None),
        ([("a", 1), ("b", 2)], [("a", 3), ("b", 4)], [(("a", 1), ("a", 3)), (("b", 2), ("b", 4))]),
        ([("a", 1), ("b", 2)], [("b", 4), ("a", 3)], None),
        ([("a", 1), ("b", 2)], [("a", 3)], None),
        ([("a", 1)], [("a", 3), ("b", 4)], None),
        ([("a", 1), ("a", 2)], [("a", 3), ("a", 4)], [(("a", 1), ("a", 3)), (("a", 2), ("a", 4))]),
    ],
)
def test_same_items(
    items: Sequence[Item] | None, others: Sequence[Item] | None, pairs: list[tuple[Item, Item]] | None
) -> None:
    assert same_items(items, others, name) == pairs


@pytest.mark.parametrize(
    ("items", "old", "pairs"),
    [
        (None, [("a", 1)], []),
        ([("a", 1)], None, []),
        ([("b", 1), ("a", 2)], [("a", 3), ("b", 4), ("c", 5)], [(("b", 1), ("b", 4)), (("a", 2), ("a", 3))]),
        ([("a", 1), ("a", 2)], [("a", 3), ("a", 4)], [(("a", 1), ("a", 3))]),
    ],
)
def test_with_old_items(
    items: Sequence[Item] | None, old: Sequence[Item] | None, pairs: list[tuple[Item, Item]]
) -> None:
    """Of several items with the same identity, the first one is paired."""
    assert list(with_old_items(items, old, name)) == pairs


@given(ITEMS, ITEMS)
def test_each_identity_is_paired_once(items: list[Item], old: list[Item]) -> None:
    pairs = list(with_old_items(items, old, name))
    names = [name(item) for item, _ in pairs]
    assert sorted(names) == sorted({name(item) for item in items} & {name(item) for item in old})
    assert all(name(item) == name(before) for item, before in pairs)
