"""The name of a gate that is gone is not given to another one."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.gate_steps import gates_by_name, own_gates
from apigen.lint.rule import finding


class GateNameIsNew(EvolutionRule):
    """Command lines and configurations outlive a gate: `A=false` of then would switch the new one off unseen."""

    code = "AG1319"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        recorded = gates_by_name(evolution.before)
        for feature in own_gates(evolution):
            if evolution.before is None or feature.name in recorded:
                continue
            for release in reversed(evolution.history.releases):
                known = gates_by_name(evolution.history.api(release)).get(feature.name)
                if known is not None:
                    yield finding(
                        feature.place,
                        f"there was a gate `{feature.name}` until {release}: settings of then would switch this one",
                        f"give it another name, such as `{feature.name}V2`",
                        (Related(known.place, f"the gate of {release}"),),
                    )
                    break
