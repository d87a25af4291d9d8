"""A value that every object could have stays accepted while it is there."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.ir.model import EnumValue
from apigen.lint.evolution.enum_steps import EnumStep, enum_steps, is_accepted, value_named
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.rule import finding


class AcceptedValueStays(EvolutionRule):
    """Calls that succeeded go on to succeed. (Kubernetes API changes, "On compatibility") Values that go are for the
    rules of removal.
    """

    code = "AG1335"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for step in enum_steps(evolution):
            if step.now.open or evolution.before is None:
                continue
            for value in step.before.values:
                if is_accepted(value, evolution.before, evolution.newest):
                    yield from self._judge(step, value, evolution)

    def _judge(self, step: EnumStep, was: EnumValue, evolution: Evolution) -> Iterator[Diagnostic]:
        name, before = step.now.id.name, evolution.newest
        now = value_named(step.now, was.value)
        if now is None or was.gate is not None or not now.is_rolled_out:
            return
        if is_accepted(now, evolution.now, evolution.in_the_making):
            return
        word = "featureGate" if now.gate is not None else "tolerated"
        message = f"`{name}` accepted `{was.value}` in {before}, and objects that have it are refused now"
        yield finding(now.place, message, f"take its `{word}:` away", (Related(was.place, f"accepted in {before}"),))
