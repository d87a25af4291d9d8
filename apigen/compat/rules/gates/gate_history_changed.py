"""What was said of a gate in releases that are out is not what it was."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.gates.stages import as_yaml, current, history
from apigen.compat.rules.gates.steps import step
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.lifecycle import Gate, GateStage
from apigen.compat.values.hits import joined
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("gate-history-changed", altered(Trait.STAGES, ElementKind.GATE), severities="W/W/W")
def gate_history_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Whether something was ever on is read from these stages; one that was off and is on now comes on."""
    if not isinstance(change, Altered) or not isinstance(change.old, Gate) or not isinstance(change.new, Gate):
        return None
    was, said = (history(gate, context.old.release_of(gate.series)) for gate in (change.old, change.new))
    lost = [stage for stage in was if stage not in said]
    made_up = [stage for stage in said if stage not in was]
    if not lost and not made_up:
        return None
    stage = (lost or made_up)[0]
    how = "is not said any more" if lost else "is said now, and was not then"
    hit = depends(
        f"what {change.new.name} let in until {context.old.release_of(change.old.series)} is judged by what is said now"
    )
    message = f"the stage of gate {change.new.name} in {stage.release} {how}: {as_yaml(stage)}"
    now = step(change.new.name, *_at_both(change.old, change.new, context), context, "")
    return Verdict(message, joined((now.hits, {Direction.STORED: hit})), patch=as_yaml(stage) if lost else "")


def _at_both(old: Gate, new: Gate, context: Context) -> tuple[GateStage | None, GateStage | None]:
    """What both sides have at their own releases: a gate that was off, and is said to have been on, comes on."""
    return current(old, context.old.release_of(old.series)), current(new, context.new.release_of(new.series))
