"""Runs tasks on the generated code of both sides. `python -m apigen.review.counterexamples.trial_run` reads them from
standard input.

It runs in a process of its own, so that it can be stopped if code generated from an untrusted schema takes too long.
"""

from __future__ import annotations

import json
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from itertools import chain
from types import FrameType

from apigen.dataclass import replace
from apigen.language.json_values import JsonValue, Steps, value_at, with_value
from apigen.review.counterexamples.outcome import UNCHANGED, Outcome, OutcomeKind, Rejection, concerns, listed, sets
from apigen.review.counterexamples.running import (
    JSON,
    Answer,
    Built,
    NotEvaluatedError,
    RejectedError,
    Server,
    Shown,
    Task,
)
from apigen.review.counterexamples.trying import Sides, Trial, afterwards
from apigen.review.results import Direction, Side

SECONDS = 1.0
"""Maximum CPU time of the first object, in seconds: a pattern with exponential backtracking must not prevent other
trials.
"""

MOST_SLOW = 2
"""Maximum number of objects of a finding that may time out, before the search for it stops."""

_SHARE, _LEAST = 5, 0.05


class Patience:
    """The remaining CPU time for slow objects. Each may use one share of it, so that the first ones cannot use all."""

    def __init__(self) -> None:
        self.remaining = SECONDS * _SHARE

    @property
    def of_object(self) -> float:
        """Maximum seconds for the next object."""
        return max(self.remaining / _SHARE, SECONDS * _LEAST)

    @property
    def is_over(self) -> bool:
        """Return whether no further object is tried."""
        return self.remaining <= 0


class TooLongError(Exception):
    """An object took too long."""


def run_task(task: Task, sides: Sides, patience: Patience | None = None) -> Answer:
    """Try a task's objects until each direction has a counterexample: with default gates, then with the task's gates
    enabled, then disabled.
    """
    run = _Run(task, patience or Patience())
    run.all_objects(sides)
    for is_enabled in (True, False) if task.gates else ():
        if not run.is_done:
            old, new = (side.with_gates(task.gates, is_enabled) for side in sides)
            setting = f"with {', '.join(task.gates)} {'enabled' if is_enabled else 'disabled'}, "
            run.all_objects((old, new), setting)
    failure = f"{run.slow} objects exceeded the time limit" if run.slow == MOST_SLOW else run.not_validated
    return Answer(task.number, tuple(run.found.values()), run.accepted, run.tried, failure)


