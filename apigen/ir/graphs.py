"""Walks dependency graphs: the order in which nodes can be built, and the cycles that prevent one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place

N = TypeVar("N", bound=Hashable)
MOST_SHOWN = 8
"""Maximum number of nodes of a cycle in a message."""


@dataclass(frozen=True, slots=True)
class Walk(Generic[N]):
    """`order`: each node after those that it needs. `knots`: nodes that need each other; `cycles`: one for each knot."""

    order: tuple[N, ...]
    knots: tuple[frozenset[N], ...]
    cycles: tuple[tuple[N, ...], ...]


def walk(nodes: Iterable[N], needs: Callable[[N], Iterable[N]]) -> Walk[N]:
    """Walk from each node in linear time and without recursion: specs may be nested more deeply than the stack allows."""
    walker = _Walker(needs)
    for node in nodes:
        walker.visit(node)
    knots = tuple(frozenset(knot) for knot in walker.knots)
    cycles = tuple(_cycle(knot, needs) for knot in walker.knots)
    return Walk(tuple(walker.order), knots, cycles)


def reached(roots: Iterable[N], leads_to: Callable[[N], Iterable[N]]) -> frozenset[N]:
    """Return the nodes that are reachable from some nodes, including these."""
    found: set[N] = set()
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += leads_to(node)
    return frozenset(found)


def breadth_first(root: N, leads_to: Callable[[N], Iterable[N]]) -> tuple[N, ...]:
    """Return a node and the nodes that are reachable from it, each once, nearer ones first."""
    found = [root]
    seen = {root}
    for node in found:
        new = [other for other in dict.fromkeys(leads_to(node)) if other not in seen]
        found += new
        seen.update(new)
    return tuple(found)


@dataclass(slots=True)
class _Walker(Generic[N]):
    """Tarjan's algorithm: nodes that need each other leave `waiting` together."""

    needs: Callable[[N], Iterable[N]]
    order: list[N] = field(default_factory=list)
    knots: list[list[N]] = field(default_factory=list)
    index: dict[N, int] = field(default_factory=dict)
    lowest: dict[N, int] = field(default_factory=dict)
    waiting: dict[N, None] = field(default_factory=dict)

    def visit(self, root: N) -> None:
        """Walk from a node, unless it was reached before."""
        if root in self.index:
            return
        path: list[tuple[N, Iterator[N]]] = [self._enter(root)]
        while path:
            node, needed_nodes = path[-1]
            needed = next(needed_nodes, None)
            if needed is None:
                path.pop()
                self._leave(node)
                if path:
                    outer = path[-1][0]
                    self.lowest[outer] = min(self.lowest[outer], self.lowest[node])
            elif needed not in self.index:
                path.append(self._enter(needed))
            elif needed in self.waiting:
                self.lowest[node] = min(self.lowest[node], self.index[needed])

    def _enter(self, node: N) -> tuple[N, Iterator[N]]:
        self.index[node] = self.lowest[node] = len(self.index)
        self.waiting[node] = None
        return node, iter(self.needs(node))

    def _leave(self, node: N) -> None:
        if self.lowest[node] != self.index[node]:
            return
        together: list[N] = []
        while not together or together[-1] != node:
            together.append(self.waiting.popitem()[0])
        together.reverse()
        self.order += reversed(together)
        if len(together) > 1 or node in self.needs(node):
            self.knots.append(together)


def ring(cycle: tuple[N, ...], place: Callable[[N], Place]) -> tuple[N, ...]:
    """Return a cycle for messages: it starts and ends with its first node in the files."""
    start = cycle.index(min(cycle, key=place))
    return (*cycle[start:], *cycle[: start + 1])


def _cycle(knot: list[N], needs: Callable[[N], Iterable[N]]) -> tuple[N, ...]:
    """Some cycle within a knot: its nodes, each needing the next one, and the last the first."""
    inside = set(knot)
    steps: dict[N, int] = {}
    node = knot[0]
    while node not in steps:
        steps[node] = len(steps)
        node = next(needed for needed in needs(node) if needed in inside)
    return tuple(steps)[steps[node] :]
