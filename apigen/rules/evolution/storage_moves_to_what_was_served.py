"""Objects are stored in what the release before can read and serves."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.rules.evolution.evolution import Evolution, EvolutionRule
from apigen.rules.evolution.version_steps import GroupStep, group_steps, preferred, stored
from apigen.rules.rule import finding


class StorageMovesToWhatWasServed(EvolutionRule):
    """A release that supports both versions comes before the one that moves storage, or prefers the new one. (Rule 4b)"""

    code = "AG1347"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        newest = evolution.history.newest
        for step in group_steps(evolution):
            for word, now, was in (
                ("storage", stored(step.now), stored(step.before)),
                ("preferred", preferred(step.now), preferred(step.before)),
            ):
                if now is None or was is None or now.name == was.name or (word == "preferred" and not now.preferred):
                    continue
                known = step.before.version(now.name)
                if known is None:
                    continue
                problem = None if known.served else f"{newest} did not serve it"
                problem = problem or self._missing_kind(step, now.name, was.name, f"{newest}")
                if problem is not None:
                    yield finding(
                        now.place,
                        f"`{word}` moves from {was.name} to {now.name}, and {problem}",
                        f"leave `{word}: true` with {was.name} until a release has served both",
                        (Related(known.place, f"{now.name} in {newest}"),),
                    )

    def _missing_kind(self, step: GroupStep, now: str, was: str, newest: str) -> str | None:
        """A kind that the release before had only in the old version."""
        old, new, there = step.before.version(was), step.before.version(now), step.now.version(now)
        if old is None or new is None or there is None:
            return None
        had, knew = step.roots(old, step.api_before), step.roots(new, step.api_before)
        moved = (name for name in step.roots(there, step.api_now) if name in had and name not in knew)
        kind = next(moved, None)
        return None if kind is None else f"{newest} does not have `{kind}` there"
