"""Runs tasks on the generated code of both sides. `python -m apigen.compat.witnesses.trial_run` reads them from its input.

A process of its own: what is generated from a stranger's schema may take long, and is stopped then.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from types import FrameType

from apigen.compat.verdict.example import JsonValue, Side
from apigen.compat.verdict.impact import Direction
from apigen.compat.witnesses.attributing import concerns
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


SECONDS = 2.0
"""How much time of the processor an object may take: a pattern that explodes shall not keep others from being tried."""

MOST_SLOW = 3
"""Objects of a finding that may take longer, before it is given up."""


class TooLongError(Exception):
    """An object took too long."""


def run_task(task: Task, sides: Sides) -> Answer:
    """Try a task's objects, until each direction has one that shows it."""
    run = _Run(task, sides)
    slow = 0
    for side, value in task.objects():
        if len(run.found) == len(task.directions) or slow == MOST_SLOW:
            break
        try:
            with limited(SECONDS):
                run.tries(side, value)
        except TooLongError:
            slow += 1
    failure = f"{slow} objects took longer than {SECONDS:g} s each" if slow == MOST_SLOW else ""
    return Answer(task.number, tuple(run.found.values()), run.accepted, run.tried, failure)


class _Run:
    """What the objects of a task have shown so far."""

    def __init__(self, task: Task, sides: Sides) -> None:
        self._task, self._sides = task, sides
        self._previous: dict[Side, Trial] = {}
        self.found: dict[Direction, Shown] = {}
        self.accepted = self.tried = 0

    def tries(self, side: Side, value: JsonValue) -> None:
        """Try one object in the directions that nothing shows yet."""
        self.tried += 1
        trial = _trial(self._task, self._sides, side, value)
        if trial is None:
            return
        self.accepted += 1
        for direction in self._task.directions:
            if direction not in self.found:
                self._tries(side, direction, trial)
        self._previous[side] = trial

    def _tries(self, side: Side, direction: Direction, trial: Trial) -> None:
        outcome = trial.outcome(direction)
        if self._shows(outcome, side):
            self.found[direction] = Shown(direction, side, outcome)  # the smaller one may take too long to find
            self.found[direction] = Shown(direction, side, _small(self._task, self._sides, side, direction, outcome))
        elif _OF_SIDE[direction] is side and direction in (Direction.OLD_CLIENT, Direction.NEW_CLIENT):
            outcome = self._previous[side].updated(trial) if side in self._previous else outcome
            if self._shows(outcome, side):
                self.found[direction] = Shown(direction, side, outcome)

    def _shows(self, outcome: Outcome, side: Side) -> bool:
        """Whether it breaks, and at the element of the finding: another change may break it, too."""
        return outcome.shows and concerns(outcome.text, self._task.paths(side))


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises TooLongError in what takes more of the processor's time; where there is no such clock, the process that waits for this one has one."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _too_long(number: int, frame: FrameType | None) -> None:
    raise TooLongError


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
        if found is None or found.fate is not outcome.fate or not concerns(found.text, task.paths(side)):
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
