"""Later outcomes of objects: for clients that validate responses, in copies of stored objects, after a rollback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice

from apigen.dataclass import replace
from apigen.language.json_values import JsonValue
from apigen.review.counterexamples.differences import unexpected
from apigen.review.counterexamples.outcome import Outcome, OutcomeKind, rejected
from apigen.review.counterexamples.running import JSON, DroppedError, RejectedError
from apigen.review.counterexamples.trying import Trial
from apigen.review.results import Direction, Missing

CHECKED = "a client that validates responses rejects it"
"""The text of an outcome that only a client observes: servers do not validate their responses."""

_MOST = 20
"""Maximum number of different places that are reported for an object."""


def afterwards(trial: Trial, direction: Direction) -> Iterator[Outcome]:
    """Yield later outcomes of an object in a direction in which the first exchange showed nothing; the worst first."""
    if direction is trial.sender:
        yield from _json_differences(trial)
        yield from _without_unknown_fields(trial)
    elif direction is trial.reader:
        yield from _read(trial) if JSON in trial.forms else ()
    elif direction is trial.keeper:
        yield from _copied(trial)
        yield from _stored_without_defaults(trial)
        yield from _written_again(trial)
    elif direction is Direction.ROLLBACK:
        yield from _rolled_back(trial)


def _json_differences(trial: Trial) -> Iterator[Outcome]:
    """Yield differences of the JSON in responses, for clients that distinguish absent and zero values."""
    for form, data in trial.requests():
        try:
            expected = trial.answers_of(trial.own_server.create(data, trial.kind, form))
            stored = trial.other_server.create(data, trial.kind, form)
            answers = {version: trial.other_server.answer(stored, version) for version in expected}
        except RejectedError:
            continue
        for version, answer in answers.items():
            yield from _differing(trial, expected[version], answer, "in the JSON of the response, ")


def _without_unknown_fields(trial: Trial) -> Iterator[Outcome]:
    """Yield whether a request is rejected after its unknown fields are dropped, as servers do by default with a
    warning.
    """
    for form, data in trial.requests():
        try:
            trial.other_server.create(data, trial.kind, form, unknown="ignore")
        except DroppedError:
            continue
        except RejectedError as error:
            text = "without the fields that the server does not know, the request is rejected"
            yield rejected(text, error, trial.value)


def _read(trial: Trial) -> Iterator[Outcome]:
    """Yield how a client of the other side reads responses: what changes, and whether the client rejects them as
    invalid.
    """
    for version in trial.other_server.versions(trial.kind):
        if version not in trial.answers:
            continue
        answer = trial.answers[version]
        try:
            trial.other_server.check(answer, trial.kind)
        except RejectedError as error:
            yield rejected(CHECKED, error, trial.value)
        try:
            seen = json.dumps(trial.other_server.tree(trial.other_server.read(answer))).encode()
        except RejectedError:
            continue
        yield from _differing(trial, answer, seen, "as the client reads it, ")


def _copied(trial: Trial) -> Iterator[Outcome]:
    """Yield whether the other side rejects a copy of a stored object, such as one restored from a backup: a create
    validates all of it.
    """
    for form in trial.forms:
        data = trial.own_server.store(trial.stored, trial.kind, trial.version, form)
        try:
            stored = trial.other_server.load(data, trial.kind, form)
            version = next((each for each in trial.other_server.versions(trial.kind) if each in trial.answers), "")
            copy = trial.other_server.answer(stored, version) if version else b""
        except RejectedError:
            continue
        if not copy:
            continue
        try:
            trial.other_server.create(copy, trial.kind)
        except RejectedError as error:
            yield rejected("a copy of the stored object is rejected", error, trial.value)


def _stored_without_defaults(trial: Trial) -> Iterator[Outcome]:
    """Yield how the other side reads an object that was stored without defaults: before its side had any, or written
    by hand.
    """
    data = json.dumps(trial.value).encode()
    try:
        expected = trial.answers_of(trial.own_server.load(data, trial.kind, JSON))
    except RejectedError:
        return
    try:
        stored = trial.other_server.load(data, trial.kind, JSON)
        versions = [each for each in expected if each in trial.other_server.versions(trial.kind)]
        answers = {version: trial.other_server.answer(stored, version) for version in versions}
    except RejectedError as error:
        yield rejected("stored without its defaults, it is rejected", error, trial.value)
        return
    yield from _prefixed(trial.compared(expected, answers), "stored without its defaults")


def _written_again(trial: Trial) -> Iterator[Outcome]:
    """Yield the differences in the store after the other side reads a stored object and writes it back unchanged."""
    data = trial.own_server.store(trial.stored, trial.kind, trial.version, JSON)
    try:
        stored = trial.other_server.load(data, trial.kind, JSON)
        stored_again = trial.other_server.store(stored, trial.kind, trial.version, JSON)
    except RejectedError:
        return
    if json.loads(data).get("apiVersion") == json.loads(stored_again).get("apiVersion"):
        yield from _differing(trial, data, stored_again, "in the store, ")


def _rolled_back(trial: Trial) -> Iterator[Outcome]:
    """Yield the outcome of a rollback: the newer server reads and writes a stored object, and the older one reads it
    again.
    """
    for form in trial.forms:
        data = trial.own_server.store(trial.stored, trial.kind, trial.version, form)
        try:
            upgraded = trial.other_server.load(data, trial.kind, form)
            downgraded = trial.other_server.store(upgraded, trial.kind, trial.version, form)
        except RejectedError:
            continue
        try:
            answers = trial.answers_of(trial.own_server.load(downgraded, trial.kind, form))
        except RejectedError as error:
            yield rejected("after an upgrade and a rollback, the stored object is rejected", error, trial.value)
            continue
        yield from _prefixed(trial.compared(trial.answers, answers), "after an upgrade and a rollback")


def _prefixed(outcome: Outcome, when: str) -> Iterator[Outcome]:
    """Yield the outcome, with `when` as prefix of its text, if it shows a finding."""
    if outcome.shows:
        yield replace(outcome, text=f"{when}, {outcome.text}")


def _differing(trial: Trial, before: bytes, after: bytes, where: str) -> Iterator[Outcome]:
    """Yield an outcome for each place in which two JSON documents differ."""
    if before == after:
        return
    new_value: JsonValue = json.loads(after)
    for each in islice(unexpected(json.loads(before), new_value), _MOST):
        outcome_kind = OutcomeKind.LOST if isinstance(each.after, Missing) else OutcomeKind.CHANGED
        yield Outcome(outcome_kind, f"{where}{each}", trial.value, new_value)
