"""What is asked of the compiler. Seconds are of CPU, of the whole process, start-up included."""

from __future__ import annotations

from benchmarks.compiler.edits import LIMITS, WORDS
from benchmarks.targets import Target

MEBI = 1 / 2**20
TARGETS = (
    Target("all of Kubernetes, cold", "apigen/cold/cpu", 0.05, "go suite/cpu", "Kubernetes' eight Go generators", 0.04),
    Target("all of Kubernetes, cold: peak of memory", "apigen/cold/peak", 150, stretch=120, unit="MiB", scale=MEBI),
    Target("lines per CPU second", "apigen/lines per second", 30_000, stretch=60_000, unit="lines", at_least=True),
    Target("nothing changed", "apigen/unchanged/cpu", 0.25, stretch=0.15, unit="s"),
    Target("nothing changed: peak of memory", "apigen/unchanged/peak", 60, unit="MiB", scale=MEBI),
    *(
        Target(
            f"one field of {edit.version} changed: its {'limit' if edit.limit else 'documentation'}",
            f"apigen/changed/{edit.name}/cpu", 3, stretch=1, unit="s",
        )
        for edit in (*WORDS, *LIMITS)
    ),
    *(
        Target(
            f"one field of {edit.version} changed: files written without need",
            f"apigen/needless/{edit.name}", 0, unit="files",
        )
        for edit in WORDS
    ),
    Target("one group of 50 types, cold", "apigen/group/cpu", 0.8, stretch=0.4, unit="s"),
    Target("one group of 50 types: one field changed", "apigen/changed/group/cpu", 0.5, unit="s"),
    Target("apigen --help", "apigen/help/cpu", 0.06, unit="s"),
    Target("lint of one group", "apigen/lint/cpu", 0.3, unit="s"),
    Target("generate --watch, after a save", "apigen/watch/wall", 0.3, unit="s"),
)  # fmt: skip
