"""The performance targets of apigen as data, and their evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from benchmarks.figures import Figures


class Result(Enum):
    """How a target came out; `UNMEASURED` where a peer is not at hand."""

    STRETCHED = "met, and the stretch"
    MET = "met"
    MISSED = "missed"
    UNMEASURED = "not measured"


@dataclass(frozen=True, slots=True)
class Target:
    """A bound for a figure of apigen, alone or divided by that of a peer.

    `ours` and `peer` are names of figures in which `{}` is replaced by each of `objects`. `form` tells apart the two forms of
    generated code. `unit` is what an absolute bound is counted in; `at_least` turns the bound round.
    """

    work: str
    ours: str
    limit: float | None
    peer: str | None = None
    beside: str = ""
    stretch: float | None = None
    objects: tuple[str, ...] = ("",)
    form: str = ""
    unit: str = ""
    scale: float = 1.0
    at_least: bool = False

    @property
    def key(self) -> str:
        """What tells it from all others; stays the same as long as its meaning does."""
        return " | ".join(part for part in (self.work, self.form, self.beside) if part)

    def figure(self, object_: str, figures: Figures) -> float | None:
        """The ratio, or the figure in the target's unit; None where one was not measured."""
        ours = figures.get(self.ours.format(object_))
        theirs = 1 / self.scale if self.peer is None else figures.get(self.peer.format(object_))
        return None if ours is None or not theirs else ours / theirs

    def holds(self, figure: float, bound: float) -> bool:
        """Return whether a figure is within a bound, at the printed precision."""
        rounded = float(f"{figure:.3g}")
        return rounded >= bound if self.at_least else rounded <= bound


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A target with its figures by object, those that were measured."""

    target: Target
    figures: Mapping[str, float]

    @property
    def missed(self) -> tuple[str, ...]:
        """The objects whose figures do not keep the bound."""
        limit = self.target.limit
        if limit is None:
            return ()
        return tuple(name for name, figure in self.figures.items() if not self.target.holds(figure, limit))

    @property
    def result(self) -> Result:
        """How the target came out over all of its objects."""
        stretch = self.target.stretch
        if len(self.figures) < len(self.target.objects):
            return Result.MISSED if self.missed else Result.UNMEASURED
        if self.missed:
            return Result.MISSED
        reached = stretch is not None and all(self.target.holds(f, stretch) for f in self.figures.values())
        return Result.STRETCHED if reached else Result.MET


def evaluate(target: Target, figures: Figures) -> Evaluated:
    """The target with what was measured of it."""
    found = {name: target.figure(name, figures) for name in target.objects}
    return Evaluated(target, {name: figure for name, figure in found.items() if figure is not None})
