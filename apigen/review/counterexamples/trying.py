"""Takes objects through both sides, as clients, servers and storage of two releases meet."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from apigen.review.counterexamples.differences import Difference, differences
from apigen.review.counterexamples.outcome import UNCHANGED, Fate, Outcome
from apigen.review.counterexamples.running import JSON, PROTOBUF, DroppedError, Kind, RefusedError, Server
from apigen.review.verdict.example import JsonValue, Missing, Side
from apigen.review.verdict.impact import Direction

MADE_UP = frozenset({"metadata.generation"})
"""What servers make up themselves."""

Sides = tuple[Server, Server]
"""The old one and the new one."""


class Trial:
    """An object that one side accepts, on its way to the other. Raises RefusedError where the side does not accept it.

    One of the old side is sent by old clients to the new server, read by new clients from the old server, and stored
    by that before the new one takes over; one of the new side likewise, in the other direction each. `kind` is the kind as
    its own side has it: that is what its clients know.
    """

    def __init__(self, sides: Sides, kind: Kind, value: JsonValue, written_by: Side) -> None:
        self.mine, self.theirs = sides if written_by is Side.OLD else (sides[1], sides[0])
        self.kind, self.value = kind, value
        self.data = json.dumps(value).encode()
        self.version = str(value["apiVersion"]) if isinstance(value, dict) else ""
        if self.version not in self.mine.versions(kind):
            raise RefusedError(f"{self.version} is not served")
        self.held = self._created()
        self.answers = {self.version: self.mine.answer(self.held, self.version), **self._other_answers()}
        self._written_by = written_by
        self._taken: object | RefusedError | None = None

    def _created(self) -> object:
        """What its own server holds of it: all that it says, be it that defaults add what gates drop again."""
        try:
            return self.mine.create(self.data, self.kind)
        except DroppedError as error:
            if self.mine.drops_of_request(self.data, self.kind):
                raise
            return error.held

    @property
    def sender(self) -> Direction:
        """The direction in which its client sends it to the other side."""
        return Direction.OLD_CLIENT if self._written_by is Side.OLD else Direction.NEW_CLIENT

    @property
    def reader(self) -> Direction:
        """The direction in which a client of the other side reads it."""
        return Direction.NEW_CLIENT if self._written_by is Side.OLD else Direction.OLD_CLIENT

    @property
    def keeper(self) -> Direction:
        """The direction in which the other side takes over what is stored."""
        return Direction.STORED if self._written_by is Side.OLD else Direction.ROLLBACK

    def _other_answers(self) -> dict[str, bytes]:
        """What its own server answers in the other versions, less those that cannot hold it."""
        others = [version for version in self.mine.versions(self.kind) if version != self.version]
        found: dict[str, bytes] = {}
        for version in others:
            with suppress(RefusedError):
                found[version] = self.mine.answer(self.held, version)
        if len(found) < len(others):
            self.mine.store(self.held, self.kind, self.version, JSON)  # what cannot be stored is not accepted
        return found

    def outcome(self, direction: Direction) -> Outcome:
        """What becomes of it in a direction."""
        if direction is self.sender:
            return self._sent()
        if direction is self.reader:
            return self._asked_for()
        if direction is self.keeper:
            return self._stored()
        return Outcome(Fate.NOT_VALID, "it is of the other side", self.value)

    def updated(self, to: Trial) -> Outcome:
        """A client of its side writes it, then another state of it, to the other side's server."""
        try:
            expected = self.answered(self._updated(to))
        except RefusedError as error:
            return Outcome(Fate.NOT_VALID, str(error), to.value)
        try:
            first = self._created_there()
        except DroppedError as error:
            first = error.held
        except RefusedError:
            return Outcome(Fate.NOT_VALID, "the first state is refused already", self.value)
        return to._taken_there(lambda: self.theirs.update(first, to.data, self.kind), expected, "an update")

    def _updated(self, to: Trial) -> object:
        """What its own server holds after an update: all that it says, as `_created` has it. Some gates drop in updates alone."""
        try:
            return self.mine.update(self.held, to.data, self.kind)
        except DroppedError as error:
            if self.mine.drops_of_update(self.held, to.data, self.kind):
                raise
            return error.held

    def _sent(self) -> Outcome:
        """A client sends it to the other side's server: the answer is what its own server would have said."""
        if self.version not in self.theirs.versions(self.kind):
            return Outcome(Fate.REFUSED, f"the server does not serve {self.version} {self.kind.name}", self.value)
        for form, data in self.requests():
            is_first = data is self.data
            try:
                own = self.held if is_first else self.mine.create(data, self.kind, form)
                expected = self.answers if is_first else self.answered(own)
            except RefusedError:
                continue
            take = self._created_there if is_first else partial(self.theirs.create, data, self.kind, form)
            outcome = self._taken_there(take, expected, "the request")
            if outcome.shows:
                return outcome
        return UNCHANGED

    def _taken_there(self, take: Callable[[], object], expected: dict[str, bytes], what: str) -> Outcome:
        """What becomes of a request that the other side's server takes; `what` is its name.

        Nothing is lost where it drops what only its own defaults had added.
        """
        dropped = ""
        try:
            try:
                held = take()
            except DroppedError as error:
                held, dropped = error.held, str(error)
            answers = {version: self.theirs.answer(held, version) for version in expected}
        except RefusedError as error:
            return Outcome(Fate.REFUSED, f"{what} is refused: {error}", self.value)
        outcome = self.compared(expected, answers)
        return (
            Outcome(Fate.REFUSED, f"{what} is refused: {dropped}", self.value) if outcome.shows and dropped else outcome
        )

    def requests(self) -> Iterator[tuple[str, bytes]]:
        """What a client sends: the object as it is, as one with types writes it where that differs, and in protobuf."""
        yield JSON, self.data
        typed = self.mine.sent(self.data, JSON)
        if _canonical(json.loads(typed)) != _canonical(self.value):
            yield JSON, typed
        if self.mine.has_protobuf and self.theirs.has_protobuf:
            yield PROTOBUF, self.mine.sent(self.data, PROTOBUF)

    def answered(self, held: object) -> dict[str, bytes]:
        return {version: self.mine.answer(held, version) for version in self.answers}

    def _created_there(self) -> object:
        """What the other side's server holds after the object was sent to it as it is; kept, as nobody changes it."""
        if self._taken is None:
            try:
                self._taken = self.theirs.create(self.data, self.kind)
            except RefusedError as error:
                self._taken = error
        if isinstance(self._taken, RefusedError):
            raise self._taken
        return self._taken

    def _asked_for(self) -> Outcome:
        """A client of the other side reads it from this side's server."""
        for version in self.theirs.versions(self.kind):
            if version not in self.mine.versions(self.kind):
                return Outcome(Fate.REFUSED, f"the server does not serve {version} {self.kind.name}", self.value)
            if version not in self.answers:
                continue
            try:
                self.theirs.read(self.answers[version])
            except RefusedError as error:
                return Outcome(Fate.REFUSED, f"the answer cannot be read: {error}", self.value)
        return UNCHANGED

    def _stored(self) -> Outcome:
        """It was stored by its own server, and the other side's server takes over, from which more is not asked than from its own."""
        for form in self.mine.forms:
            data = self.mine.store(self.held, self.kind, self.version, form)
            outcome = self._taken_over(data, form, self.answers)
            if not outcome.shows:
                continue
            try:
                expected = self.answered(self.mine.load(data, self.kind, form))
            except RefusedError:
                continue
            outcome = outcome if expected == self.answers else self._taken_over(data, form, expected)
            if outcome.shows:
                return outcome
        return UNCHANGED

    def _taken_over(self, data: bytes, form: str, expected: dict[str, bytes]) -> Outcome:
        if not self.theirs.versions(self.kind):
            return Outcome(Fate.REFUSED, f"the server serves no {self.kind.name}", self.value)
        try:
            held = self.theirs.load(data, self.kind, form)
            again = self.theirs.store(held, self.kind, self.version, form)
            if again != data:
                held = self.theirs.load(again, self.kind, form)
            both = [each for each in expected if each in self.theirs.versions(self.kind)]
            answers = {version: self.theirs.answer(held, version) for version in both}
        except RefusedError as error:
            return Outcome(Fate.REFUSED, f"the stored object is refused: {error}", self.value)
        return self.compared(expected, answers)

    def compared(self, expected: dict[str, bytes], answers: dict[str, bytes]) -> Outcome:
        """How what comes out differs for a client of this side from what its own server says."""
        for version, data in answers.items():
            if data == expected[version]:
                continue
            mine = self.mine.read(expected[version])
            try:
                theirs = self.mine.read(data)
            except RefusedError as error:
                return Outcome(Fate.REFUSED, f"the answer cannot be read: {error}", self.value)
            if not self.mine.scheme.equal(mine, theirs):
                after = self.mine.tree(theirs)
                found = next(_meant(self.mine.tree(mine), after), None)
                if found is not None:
                    fate = Fate.LOST if isinstance(found.after, Missing) else Fate.CHANGED
                    return Outcome(fate, str(found), self.value, after)
        return UNCHANGED


def _meant(before: JsonValue, after: JsonValue) -> Iterator[Difference]:
    return (each for each in differences(before, after) if each.path not in MADE_UP)


def _canonical(value: JsonValue) -> str:
    return json.dumps(value, sort_keys=True)
