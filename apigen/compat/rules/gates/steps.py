"""What a gate does to clients when it goes on to another stage."""

from __future__ import annotations

from apigen.compat.context import Context
from apigen.compat.rules.gates.stages import words
from apigen.compat.rules.verdicts import INFO, release_of
from apigen.compat.surface.lifecycle import GateStage
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


def step(gate: str, before: GateStage | None, after: GateStage | None, context: Context, fix: str) -> Verdict:
    """From one stage to the next. A gate that comes on lets in what servers of before drop by default."""
    was = words(before) if before else "not there"
    now = words(after) if after else "not there"
    message = f"gate {gate} is {now} in {release_of(context)}, and was {was}"
    comes_on = after is not None and after.default and (before is None or not before.default)
    if not comes_on:
        return Verdict(message, {}, fix, severities=INFO)
    hits = {
        Direction.NEW_CLIENT: depends(
            f"a new client sets what {gate} guards, and a server of before with it off drops that"
        ),
        Direction.ROLLBACK: depends(
            f"the release before has {gate} off: objects keep what it guards, and others cannot get it"
        ),
    }
    return Verdict(message, hits, fix, severities=INFO)
