"""Pair the items of two lists by their identity."""

from __future__ import annotations

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence
    from typing import TypeVar

    T = TypeVar("T")


def same_items(
    items: Sequence[T] | None, others: Sequence[T] | None, key: Callable[[T], Hashable]
) -> list[tuple[T, T]] | None:
    """The pairs of two lists that have the same items in the same order; None if they do not."""
    items, others = items or (), others or ()
    if [key(item) for item in items] != [key(other) for other in others]:
        return None
    return list(zip(items, others, strict=True))


def with_old_items(
    items: Sequence[T] | None, old: Sequence[T] | None, key: Callable[[T], Hashable]
) -> Iterator[tuple[T, T]]:
    """Yield each item of the new list with its old item. Of several with the same identity, the first counts."""
    before: dict[Hashable, T] = {}
    for item in old or ():
        before.setdefault(key(item), item)
    for item in items or ():
        identity = key(item)
        if identity in before:
            yield item, before.pop(identity)
