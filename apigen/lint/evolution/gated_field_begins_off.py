"""A new field is behind a gate that is off in the release that brings it."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.diagnostics.quoting import listing
from apigen.history.rollback import is_on_by_default
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.gate_steps import field_steps, gates_by_name
from apigen.lint.rule import finding


class GatedFieldBeginsOff(EvolutionRule):
    """What adds fields starts as alpha, so that by the time data is written by default, a rollback by one
    release preserves it. (feature-gates.md)
    """

    code = "AG1315"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        features = gates_by_name(evolution.now)
        release = evolution.in_the_making if evolution.before is not None else None
        for step in field_steps(evolution):
            gate = step.now.gate
            if release is None or step.before is not None or gate is None:
                continue
            if not is_on_by_default(gate, features, release):
                continue
            names = tuple(located.value for located in gate.gates)
            nothing = gate.during == ()
            reason = "drops nothing" if nothing else f"{'are' if len(names) > 1 else 'is'} on by default in {release}"
            yield finding(
                step.now.place,
                f"`{step.name}` is new, and {listing(names, 'and')} {reason}: everybody may set it at once, and "
                f"{evolution.newest}, to which a server may be rolled back, does not keep it",
                f'put it behind a gate that begins with `{{release: "{release}", stage: alpha}}`, and switch that on in a '
                "later release",
                tuple(Related(features[g.value].place, f"the stages of `{g.value}`") for g in gate.gates),
            )
