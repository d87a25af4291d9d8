"""The areas that are measured, in the order in which they are shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.compiler import measure as compiler
from benchmarks.compiler.targets import TARGETS as COMPILER
from benchmarks.figures import Figures
from benchmarks.generated import measure as generated
from benchmarks.generated.targets import IMPORTS
from benchmarks.generated.targets import TARGETS as GENERATED
from benchmarks.peers.setting_up import build_kubernetes, build_native, set_up
from benchmarks.review import measure as review
from benchmarks.review.targets import TARGETS as REVIEW
from benchmarks.server import measure as server
from benchmarks.server.targets import TARGETS as SERVER
from benchmarks.size import measure as size
from benchmarks.size.targets import TARGETS as SIZE
from benchmarks.targets import Evaluated, Target, evaluate


@dataclass(frozen=True, slots=True)
class Area:
    """Something that is measured in one go.

    `prepare` are functions that make what it needs, called before anything is measured; `by_object` are targets that have
    a figure for each object.
    """

    name: str
    title: str
    prepare: tuple[Callable[[], None], ...]
    measure: Callable[[int], Figures]
    targets: tuple[Target, ...] = ()
    by_object: tuple[Target, ...] = ()

    def evaluated(self, figures: Figures) -> tuple[Evaluated, ...]:
        """Return its targets, evaluated with the measured figures."""
        return tuple(evaluate(target, figures) for target in (*self.by_object, *self.targets))

    def ratios(self, figures: Figures) -> Figures:
        """Return the ratios that its targets are evaluated with, by target and object."""
        return {
            f"{evaluated.target.key}{f' | {name}' if name else ''}": figure
            for evaluated in self.evaluated(figures)
            for name, figure in evaluated.figures.items()
        }


AREAS = (
    Area("compiler", "The compiler", (set_up,), compiler.measure, COMPILER),
    Area("size", "The compiler on larger specs", (set_up,), size.measure, SIZE),
    Area("review", "The review of changes", (set_up,), review.measure, REVIEW),
    Area("server", "The webhook server", (build_native,), server.measure, SERVER),
    Area(
        "generated",
        "The generated code",
        (set_up, build_kubernetes, build_native),
        generated.measure,
        IMPORTS,
        GENERATED,
    ),
)
