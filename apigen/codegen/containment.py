"""Which types contain which: recursive ones, and those that lead to certain ones.

Generated code counts the nesting of recursive types, so that input cannot exhaust Python's stack.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

from apigen.ir.graphs import reached
from apigen.ir.model import Struct, TypeId, struct_in

N = TypeVar("N", bound=Hashable)


def structs_of(struct: Struct) -> Iterator[TypeId]:
    """Yield the structs directly in a struct, also in lists and maps."""
    for member in struct.fields:
        found = struct_in(member.type)
        if found is not None:
            yield found


def leading_to(nodes: Iterable[N], contained: Mapping[N, Iterable[N]]) -> frozenset[N]:
    """Return the nodes that are, or directly or indirectly contain, one of `nodes`."""
    holders = holders_of(contained)
    return reached(nodes, lambda node: holders.get(node, ()))


def nested_in_themselves(contained: Mapping[N, set[N]]) -> frozenset[N]:
    """Return the nodes on cycles, and those on paths from one cycle to another."""
    above: frozenset[N] = _leading_to_cycles(contained)
    below: frozenset[N] = _leading_to_cycles(holders_of(contained))
    return above & below


def _leading_to_cycles(edges: Mapping[N, Collection[N]]) -> frozenset[N]:
    """Return the nodes that remain after repeatedly removing nodes without edges."""
    open_edges = {node: len(targets) for node, targets in edges.items()}
    sources = holders_of(edges)
    ends = [node for node, count in open_edges.items() if not count]
    while ends:
        for source in sources[ends.pop()]:
            open_edges[source] -= 1
            if not open_edges[source]:
                ends.append(source)
    return frozenset(node for node, count in open_edges.items() if count)


def holders_of(contained: Mapping[N, Iterable[N]]) -> dict[N, dict[N, None]]:
    """Return the nodes that directly contain each node, in their order."""
    holders: dict[N, dict[N, None]] = {node: {} for node in contained}
    for node, targets in contained.items():
        for target in targets:
            holders.setdefault(target, {})[node] = None
    return holders
