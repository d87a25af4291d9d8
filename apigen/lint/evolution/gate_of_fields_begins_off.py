"""A gate that fields or values stand behind begins disabled."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from apigen.diagnostics import Diagnostic, Place, Related, Severity
from apigen.ir.model import Api, Enum, Struct
from apigen.language.model import GateSpec, Stage
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.gate_steps import own_gates
from apigen.lint.rule import finding


class GateOfFieldsBeginsOff(EvolutionRule):
    """What adds fields, or widens what is accepted, starts as alpha. (feature-gates.md) With a history, the
    step that adds the field is judged itself (AG1315, AG1331). 2 of the 49 gates that fields of Kubernetes 1.36 name
    began on.
    """

    code = "AG1311"
    severity = Severity.WARNING
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        if evolution.before is not None:
            return
        guarded = _guarded(evolution.now)
        for feature in own_gates(evolution):
            first = feature.stages[0]
            places = guarded.get(feature.name)
            if first.default and first.stage is not Stage.GA and places:
                path, place = places[0]
                yield finding(
                    first.place,
                    f"`{feature.name}` is on from its first release on, {first.release}, and guards `{path}`: "
                    "the release before, to which a server may be rolled back, does not know that",
                    'let it begin a release earlier, switched off: `{release: "…", stage: alpha}`, or acknowledge it'
                    " where the release was shipped like this",
                    (Related(place, "the first of what stands behind it"),),
                )


def _guarded(api: Api) -> Mapping[str, list[tuple[str, Place]]]:
    """Gate -> what stands behind it, with its place."""
    guarded: defaultdict[str, list[tuple[str, Place]]] = defaultdict(list)
    for type_ in api.types.values():
        marked: list[tuple[str, GateSpec | None, Place]] = []
        if isinstance(type_, Struct):
            marked = [(field.json_name, field.gate, field.place) for field in type_.own_fields]
        elif isinstance(type_, Enum):
            marked = [(value.value, value.gate, value.place) for value in type_.values]
        for name, gate, place in marked:
            for located in gate.gates if gate is not None else ():
                guarded[located.value].append((f"{type_.id.name}.{name}", place))
    return guarded
