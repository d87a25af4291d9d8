"""Finds recursive types, for which generated code counts the nesting, so that input cannot exhaust Python's stack."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def nested_in_themselves(contained: Mapping[N, set[N]]) -> frozenset[N]:
    """Return the nodes on cycles, and those on paths from one cycle to another."""
    above: frozenset[N] = _leading_to_cycles(contained)
    below: frozenset[N] = _leading_to_cycles(_reversed(contained))
    return above & below


def _leading_to_cycles(edges: Mapping[N, set[N]]) -> frozenset[N]:
    """Return the nodes that remain after repeatedly removing nodes without edges."""
    open_edges = {node: len(targets) for node, targets in edges.items()}
    sources = _reversed(edges)
    ends = [node for node, count in open_edges.items() if not count]
    while ends:
        for source in sources[ends.pop()]:
            open_edges[source] -= 1
            if not open_edges[source]:
                ends.append(source)
    return frozenset(node for node, count in open_edges.items() if count)


def _reversed(edges: Mapping[N, set[N]]) -> dict[N, set[N]]:
    back: dict[N, set[N]] = {node: set() for node in edges}
    for node, targets in edges.items():
        for target in targets:
            back[target].add(node)
    return back
