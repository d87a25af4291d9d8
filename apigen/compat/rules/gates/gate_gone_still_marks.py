"""A field names a gate that is not there."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.gates.guarded import guarded_fields
from apigen.compat.rules.gates.marks import is_settled
from apigen.compat.rules.guards import has_gates
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.surface.lifecycle import Gate
from apigen.compat.surface.surface import Surface
from apigen.compat.values.hits import everywhere
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.verdict import Verdict


@state_rule("gate-gone-still-marks", has_gates, severities="E/E/E")
def gate_gone_still_marks(surface: Surface, context: Context) -> Iterator[Issue]:
    """Nobody can switch on what is not there."""
    for element, field, mark in guarded_fields(surface) if surface.gates else ():
        for name in mark.gates:
            gate = surface.gates.get(name)
            if gate is not None and (not _is_gone(gate, surface) or is_settled(name, context)):
                continue
            how = "nothing knows" if gate is None else f"was removed in {gate.removed}"
            unsaid = f"whether a server drops {element.path} cannot be said any more"
            hits = {**everywhere(depends(unsaid)), Direction.OLD_CLIENT: breaks(unsaid)}
            verdict = Verdict(
                f"{element} is behind {name}, which {how}",
                hits,
            )
            yield Issue(element, field.place, verdict, name)


def _is_gone(gate: Gate, surface: Surface) -> bool:
    release = surface.release_of(gate.series)
    return gate.removed is not None and release is not None and gate.removed <= release
