"""Walks who needs whom: the order in which things can be built, and the cycles that forbid it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

N = TypeVar("N", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Walk(Generic[N]):
    """`order`: each node after those that it needs. `cycles`: some cycle for each knot, no node in two of them."""

    order: tuple[N, ...]
    cycles: tuple[tuple[N, ...], ...]


def walk(nodes: Iterable[N], needs: Callable[[N], Iterable[N]]) -> Walk[N]:
    """Walk depth first from each node, without recursion: specs may be deeper than Python's stack."""
    order: list[N] = []
    cycles: list[tuple[N, ...]] = []
    seen: set[N] = set()
    knotted: set[N] = set()
    for root in nodes:
        if root in seen:
            continue
        seen.add(root)
        path: dict[N, Iterator[N]] = {root: iter(needs(root))}
        while path:
            node = next(reversed(path))
            needed = next(path[node], None)
            if needed is None:
                del path[node]
                order.append(node)
            elif needed in path:
                cycle = _from(needed, path)
                if knotted.isdisjoint(cycle):
                    knotted.update(cycle)
                    cycles.append(cycle)
            elif needed not in seen:
                seen.add(needed)
                path[needed] = iter(needs(needed))
    return Walk(tuple(order), tuple(cycles))


def _from(first: N, path: Iterable[N]) -> tuple[N, ...]:
    nodes = tuple(path)
    return nodes[nodes.index(first) :]
