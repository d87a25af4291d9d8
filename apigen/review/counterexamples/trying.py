"""Exchanges objects between clients, servers and storage of both sides, at once and later: for clients that validate
responses, in copies of stored objects, after a rollback.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice

from apigen.dataclass import replace
from apigen.language.json_values import JsonValue, canonical_json
from apigen.review.counterexamples.crd_server import CrdServer
from apigen.review.counterexamples.outcome import (
    KEEPERS,
    NO_KIND,
    READERS,
    SENDERS,
    UNCHANGED,
    Outcome,
    OutcomeKind,
    Rejection,
    differing,
    not_served,
    rejected,
    unexpected,
)
from apigen.review.counterexamples.running import JSON, PROTOBUF, DroppedError, Kind, RejectedError, Server
from apigen.review.results import Direction, Side

AnyServer = Server | CrdServer
"""A server of generated code, or one of CRDs."""

Sides = tuple[AnyServer, AnyServer]
"""The base and the revision."""


class Trial:
    """An object that one side accepts and the other receives. Raises RejectedError if its own side does not accept it.

    An object of the base is sent by older clients to the newer server, read by newer clients from the older server,
    and stored by the older server before the newer one reads it; an object of the revision likewise, in the opposite
    directions. `kind` is the kind as its own side has it, because its clients use that. `of_bytes`: it is only encoded as
    protobuf, if both sides support that. `sender`, `reader` and `keeper` are the directions in which a client of its
    side sends it, a client of the other side reads it, and the other side reads it from storage.
    """

    def __init__(self, sides: Sides, kind: Kind, value: JsonValue, written_by: Side, *, of_bytes: bool = False) -> None:
        self.own_server, self.other_server = sides if written_by is Side.OLD else (sides[1], sides[0])
        self.kind, self.value = kind, value
        self.forms = self.own_server.forms
        if of_bytes and self.own_server.has_protobuf and self.other_server.has_protobuf:
            self.forms = (PROTOBUF,)
        self.data = json.dumps(value).encode()
        self.version = str(value["apiVersion"]) if isinstance(value, dict) else ""
        if self.version not in self.own_server.versions(kind):
            raise RejectedError(Rejection(NO_KIND, "", f"{self.version} is not served"))
        own = self.own_server
        self.stored = self._accepted(lambda: own.create(self.data, kind), lambda: own.drops_of_request(self.data, kind))
        self.answers = {self.version: self.own_server.answer(self.stored, self.version), **self._other_answers()}
        self.sender, self.reader, self.keeper = SENDERS[written_by], READERS[written_by], KEEPERS[written_by]

    def _accepted(self, take: Callable[[], object], drops: Callable[[], bool]) -> object:
        """Return the object as its own server stores it after a request. Only fields that defaults set may be dropped;
        some gates only drop fields in updates.
        """
        try:
            return take()
        except DroppedError as error:
            if drops():
                raise
            return error.stored

    def _other_answers(self) -> dict[str, bytes]:
        """Return the responses of its own server in the other versions, except for versions that cannot represent it."""
        others = [version for version in self.own_server.versions(self.kind) if version != self.version]
        found: dict[str, bytes] = {}
        for version in others:
            with suppress(RejectedError):
                found[version] = self.own_server.answer(self.stored, version)
        if len(found) < len(others):
            # an object that cannot be stored is not accepted
            self.own_server.store(self.stored, self.kind, self.version, JSON)
        return found

    def outcome(self, direction: Direction) -> Outcome:
        """Return the outcome of the object in a direction."""
        if direction is self.sender:
            return self._sent()
        if direction is self.reader:
            return self._read_by_other() if JSON in self.forms else UNCHANGED  # responses are read as JSON
        if direction is self.keeper:
            return self._stored()
        return Outcome(OutcomeKind.NOT_VALID, "it belongs to the other side", self.value)

    def updated(self, to: Trial) -> Outcome:
        """Return the outcome of an update: a client of its side sends it, then another state, to the server of the
        other side.
        """
        own = self.own_server
        try:
            updated = self._accepted(
                lambda: own.update(self.stored, to.data, self.kind),
                lambda: own.drops_of_update(self.stored, to.data, self.kind),
            )
            expected = self.answers_of(updated)
        except RejectedError as error:
            return Outcome(OutcomeKind.NOT_VALID, str(error), to.value)
        try:
            first = self.other_server.create(self.data, self.kind)
        except DroppedError as error:
            first = error.stored
        except RejectedError:
            return Outcome(OutcomeKind.NOT_VALID, "the initial state is rejected", self.value)
        outcome = to._outcome_of_request(
            lambda: self.other_server.update(first, to.data, self.kind), expected, "an update"
        )
        is_difference = outcome.shows and outcome.outcome_kind is not OutcomeKind.REJECTED
        return replace(outcome, text=f"in an update, {outcome.text}") if is_difference else outcome

    def _sent(self) -> Outcome:
        """Return the outcome of a create request to the server of the other side, compared with the response of its
        own server.
        """
        if self.version not in self.other_server.versions(self.kind):
            return not_served(f"{self.version} {self.kind.name}", self.value)
        for form, data in self.requests():
            is_first = data is self.data
            try:
                own = self.stored if is_first else self.own_server.create(data, self.kind, form)
                expected = self.answers if is_first else self.answers_of(own)
            except RejectedError:
                continue
            take = partial(self.other_server.create, data, self.kind, form)
            outcome = self._outcome_of_request(take, expected, "the request")
            if outcome.shows:
                return outcome
        return UNCHANGED

    def _outcome_of_request(self, take: Callable[[], object], expected: dict[str, bytes], subject: str) -> Outcome:
        """Return the outcome of a request to the server of the other side; `subject` names the request in messages.

        Dropping fields that only the defaults of the other side had added is not a loss.
        """
        dropped: tuple[Rejection, ...] = ()
        try:
            try:
                stored = take()
            except DroppedError as error:
                stored, dropped = error.stored, error.errors
            answers = {version: self.other_server.answer(stored, version) for version in expected}
        except RejectedError as error:
            return rejected(f"{subject} is rejected", error.errors, self.value)
        outcome = self.compared(expected, answers)
        return rejected(f"{subject} is rejected", dropped, self.value) if outcome.shows and dropped else outcome

    def requests(self) -> Iterator[tuple[str, bytes]]:
        """Yield the requests of clients: the object unchanged, as a typed client encodes it if that differs, and in
        protobuf.
        """
        if JSON in self.forms:
            yield JSON, self.data
            typed = self.own_server.sent(self.data, JSON)
            if canonical_json(json.loads(typed)) != canonical_json(self.value):
                yield JSON, typed
        if self.own_server.has_protobuf and self.other_server.has_protobuf:
            yield PROTOBUF, self.own_server.sent(self.data, PROTOBUF)

    def answers_of(self, stored: object) -> dict[str, bytes]:
        return {version: self.own_server.answer(stored, version) for version in self.answers}

    def _read_by_other(self) -> Outcome:
        """Return the outcome of a read by a client of the other side from the server of this side."""
        for version in self.other_server.versions(self.kind):
            if version not in self.own_server.versions(self.kind):
                return not_served(f"{version} {self.kind.name}", self.value)
            if version not in self.answers:
                continue
            try:
                self.other_server.read(self.answers[version])
            except RejectedError as error:
                return rejected("the response cannot be read", error.errors, self.value)
        return UNCHANGED

    def _stored(self) -> Outcome:
        """Return the outcome of an object stored by its own server and read by the other one, compared with what its
        own server reads.
        """
        for form in self.forms:
            data = self.own_server.store(self.stored, self.kind, self.version, form)
            outcome = self._loaded_by_other(data, form, self.answers)
            if not outcome.shows:
                continue
            try:
                expected = self.answers_of(self.own_server.load(data, self.kind, form))
            except RejectedError:
                continue
            outcome = outcome if expected == self.answers else self._loaded_by_other(data, form, expected)
            if outcome.shows:
                return outcome
        return UNCHANGED

    def _loaded_by_other(self, data: bytes, form: str, expected: dict[str, bytes]) -> Outcome:
        if not self.other_server.versions(self.kind):
            return not_served(self.kind.name, self.value)
        try:
            stored = self.other_server.load(data, self.kind, form)
            stored_again = self.other_server.store(stored, self.kind, self.version, form)
            if stored_again != data:
                stored = self.other_server.load(stored_again, self.kind, form)
            versions = [each for each in expected if each in self.other_server.versions(self.kind)]
            answers = {version: self.other_server.answer(stored, version) for version in versions}
        except RejectedError as error:
            return rejected("the stored object is rejected", error.errors, self.value)
        return self.compared(expected, answers)

    def compared(self, expected: dict[str, bytes], answers: dict[str, bytes]) -> Outcome:
        """Return the difference, for a client of this side, of the responses from those of its own server."""
        for version, data in answers.items():
            if data == expected[version]:
                continue
            own_object = self.own_server.read(expected[version])
            try:
                other_object = self.own_server.read(data)
            except RejectedError as error:
                return rejected("the response cannot be read", error.errors, self.value)
            if not self.own_server.equal(own_object, other_object):
                after = self.own_server.tree(other_object)
                difference = next(unexpected(self.own_server.tree(own_object), after), None)
                if difference is not None:
                    return differing(difference, "", self.value, after)
        return UNCHANGED


_CHECKED = "a client that validates responses rejects it"
"""What only a client observes: servers do not validate their responses."""

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
            yield rejected(text, error.errors, trial.value)


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
            yield rejected(_CHECKED, error.errors, trial.value, by_client=True)
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
            yield rejected("a copy of the stored object is rejected", error.errors, trial.value)


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
        yield rejected("stored without its defaults, it is rejected", error.errors, trial.value)
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
            yield rejected("after an upgrade and a rollback, the stored object is rejected", error.errors, trial.value)
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
        yield differing(each, where, trial.value, new_value)
