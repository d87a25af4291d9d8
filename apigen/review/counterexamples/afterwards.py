"""What shows only afterwards: to clients that check what they read, in copies of stored objects, after a rollback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice

from apigen.dataclass import replace
from apigen.review.counterexamples.differences import differences
from apigen.review.counterexamples.outcome import Fate, Outcome
from apigen.review.counterexamples.running import JSON, DroppedError, RefusedError
from apigen.review.counterexamples.trying import MADE_UP, Trial
from apigen.review.verdict.example import JsonValue, Missing
from apigen.review.verdict.impact import Direction

CHECKED = "a client that checks what it reads refuses it"
"""What such a client does, which no server does."""

_MOST = 20
"""Places of an object that are told."""


def afterwards(trial: Trial, direction: Direction) -> Iterator[Outcome]:
    """What becomes of an object that came through as it was, or was never asked about, in a direction; the worst first."""
    if direction is trial.sender:
        yield from _told_otherwise(trial)
        yield from _taken_in_part(trial)
    elif direction is trial.reader:
        yield from _read(trial)
    elif direction is trial.keeper:
        yield from _copied(trial)
        yield from _stored_bare(trial)
        yield from _written_again(trial)
    elif direction is Direction.ROLLBACK:
        yield from _there_and_back(trial)


def _told_otherwise(trial: Trial) -> Iterator[Outcome]:
    """What a client reads that takes JSON as it is: nothing and zero are two things to it."""
    for form, data in trial.requests():
        try:
            expected = trial.answered(trial.mine.create(data, trial.kind, form))
            held = trial.theirs.create(data, trial.kind, form)
            answers = {version: trial.theirs.answer(held, version) for version in expected}
        except RefusedError:
            continue
        for version, answer in answers.items():
            yield from _differing(trial, expected[version], answer, "in the JSON of the answer, ")


def _taken_in_part(trial: Trial) -> Iterator[Outcome]:
    """What a server makes of the rest of a request that has fields it does not know: by default they are dropped, with a warning."""
    for form, data in trial.requests():
        try:
            trial.theirs.create(data, trial.kind, form, unknown="ignore")
        except DroppedError:
            continue
        except RefusedError as error:
            text = f"without the fields that the server does not know, the request is refused: {error}"
            yield Outcome(Fate.REFUSED, text, trial.value)


def _read(trial: Trial) -> Iterator[Outcome]:
    """A client of the other side reads it: what it makes of it, and whether it finds it valid."""
    for version in trial.theirs.versions(trial.kind):
        if version not in trial.answers:
            continue
        answer = trial.answers[version]
        try:
            trial.theirs.check(answer, trial.kind)
        except RefusedError as error:
            yield Outcome(Fate.REFUSED, f"{CHECKED}: {error}", trial.value)
        try:
            seen = json.dumps(trial.theirs.tree(trial.theirs.read(answer))).encode()
        except RefusedError:
            continue
        yield from _differing(trial, answer, seen, "as the client reads it, ")


def _copied(trial: Trial) -> Iterator[Outcome]:
    """A stored object is judged as a whole: restored from a backup, written under another name, after a change."""
    for form in trial.mine.forms:
        data = trial.mine.store(trial.held, trial.kind, trial.version, form)
        try:
            held = trial.theirs.load(data, trial.kind, form)
            version = next((each for each in trial.theirs.versions(trial.kind) if each in trial.answers), "")
            copy = trial.theirs.answer(held, version) if version else b""
        except RefusedError:
            continue
        if not copy:
            continue
        try:
            trial.theirs.create(copy, trial.kind)
        except RefusedError as error:
            yield Outcome(Fate.REFUSED, f"a copy of the stored object is refused: {error}", trial.value)


def _stored_bare(trial: Trial) -> Iterator[Outcome]:
    """It was stored before its side had defaults, or by hand: both sides read it as it stands."""
    data = json.dumps(trial.value).encode()
    try:
        expected = trial.answered(trial.mine.load(data, trial.kind, JSON))
    except RefusedError:
        return
    try:
        held = trial.theirs.load(data, trial.kind, JSON)
        both = [each for each in expected if each in trial.theirs.versions(trial.kind)]
        answers = {version: trial.theirs.answer(held, version) for version in both}
    except RefusedError as error:
        yield Outcome(Fate.REFUSED, f"stored without what defaults add, it is refused: {error}", trial.value)
        return
    yield from _told(trial.compared(expected, answers), "stored without what defaults add")


def _written_again(trial: Trial) -> Iterator[Outcome]:
    """What stands in the store after the other side has written it again as it is."""
    data = trial.mine.store(trial.held, trial.kind, trial.version, JSON)
    try:
        held = trial.theirs.load(data, trial.kind, JSON)
        again = trial.theirs.store(held, trial.kind, trial.version, JSON)
    except RefusedError:
        return
    if json.loads(data).get("apiVersion") == json.loads(again).get("apiVersion"):
        yield from _differing(trial, data, again, "in the store, ")


def _there_and_back(trial: Trial) -> Iterator[Outcome]:
    """It was there before the upgrade: the new release writes it again, and the one before takes over again."""
    for form in trial.mine.forms:
        data = trial.mine.store(trial.held, trial.kind, trial.version, form)
        try:
            upgraded = trial.theirs.load(data, trial.kind, form)
            again = trial.theirs.store(upgraded, trial.kind, trial.version, form)
        except RefusedError:
            continue
        try:
            answers = trial.answered(trial.mine.load(again, trial.kind, form))
        except RefusedError as error:
            text = f"after an upgrade and a rollback, the stored object is refused: {error}"
            yield Outcome(Fate.REFUSED, text, trial.value)
            continue
        yield from _told(trial.compared(trial.answers, answers), "after an upgrade and a rollback")


def _told(outcome: Outcome, when: str) -> Iterator[Outcome]:
    """An outcome that shows something, with the words of when it does."""
    if outcome.shows:
        yield replace(outcome, text=f"{when}, {outcome.text}")


def _differing(trial: Trial, before: bytes, after: bytes, where: str) -> Iterator[Outcome]:
    """Each place that differs, as plain JSON."""
    if before == after:
        return
    mine: JsonValue = json.loads(before)
    theirs: JsonValue = json.loads(after)
    found = (each for each in differences(mine, theirs) if each.path not in MADE_UP)
    for each in islice(found, _MOST):
        fate = Fate.LOST if isinstance(each.after, Missing) else Fate.CHANGED
        yield Outcome(fate, f"{where}{each}", trial.value, theirs)
