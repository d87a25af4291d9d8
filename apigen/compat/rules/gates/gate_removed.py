"""A gate is gone."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Removed, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered, removed
from apigen.compat.rules.gates.stages import PROMISE, as_yaml, current, words
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import at, note, release_of
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.lifecycle import Gate
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.verdict import Verdict


@change_rule("gate-removed", removed(ElementKind.GATE), altered(Trait.REMOVED, ElementKind.GATE), severities="W/E/E")
def gate_removed(change: AnyChange, context: Context) -> Verdict | None:
    """Servers that are started with it by name do not start, and what it guarded can no longer be switched."""
    if isinstance(change, Removed) and isinstance(change.part, Gate):
        return _gone(change.part, context)
    if isinstance(change, Altered) and isinstance(change.old, Gate) and isinstance(change.new, Gate):
        end, release = change.new.removed, context.new.release_of(change.new.series)
        if end is not None and release is not None and end <= release:
            return _gone(change.old, context)
        return note(
            f"gate {change.new.name} is to go in {end or 'no release'}, and was to in {change.old.removed or 'none'}"
        )
    return None


def _gone(gate: Gate, context: Context) -> Verdict:
    sides = (context.new, context.old)
    stage = next((each for side in sides if (each := current(gate, side.release_of(gate.series))) is not None), None)
    if stage is None and gate.stages:
        stage = gate.stages[-1]
    if stage is None or stage.locked:
        return note(f"gate {gate.name} was removed; it was {words(stage) if stage else 'never there'}", "nothing")
    hits = {
        Direction.ROLLBACK: breaks(
            f"the release before has {gate.name} to switch, and drops what it guards where it is off"
        )
    }
    message = f"gate {gate.name} was removed, which is {words(stage)} in {release_of(context, gate.series)}"
    patch = f"{gate.name}: {{stages: [{', '.join(map(as_yaml, gate.stages))}]}}"
    return Verdict(message, hits, patch=patch, severities=at(gate_removed.severities, PROMISE[stage.stage]))
