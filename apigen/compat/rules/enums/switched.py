"""Gates that are on by default on one side, and off on the other."""

from __future__ import annotations

from apigen.compat.context import Context


def switched_gates(context: Context) -> dict[str, bool]:
    """By name, whether a gate that both sides know is on now."""
    found: dict[str, bool] = {}
    for name in context.old.gates.keys() & context.new.gates.keys():
        gates = ((side, side.gates[name]) for side in (context.old, context.new))
        was, is_on = (gate.is_on(side.release_of(gate.series)) for side, gate in gates)
        if was != is_on:
            found[name] = is_on
    return found
