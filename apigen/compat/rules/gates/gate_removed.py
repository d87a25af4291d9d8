"""A gate is gone."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.gates.stages import PROMISE, as_yaml, current, words
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import at, note, release_of
from apigen.compat.surface.lifecycle import Gate
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class GateRemoved(ChangeRule):
    """Servers that are started with it by name do not start, and what it guarded can no longer be switched."""

    id = "gate-removed"
    title = "a gate was removed before it was locked"
    severities = Severities.of("W/E/E")
    explanation = (
        "Until a gate is locked, somebody may have set it: their servers refuse to start with a gate that nobody knows. And the"
        " release before still has the switch, so after a rollback what it guards may be dropped. A gate is locked (GA, or deprecated"
        " and off) for some releases before it goes. (Kubernetes, feature-gates.md)"
    )
    fix = "keep the gate; lock it, and remove it some releases later"
    no_witness = "gates are switches of a server, and stand in no object"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if isinstance(change, Removed) and isinstance(change.part, Gate):
            return self._gone(change.part, context)
        if isinstance(change, Altered) and isinstance(change.old, Gate) and isinstance(change.new, Gate):
            end, release = change.new.removed, context.new.release_of(change.new.series)
            if end is not None and release is not None and end <= release:
                return self._gone(change.old, context)
            return note(
                f"gate {change.new.name} is to go in {end or 'no release'}, and was to in {change.old.removed or 'none'}"
            )
        return None

    def _gone(self, gate: Gate, context: Context) -> Verdict:
        sides = (context.new, context.old)
        stage = next(
            (each for side in sides if (each := current(gate, side.release_of(gate.series))) is not None), None
        )
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
        return Verdict(message, hits, self.fix, patch, at(self.severities, PROMISE[stage.stage]))
