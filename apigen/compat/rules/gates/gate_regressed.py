"""A gate went back: to an earlier stage, or from on to off."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.gates.stages import ORDER, PROMISE, as_yaml, current, words
from apigen.compat.rules.gates.steps import went_off_hits
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import at
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.lifecycle import Gate
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict
from apigen.spec.model import Stage


@change_rule("gate-regressed", altered(Trait.STAGES, ElementKind.GATE), severities="W/E/E")
def gate_regressed(change: AnyChange, context: Context) -> Verdict | None:
    """What people rely on is not there any more unless they ask for it."""
    if not isinstance(change, Altered) or not isinstance(change.old, Gate) or not isinstance(change.new, Gate):
        return None
    before, after = current(change.old, context.old.release_of(change.old.series)), current(
        change.new, context.new.release_of(change.new.series)
    )
    if before is None or after is None:
        return None
    name = change.new.name
    went_off = before.default and not after.default
    if not went_off and ORDER[after.stage] >= ORDER[before.stage]:
        return None
    hits = {Direction.OLD_CLIENT: depends(f"{name} promises less than clients of before were told")}
    if went_off:
        hits = went_off_hits(name, context)
    message = f"gate {name} is {words(after)}, and was {words(before)}"
    promise = PROMISE[Stage.BETA if before.default and before.stage is Stage.ALPHA else before.stage]
    return Verdict(message, hits, patch=as_yaml(before), severities=at(gate_regressed.severities, promise))
