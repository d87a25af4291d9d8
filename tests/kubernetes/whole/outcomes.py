"""What came of one record or fixture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """`problem` is empty where all is as in Kubernetes; `by_nothing`: doing nothing would have agreed too."""

    what: str
    group: str
    name: str
    problem: str
    by_nothing: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """How many there are, how many agree, and how many doing nothing would reach."""

    total: int
    agree: int
    by_nothing: int

    def __str__(self) -> str:
        return f"{self.agree}/{self.total}" if self.total else ""


def count(outcomes: Iterable[Outcome]) -> Count:
    """The sums of some outcomes."""
    found = list(outcomes)
    return Count(len(found), sum(not o.problem for o in found), sum(o.by_nothing for o in found))
