"""Runs tasks on the generated code of both sides. `python -m apigen.compat.witnesses.trial_run` reads them from its input.

A process of its own: what is generated from a stranger's schema may take long, and is stopped then.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

from apigen.compat.verdict.example import JsonValue, Side
from apigen.compat.verdict.impact import Direction
from apigen.compat.witnesses.outcome import Outcome
from apigen.compat.witnesses.server import RefusedError, Server
from apigen.compat.witnesses.shrinking import shrunk
from apigen.compat.witnesses.tasks import Answer, Shown, Task
from apigen.compat.witnesses.trying import Sides, Trial

_OF_SIDE = {
    Direction.OLD_CLIENT: Side.OLD,
    Direction.NEW_CLIENT: Side.NEW,
    Direction.STORED: Side.OLD,
    Direction.ROLLBACK: Side.NEW,
}
"""Whose objects are told first."""


def run_task(task: Task, sides: Sides) -> Answer:
    """Try a task's objects, until each direction has one that shows it."""
    found: dict[Direction, Shown] = {}
    accepted = tried = 0
    previous: dict[Side, Trial] = {}
    for side, value in task.objects():
        if len(found) == len(task.directions):
            break
        tried += 1
        trial = _trial(task, sides, side, value)
        if trial is None:
            continue
        accepted += 1
        for direction in task.directions:
            known = found.get(direction)
            if known is not None:
                continue
            outcome = trial.outcome(direction)
            if outcome.shows:
                found[direction] = Shown(direction, side, _small(task, sides, side, direction, outcome))
            elif _OF_SIDE[direction] is side and direction in (Direction.OLD_CLIENT, Direction.NEW_CLIENT):
                outcome = previous[side].updated(trial) if side in previous else outcome
                if outcome.shows:
                    found[direction] = Shown(direction, side, outcome)
        previous[side] = trial
    return Answer(task.number, tuple(found.values()), accepted, tried)


def _trial(task: Task, sides: Sides, side: Side, value: JsonValue) -> Trial | None:
    kind = str(value.get("kind")) if isinstance(value, dict) else ""
    try:
        return Trial(sides, task.kind(kind, side), value, side)
    except RefusedError:
        return None


def _small(task: Task, sides: Sides, side: Side, direction: Direction, outcome: Outcome) -> Outcome:
    """The outcome of the smallest object that shows the same thing to happen."""
    best = outcome

    def shows(value: JsonValue) -> bool:
        nonlocal best
        trial = _trial(task, sides, side, value)
        found = None if trial is None else trial.outcome(direction)
        if found is None or found.fate is not outcome.fate:
            return False
        best = found
        return True

    shrunk(outcome.before, shows)
    return best


def main() -> None:
    """Read a request from the standard input, and print an answer per line."""
    request = json.load(sys.stdin)
    sys.path.insert(0, request["folder"])
    old, new = (
        Server.of(
            request[f"{side}_package"],
            request[f"{side}_release"],
            has_protobuf=request["has_protobuf"],
            ratchets=request[f"{side}_ratchets"],
        )
        for side in ("old", "new")
    )
    for said in request["tasks"]:
        task = Task.of(said)
        try:
            answer = run_task(task, (old, new))
        except Exception as error:  # generated code must not raise anything else; if it does, that is no witness
            answer = Answer(task.number, (), 0, 0, f"{type(error).__name__}: {error}")
        print(json.dumps(asdict(answer)), flush=True)


if __name__ == "__main__":
    main()
