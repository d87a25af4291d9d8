"""A new value of an enum is tolerated for a release before every object may have it."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.ir.model import EnumValue
from apigen.ir.stability import next_release
from apigen.lint.evolution.enum_steps import EnumStep, enum_steps, is_accepted, is_tolerated, value_named
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.rule import finding


class ValueIsToleratedFirst(EvolutionRule):
    """Servers of two releases run side by side, so the older one must let an object keep what the newer one accepts.
    (Kubernetes API changes, "Adding a new enum value")
    """

    code = "AG1330"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for step in enum_steps(evolution):
            if step.before.open:
                continue
            for value in step.now.values:
                if value.gate is None and not self._knew(step, value):
                    yield from self._judge(step, value, evolution)

    def _knew(self, step: EnumStep, value: EnumValue) -> bool:
        known = value_named(step.before, value.value)
        return known is not None and is_tolerated(known)

    def _judge(self, step: EnumStep, value: EnumValue, evolution: Evolution) -> Iterator[Diagnostic]:
        release, before = evolution.in_the_making, evolution.newest
        if not is_accepted(value, evolution.now, release):
            return
        steps = f'{value.value}: {{tolerated: "{release}", introduced: "{next_release(release)}"}}'
        yield finding(
            value.place,
            f"`{step.now.id.name}` accepts the new value `{value.value}` at once, and a server of {before} beside this "
            "one refuses every update of an object that has it",
            f"tolerate it for a release: `{steps}`, or put it behind a gate that is off",
            (Related(step.before.place, f"`{step.now.id.name}` as {before} shipped it"),),
        )
