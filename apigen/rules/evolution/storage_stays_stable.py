"""Objects are not moved to something less stable."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.ir.stability import stability
from apigen.rules.evolution.evolution import Evolution, EvolutionRule
from apigen.rules.evolution.version_steps import group_steps, preferred, stored
from apigen.rules.rule import finding


class StorageStaysStable(EvolutionRule):
    """Neither the storage version nor the preferred one moves to a version that promises less. (Rules 3 and 4b)"""

    code = "AG1346"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for step in group_steps(evolution):
            for word, now, was in (
                ("storage", stored(step.now), stored(step.before)),
                ("preferred", preferred(step.now), preferred(step.before)),
            ):
                if now is None or was is None or stability(now.name) >= stability(was.name):
                    continue
                if word == "preferred" and not now.preferred:
                    continue
                yield finding(
                    now.place,
                    f"`{word}` moves from {was.name} to {now.name}, which is {stability(now.name)}: it may be gone before"
                    " the objects are",
                    f"leave `{word}: true` with {was.name}",
                    (Related(was.place, f"{evolution.history.newest} has `{word}` here"),),
                )