class _Run:
    """The state of a task: the counterexamples found so far."""

    def __init__(self, task: Task, patience: Patience) -> None:
        self._task, self._patience = task, patience
        self.found: dict[Direction, Shown] = {}
        self.accepted = self.tried = self.slow = 0
        self.not_validated = ""

    @property
    def is_done(self) -> bool:
        """Return whether all directions have a counterexample, or the time is over."""
        return len(self.found) == len(self._task.directions) or self.slow == MOST_SLOW or self._patience.is_over

    def all_objects(self, sides: Sides, setting: str = "") -> None:
        """Try each object, then its later outcomes, until each direction has a counterexample or the time is over. `setting`
        describes the gates of the servers in messages.
        """
        self._sides, self._setting = sides, setting
        self._previous: dict[Side, Trial] = {}
        for objects in self._task.batches():
            self._trials: list[tuple[Side, Trial]] = []
            first = (partial(self._tries_object, *each) for each in objects)
            later = (partial(self._tries_afterwards, *each) for each in self._trials)
            for work in chain(first, later):
                if self.is_done:
                    return
                seconds = self._patience.of_object
                try:
                    with limited(seconds):
                        work()
                except NotEvaluatedError as error:
                    self.not_validated = str(error)
                except TooLongError:
                    self.slow += 1
                    self._patience.remaining -= seconds

    def _tries_object(self, side: Side, value: JsonValue) -> None:
        self.tried += 1
        trial = _trial(self._task, self._sides, side, value)
        if trial is None:
            return
        self.accepted += 1
        self._trials.append((side, trial))
        for direction in self._task.directions:
            if direction not in self.found:
                self._tries(side, direction, trial)
        self._previous[side] = trial

    def _tries(self, side: Side, direction: Direction, trial: Trial) -> None:
        previous = self._previous.get(side)
        if not self._keep_shown(side, direction, trial, lambda trial: trial.outcome(direction)) and (
            previous is not None and direction is trial.sender and JSON in trial.forms
        ):
            self._keep_shown(side, direction, trial, previous.updated)

    def _keep_shown(self, side: Side, direction: Direction, trial: Trial, find: Callable[[Trial], Outcome]) -> bool:
        """Keep the outcome of an object, and that of a smaller one, if it shows the finding; return whether it does."""
        outcome = find(trial)
        is_shown = self._shows(outcome, side)
        if is_shown:
            self._keep(side, direction, outcome)  # the search for a smaller one may take too long
            self._keep(side, direction, self._small(side, outcome, find))
        return is_shown

    def _tries_afterwards(self, side: Side, trial: Trial) -> None:
        for direction in self._task.afterwards:
            if direction in self.found or (direction is trial.reader and direction not in self._task.readers):
                continue

            def later(trial: Trial, direction: Direction = direction) -> Outcome:
                return next((each for each in afterwards(trial, direction) if self._shows(each, side)), UNCHANGED)

            self._keep_shown(side, direction, trial, later)

    def _small(self, side: Side, outcome: Outcome, find: Callable[[Trial], Outcome]) -> Outcome:
        """Return the outcome of the smallest object with the same result."""
        best, place = outcome, self._task.reduced
        if place is None:
            return best

        def shows(value: JsonValue) -> bool:
            nonlocal best
            trial = _trial(self._task, self._sides, side, value)
            smaller = UNCHANGED if trial is None else find(trial)
            if smaller.outcome_kind is not outcome.outcome_kind or not self._shows(smaller, side):
                return False
            best = smaller
            return True

        # an object that is small in one direction is small in others
        known = (each.outcome.before for each in self.found.values() if each.written_by is side)
        if not any(shows(each) for each in known if each != outcome.before):
            shrunk(outcome.before, shows, place)
        return best

    def _keep(self, side: Side, direction: Direction, outcome: Outcome) -> None:
        breaks = outcome.outcome_kind is OutcomeKind.REJECTED and not self._setting and not outcome.by_client
        described = self._own_first(outcome, side)
        described = replace(described, text=f"{self._setting}{described.text}")
        self.found[direction] = Shown(direction, side, described, breaks)

    def _own_first(self, outcome: Outcome, side: Side) -> Outcome:
        """Return an outcome whose text starts with the error that shows the finding."""
        own = self._own_error(outcome, side)
        if own is None or own is outcome.errors[0]:
            return outcome
        errors = (own, *(each for each in outcome.errors if each is not own))
        return replace(outcome, text=f"{outcome.subject}: {listed(errors)}")

    def _shows(self, outcome: Outcome, side: Side) -> bool:
        """Return whether an outcome shows the finding: at its element and by its rule, because other changes may break
        it, too.
        """
        paths = self._task.paths_of(side)
        if outcome.outcome_kind is OutcomeKind.REJECTED:
            is_own = self._own_error(outcome, side) is not None
        else:
            is_own = outcome.shows and concerns(outcome.path, paths)
        return is_own and (not self._task.of_bytes or any(sets(outcome.before, path) for path in paths))

    def _own_error(self, outcome: Outcome, side: Side) -> Rejection | None:
        """Return the error of a rejection that shows the finding; None without one."""
        paths = self._task.paths_of(side)
        return next((each for each in outcome.errors if self._task.rejections.fit(each, paths)), None)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooLongError in code that uses more CPU time; without such a timer, the parent process enforces its own
    limit.
    """
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
        return Trial(sides, task.kind(kind, side), value, side, of_bytes=task.of_bytes)
    except RejectedError:
        return None


def main() -> None:
    """Read the packages and tasks of `run_tasks` from standard input, and print an answer per line."""
    built: Built
    tasks: tuple[Task, ...]
    built, tasks = pickle.load(sys.stdin.buffer)
    sys.path.insert(0, str(built.folder))
    old, new = (
        Server.of(package, release, has_protobuf=built.has_protobuf, ratchets=ratchets)
        for package, release, ratchets in zip(built.packages, built.releases, built.ratchets, strict=True)
    )
    patience = Patience()
    for task in tasks:
        if patience.is_over:
            return
        try:
            answer = run_task(task, (old, new), patience)
        except Exception as error:  # generated code must not raise anything else; such an error is not a counterexample
            answer = Answer(task.number, (), 0, 0, f"{type(error).__name__}: {error}")
        print(json.dumps(asdict(answer)), flush=True)


_MOST = 150
"""Maximum number of smaller objects that are tried."""

_MOST_ITEMS = 8
"""Items of a list that are dropped and made smaller one by one."""

_KEPT = frozenset({"apiVersion", "kind"})


def shrunk(value: JsonValue, shows: Callable[[JsonValue], bool], place: Steps = ()) -> JsonValue:
    """Return the object without the parts that are not needed to show the finding; only parts inside `place` are dropped."""
    tried = 0
    progress = True
    while progress and tried < _MOST:
        progress = False
        for part in _smaller(value_at(value, place), not place):
            smaller = with_value(value, place, part)
            tried += 1
            if shows(smaller):
                value, progress = smaller, True
                break
            if tried >= _MOST:
                break
    return value


def _smaller(value: JsonValue, is_root: bool = True) -> Iterator[JsonValue]:
    """Yield the value without one of its parts; large parts first."""
    if isinstance(value, dict):
        names = [name for name in value if not (is_root and name in _KEPT)]
        for name in names:
            yield {other: each for other, each in value.items() if other != name}
        for name in names:
            for inner in _smaller(value[name], False):
                yield {**value, name: inner}
    elif isinstance(value, list):
        if len(value) > _MOST_ITEMS:  # of many items, one is as good as another
            yield from (value[: len(value) // 2], value[:-1])
        else:
            yield from ([*value[:index], *value[index + 1 :]] for index in range(len(value)))
        for index, each in enumerate(value[:_MOST_ITEMS]):
            for inner in _smaller(each, False):
                yield [*value[:index], inner, *value[index + 1 :]]
    elif isinstance(value, str) and len(value) > 8:
        yield value[: len(value) // 2]


if __name__ == "__main__":
    main()
