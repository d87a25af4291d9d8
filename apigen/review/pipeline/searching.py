"""Searches for an object with a property: best first, from a few objects, by small changes of each."""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from apigen.dataclass import dataclass
from apigen.review.pipeline.moves import Maker, Place, Value, concrete, located, value_at, with_value
from apigen.runtime.structural.checks import Violation
from apigen.runtime.structural.engine import Structural
from apigen.runtime.validation import ErrorType

MOST = 120
"""Objects that a search evaluates."""

_MOST_REPAIRS = 24
_MOST_STEPS = 80
_LARGE = 500
"""Characters of an object that count as one error: large objects are tried later."""


def rejections(schema: Structural, value: Value, old: Value = None) -> list[Violation]:
    """Return the errors for which a server rejects an object, without internal errors, as of a rule that cannot be
    evaluated.
    """
    return [each for each in schema.evaluate(value, old).violations if each.error.type is not ErrorType.INTERNAL]


@dataclass(frozen=True, slots=True)
class Search:
    """A search for an object that one side accepts and that has a property.

    `accepting` is the schema that must accept it, `has` returns whether an object has the property, and `steps` yields changes of an
    object that may produce it. Objects without `place`, such as one that a repair removed, are not considered.
    """

    accepting: Structural
    maker: Maker
    has: Callable[[Value], bool]
    steps: Callable[[Value], Iterator[Value]]
    place: Place = ()

    def found(self, seeds: Iterable[Value], most: int = MOST) -> Value | None:
        """Return an object that is accepted and has the property; None if none is found among `most` objects."""
        waiting: list[tuple[int, int, _Tried]] = []
        seen: set[str] = set()

        def is_found(value: Value, depth: int) -> bool:
            key = json.dumps(value, sort_keys=True)
            if key in seen or len(seen) >= most or concrete(value, self.place) is None:
                return False
            seen.add(key)
            value = self.accepting.shared(value)
            evaluated = self.accepting.evaluate(value)
            tried = _Tried(value, evaluated.value, evaluated.violations, self.has(value), depth)
            tried.others = self._next(tried)
            distance = 2 * len(tried.violations) + 6 * (not tried.has) + depth // 2 + len(key) // _LARGE
            heapq.heappush(waiting, (distance, -len(seen), tried))
            return tried.has and not tried.violations

        for seed in seeds:
            if is_found(seed, 0):
                return seed
        while waiting and len(seen) < most:
            distance, number, tried = heapq.heappop(waiting)
            for other in tried.others:
                if is_found(other, tried.depth + 1):
                    return other
                if waiting and waiting[0][0] < distance:  # go on from there, and return to the others later
                    heapq.heappush(waiting, (distance, number, tried))
                    break
        return None

    def _next(self, tried: _Tried) -> Iterator[Value]:
        for each in tried.violations[:2]:
            is_filled_in = each.keyword != "required" and bool(located(tried.value, each.error.path)[1])
            wrong = _with_default_at(each.error.path, tried) if is_filled_in else tried.value
            yield from islice(self.maker.repairs(wrong, each), _MOST_REPAIRS)
        if not tried.has:
            yield from islice(self.steps(tried.value), _MOST_STEPS)


@dataclass(slots=True)
class _Tried:
    value: Value
    defaulted: Value
    violations: tuple[Violation, ...]
    has: bool
    depth: int
    others: Iterator[Value] = iter(())


def _with_default_at(path: str, tried: _Tried) -> Value:
    """Return the sent object with the default that contains a path, and without other defaults: null, which a default
    replaces, may be what the search is for.
    """
    steps = located(tried.value, path)[0]
    if value_at(tried.value, steps) is not None:
        steps = located(tried.defaulted, path)[0][: len(steps) + 1]
    return with_value(tried.value, steps, value_at(tried.defaulted, steps))
