"""What a gate does to clients when it goes on to another stage."""

from __future__ import annotations

from apigen.compat.context import Context
from apigen.compat.rules.defaults.filled import is_filled, left_out_hit
from apigen.compat.rules.gates.guarded import guarded_fields
from apigen.compat.rules.gates.stages import words
from apigen.compat.rules.verdicts import INFO, release_of, series_of_gates
from apigen.compat.surface.lifecycle import GateStage
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.verdict import Verdict


def step(gate: str, before: GateStage | None, after: GateStage | None, context: Context, fix: str) -> Verdict:
    """From one stage to the next. A gate that comes on lets in what servers of before drop by default."""
    was = words(before) if before else "not there"
    now = words(after) if after else "not there"
    message = f"gate {gate} is {now} in {release_of(context, series_of_gates([gate], context))}, and was {was}"
    comes_on = after is not None and after.default and (before is None or not before.default)
    return Verdict(message, came_on_hits(gate, context) if comes_on else {}, fix, severities=INFO)


def came_on_hits(gate: str, context: Context) -> dict[Direction, Hit]:
    """Of a gate that is on by default, and was off."""
    hits = {
        Direction.NEW_CLIENT: depends(
            f"a new client sets what {gate} guards, and a server of before with it off drops that"
        ),
        Direction.ROLLBACK: depends(
            f"the release before has {gate} off: objects keep what it guards, and others cannot get it"
        ),
    }
    filled = context.kept(_filled)[1].get(gate)
    if filled:
        hits[Direction.OLD_CLIENT] = depends(
            f"a client of before leaves {filled} out: it is filled in, as before, and judged now"
        )
    return hits


def went_off_hits(gate: str, context: Context) -> dict[Direction, Hit]:
    """Of a gate that is off by default, and was on."""
    hits = {
        Direction.OLD_CLIENT: breaks(f"what {gate} guards is dropped from what clients of before write"),
        Direction.STORED: depends(f"on whether objects use what {gate} guards: they keep it, and others cannot get it"),
    }
    filled = context.kept(_filled)[0].get(gate)
    if filled:
        hits[Direction.NEW_CLIENT] = left_out_hit(filled)
    return hits


def _filled(context: Context) -> tuple[dict[str, str], dict[str, str]]:
    """Of both sides, by gate, a field behind it that gets a value where it is left out."""
    return _filled_on(context.old, context), _filled_on(context.new, context)


def _filled_on(side: Surface, context: Context) -> dict[str, str]:
    found: dict[str, str] = {}
    for element, field, mark in guarded_fields(side):
        for gate in mark.gates:
            if gate not in found and is_filled(field, side, context, gate):
                found[gate] = element.path
    return found
