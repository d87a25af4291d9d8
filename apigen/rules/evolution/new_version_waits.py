"""A new version is neither stored nor preferred in the release that adds it."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.rules.evolution.evolution import Evolution, EvolutionRule
from apigen.rules.evolution.version_steps import group_steps, preferred, stored
from apigen.rules.rule import finding


class NewVersionWaits(EvolutionRule):
    """Neither the storage version nor the preferred one advances before a release has shipped that has both the old one
    and the new one: a rollback could not read the objects. (Deprecation policy, rule 4b)
    """

    code = "AG1345"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        newest = evolution.history.newest
        for step in group_steps(evolution):
            for word, now, was in (
                ("storage", stored(step.now), stored(step.before)),
                ("preferred", preferred(step.now), preferred(step.before)),
            ):
                if now is None or was is None or step.before.version(now.name) is not None:
                    continue
                if word == "preferred" and not now.preferred:
                    continue
                what = "store in it" if word == "storage" else "prefer it"
                yield finding(
                    now.place,
                    f"version {now.name} is new, and servers are to {what} at once: {newest} does not know it, and could"
                    " not take over again",
                    f"leave `{word}: true` with {was.name} in this release, and move it in the next",
                    (Related(was.place, f"{newest} has `{word}` here"),),
                )
