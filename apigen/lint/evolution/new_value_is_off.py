"""A value is not enabled in the release that introduces it."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.diagnostics.quoting import listing
from apigen.ir.model import Api
from apigen.language.model import GateSpec
from apigen.lint.evolution.enum_steps import enum_steps, gates_on, is_on
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.rule import finding


class NewValueIsOff(EvolutionRule):
    """A gate that is on by default tolerates nothing first. (Kubernetes API changes, "Adding a new enum value")"""

    code = "AG1331"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for step in enum_steps(evolution):
            if step.before.open:
                continue
            release = evolution.in_the_making
            for value in step.new_values:
                if value.gate is None or not is_on(value.gate, evolution.now, release):
                    continue
                on = gates_on(value.gate, evolution.now, release)
                yield finding(
                    value.gate.place,
                    f"the new value `{value.value}` is enabled in the release that introduces it: "
                    f"{listing(on, 'and')} {'are' if len(on) > 1 else 'is'} on by default in {release}, and a server of "
                    f"{evolution.newest} refuses every update of an object that has it",
                    f'give it a gate that begins with `{{release: "{release}", stage: alpha}}`, and switch it on in a '
                    "later release",
                    tuple(_stages(value.gate, evolution.now)),
                )


def _stages(gate: GateSpec, api: Api) -> Iterator[Related]:
    names = {located.value for located in gate.gates}
    yield from (Related(f.place, f"the stages of `{f.name}`") for f in api.features if f.name in names)
