"""Has tasks run by a process of its own, for so long and no longer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

import apigen
from apigen.dataclass import dataclass, field, replace
from apigen.ir.api_names import group_problem, version_problem
from apigen.review.counterexamples.outcome import Fate, Outcome
from apigen.review.surface import Version
from apigen.review.verdict.example import JsonValue, Side
from apigen.review.verdict.impact import Direction


class Features(Protocol):
    """Feature gates of a release."""

    def set(self, name: str, value: bool) -> object:
        """Switch a gate. Raises the errors of the package where that is not possible."""


class Strategy(Protocol):
    """What a server does to objects of a kind before it stores them."""

    def from_request(self, obj: object, old: object | None = None) -> tuple[object, Sequence[object]]:
        """The hub object that a request means, and what is wrong with the request."""
        ...

    def prepare_for_create(self, obj: object, *, features: Features) -> Sequence[object]:
        """Make a new object ready; returns what was dropped."""
        ...

    def prepare_for_update(self, obj: object, old: object, *, features: Features) -> Sequence[object]:
        """Make a new state ready; returns what was dropped."""
        ...

    def validate(self, obj: object, *, features: Features) -> Sequence[object]:
        """What is wrong with a new object."""
        ...

    def validate_update(self, obj: object, old: object, *, features: Features) -> Sequence[object]:
        """What is wrong with a change."""
        ...


class Scheme(Protocol):
    """The functions of a generated package's scheme."""

    def decode(
        self,
        data: bytes,
        media_type: str,
        *,
        default: bool = True,
        unknown: str = "ignore",
        features: Features | None = None,
    ) -> object:
        """The object that bytes hold."""

    def encode(self, obj: object, media_type: str) -> bytes:
        """The bytes of an object."""
        ...

    def convert(self, obj: object, to: str) -> object:
        """An object in another version, or as `hub`."""
        ...

    def copy(self, obj: object) -> object:
        """A deep copy."""
        ...

    def equal(self, a: object, b: object) -> bool:
        """Whether two objects mean the same."""
        ...

    def kinds(self) -> tuple[str, ...]:
        """The kinds."""
        ...

    def versions(self, kind: str) -> tuple[str, ...]:
        """The versions of a kind."""
        ...

    def served_versions(self, kind: str, release: str | None = None) -> tuple[str, ...]:
        """Those that are served in a release."""
        ...

    def storage_version(self, kind: str, *, features: Features | None = None) -> str | None:
        """The version in which a kind is stored."""
        ...

    def features(self, release: str | None = None) -> Features:
        """The gates of a release."""
        ...

    def strategy(self, kind: str, subresource: str = "") -> Strategy:
        """The strategy of a kind."""
        ...


def load_scheme(package: str) -> tuple[Scheme, type[Exception]]:
    """The scheme of an importable package, and the base of all errors that its code raises on bad input."""
    scheme = cast(Scheme, import_module(f"{package}.scheme"))
    errors = import_module(f"{package}.runtime.errors")
    return scheme, cast(type[Exception], errors.ApiError)


JSON = "application/json"
PROTOBUF = "application/vnd.kubernetes.protobuf"
HUB = "hub"

_INTERNAL = "InternalError"
"""The type of the errors of a validation that tell of a failure of its own."""


class RefusedError(Exception):
    """A server, or a client, does not take an object; the text says why."""


class DroppedError(RefusedError):
    """A server takes an object, but not all that is in it, or that its defaults add: `held` is what it finds in its store then."""

    def __init__(self, text: str, held: object) -> None:
        super().__init__(text)
        self.held = held


class UnjudgedError(Exception):
    """Validation cannot judge an object, which says nothing about the object: a rule in CEL without its library."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of a group by its names on the wire. `has_status`: a status is written by way of a subresource."""

    group: str
    name: str
    has_status: bool = False


@dataclass(frozen=True, slots=True)
class Server:
    """The generated code of a release. All methods raise RefusedError, and UnjudgedError where validation fails to tell.

    Objects of the hub are what a server holds in memory; stored ones and those of clients are bytes. `ratchets`: what a
    stored object has already is not judged again.
    """

    scheme: Scheme
    errors: type[Exception]
    features: Features
    release: str | None = None
    has_protobuf: bool = True
    ratchets: bool = True
    strategies: dict[tuple[str, str], Strategy] = field(default_factory=dict, compare=False)
    names: dict[Kind, str] = field(default_factory=dict, compare=False)
    served: dict[Kind, tuple[str, ...]] = field(default_factory=dict, compare=False)
    stored: dict[Kind, str | None] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, package: str, release: str | None, *, has_protobuf: bool = True, ratchets: bool = True) -> Server:
        """A package that can be imported; `release` is the one whose gates count, None: the newest that it knows."""
        scheme, errors = load_scheme(package)
        return cls(scheme, errors, scheme.features(release), release, has_protobuf, ratchets)

    def with_gates(self, names: Iterable[str], is_on: bool) -> Server:
        """The server with gates switched; those that it does not have, or that are locked, stay as they are."""
        features = self.scheme.features(self.release)
        for name in names:
            with suppress(self.errors):
                features.set(name, is_on)
        return replace(self, features=features, stored={})

    @property
    def forms(self) -> tuple[str, ...]:
        """The media types in which objects are stored."""
        return (JSON, PROTOBUF) if self.has_protobuf else (JSON,)

    # --- the server -----------------------------------------------------------------------------------------------

    def create(self, data: bytes, kind: Kind, form: str = JSON, *, unknown: str = "error") -> object:
        """What a server holds after a client has sent a new object, then its status. Fields that it does not know are rejected.

        With `unknown="ignore"` it drops them, as API servers do with a warning where clients do not ask for more.
        """
        obj = self._decoded(data, form, unknown=unknown)
        strategy = self._strategy(kind)
        try:
            asked, wrong = strategy.from_request(obj)
            held = self.scheme.copy(asked)
            dropped = [*strategy.prepare_for_create(held, features=self.features)]
            wrong = [*wrong, *strategy.validate(held, features=self.features)]
            if kind.has_status and not wrong:
                status = self._strategy(kind, "status")
                old, held = self._read_back(held, kind), asked
                dropped += status.prepare_for_update(held, old, features=self.features)
                wrong += status.validate_update(held, old, features=self.features)
        except self.errors as error:
            raise RefusedError(str(error)) from None
        return self._accepted(held, dropped, wrong, kind)

    def drops_of_request(self, data: bytes, kind: Kind) -> bool:
        """Whether a server drops something that a client asks for in a new object; what defaults add was not asked for."""
        obj = self._decoded(data, JSON, default=False)
        strategy = self._strategy(kind)
        try:
            asked, _ = strategy.from_request(obj)
            held = self.scheme.copy(asked)
            dropped = [*strategy.prepare_for_create(held, features=self.features)]
            if kind.has_status:
                status = self._strategy(kind, "status")
                dropped += status.prepare_for_update(asked, held, features=self.features)
        except self.errors as error:
            raise RefusedError(str(error)) from None
        return bool(dropped)

    def update(self, held: object, data: bytes, kind: Kind, form: str = JSON) -> object:
        """What a server holds after a client has sent another state of what it holds."""
        obj = self._decoded(data, form, unknown="error")
        strategy = self._strategy(kind)
        try:
            asked, wrong = strategy.from_request(obj, held)
            new = self.scheme.copy(asked)
            dropped = strategy.prepare_for_update(new, held, features=self.features)
            wrong = [*wrong, *strategy.validate_update(new, held, features=self.features)]
        except self.errors as error:
            raise RefusedError(str(error)) from None
        return self._accepted(new, dropped, wrong, kind)

    def drops_of_update(self, held: object, data: bytes, kind: Kind) -> bool:
        """Whether a server drops something that a client asks for in another state of what it holds, as `drops_of_request`."""
        obj = self._decoded(data, JSON, default=False)
        strategy = self._strategy(kind)
        try:
            asked, _ = strategy.from_request(obj, held)
            return bool(strategy.prepare_for_update(self.scheme.copy(asked), held, features=self.features))
        except self.errors as error:
            raise RefusedError(str(error)) from None

    def store(self, held: object, kind: Kind, version: str, form: str) -> bytes:
        """The bytes in which a server stores what it holds; `version` where the kind has none to be stored in."""
        return self._written(held, self._storage_version(kind) or version, form)

    def load(self, data: bytes, kind: Kind, form: str) -> object:
        """What a server holds after it has read what is stored, and a client has written it back as it is."""
        obj = self._decoded(data, form)
        strategy = self._strategy(kind)
        try:
            old = self.scheme.convert(obj, HUB)
            new = self.scheme.copy(old)
            dropped = strategy.prepare_for_update(new, old, features=self.features)
            wrong = strategy.validate_update(new, old, features=self.features)
            if not self.ratchets:
                wrong = strategy.validate(new, features=self.features)
        except self.errors as error:
            raise RefusedError(str(error)) from None
        return self._accepted(new, dropped, wrong, kind)

    def answer(self, held: object, version: str) -> bytes:
        """What a client gets that asks for an object in a version."""
        return self._written(held, version, JSON)

    def versions(self, kind: Kind) -> tuple[str, ...]:
        """The versions in which a kind is served; none where there is no such kind."""
        if kind not in self.served:
            full = self._full(kind)
            self.served[kind] = self.scheme.served_versions(full, self.release) if full else ()
        return self.served[kind]

    # --- the client -----------------------------------------------------------------------------------------------

    def read(self, data: bytes) -> object:
        """What a client has of an answer: what it does not know it does not see."""
        return self._decoded(data, JSON, default=False)

    def check(self, data: bytes, kind: Kind) -> None:
        """What a client does that validates an answer as its own server would."""
        obj = self._decoded(data, JSON, default=False)
        try:
            wrong = self._strategy(kind).validate(self.scheme.convert(obj, HUB), features=self.features)
        except self.errors as error:
            raise RefusedError(str(error)) from None
        _refuse(wrong)

    def sent(self, data: bytes, form: str) -> bytes:
        """An object as a client with types sends it."""
        return self._encoded(self._decoded(data, JSON, default=False), form)

    def tree(self, obj: object) -> JsonValue:
        """An object that a client has, as plain values."""
        found: JsonValue = json.loads(self._encoded(obj, JSON))
        return found

    # --- steps ----------------------------------------------------------------------------------------------------

    def _decoded(self, data: bytes, form: str, *, default: bool = True, unknown: str = "ignore") -> object:
        try:
            return self.scheme.decode(data, form, default=default, unknown=unknown, features=self.features)
        except self.errors as error:
            raise RefusedError(str(error)) from None

    def _encoded(self, obj: object, form: str) -> bytes:
        try:
            return self.scheme.encode(obj, form)
        except self.errors as error:
            raise RefusedError(str(error)) from None

    def _written(self, held: object, version: str, form: str) -> bytes:
        try:
            obj = self.scheme.convert(held, version)
        except self.errors as error:
            raise RefusedError(str(error)) from None
        return self._encoded(obj, form)

    def _accepted(self, held: object, dropped: object, wrong: object, kind: Kind) -> object:
        _refuse(wrong)
        if dropped:
            raise DroppedError(_sentence(dropped), self._read_back(held, kind))
        return held

    def _read_back(self, held: object, kind: Kind) -> object:
        """What a server finds that asks its store for what it holds: defaults are filled in once more, where it was reset or dropped."""
        version = self._storage_version(kind)
        if version is None:
            return held
        obj = self._decoded(self._written(held, version, JSON), JSON)
        try:
            return self.scheme.convert(obj, HUB)
        except self.errors as error:
            raise RefusedError(str(error)) from None

    def _storage_version(self, kind: Kind) -> str | None:
        if kind not in self.stored:
            self.stored[kind] = self.scheme.storage_version(self._full(kind), features=self.features)
        return self.stored[kind]

    def _full(self, kind: Kind) -> str:
        """The name by which the scheme knows a kind, which has its group where another one has a kind of its name; "" for none."""
        if kind not in self.names:
            known = self.scheme.kinds()
            full = f"{kind.name}.{kind.group}"
            found = full if full in known else kind.name if kind.name in known else ""
            is_it = found and self.scheme.versions(found)[0].rpartition("/")[0] == kind.group
            self.names[kind] = found if is_it else ""
        return self.names[kind]

    def _strategy(self, kind: Kind, subresource: str = "") -> Strategy:
        key = (self._full(kind), subresource)
        if key not in self.strategies:
            try:
                self.strategies[key] = self.scheme.strategy(*key)
            except self.errors as error:
                raise RefusedError(str(error)) from None
        return self.strategies[key]


def _refuse(wrong: object) -> None:
    """Raise RefusedError if anything is wrong, UnjudgedError if validation only fails to tell."""
    found = wrong if isinstance(wrong, list | tuple) else ()
    told = [each for each in found if getattr(each, "type", "") != _INTERNAL]
    if told:
        raise RefusedError(_sentence(told))
    if found:
        raise UnjudgedError(_sentence(found))


def _sentence(notes: object) -> str:
    return "; ".join(map(str, notes)) if isinstance(notes, list | tuple) else str(notes)


@dataclass(frozen=True, slots=True)
class Task:
    """Objects to be tried in some directions. `old` are those that the old side may accept, `new` likewise.

    `old_paths` and `new_paths` say where the element of the finding stands in them; none: what becomes of them concerns it anyway.
    `afterwards` are the directions in which it counts, too, what shows only later; `gates` those that the element depends on,
    `readers` the directions in which it depends on what clients do with what they read. `telling` is the side whose objects the
    finding speaks of; None: those of both. A rejection shows the finding if one of `words` is in it, where there are any, and none of
    `others`.
    """

    number: int
    group: str
    old_has_status: bool
    new_has_status: bool
    directions: tuple[Direction, ...]
    old: tuple[JsonValue, ...]
    new: tuple[JsonValue, ...]
    old_paths: tuple[str, ...] = ()
    new_paths: tuple[str, ...] = ()
    afterwards: tuple[Direction, ...] = ()
    gates: tuple[str, ...] = ()
    readers: tuple[Direction, ...] = ()
    telling: Side | None = None
    words: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def paths(self, side: Side) -> tuple[str, ...]:
        """Where the element stands in the objects of a side."""
        return self.old_paths if side is Side.OLD else self.new_paths

    def kind(self, name: str, side: Side) -> Kind:
        """A kind as a side has it."""
        return Kind(self.group, name, self.old_has_status if side is Side.OLD else self.new_has_status)

    def batches(self) -> Iterator[tuple[tuple[Side, JsonValue], ...]]:
        """All objects, those of the old side first; where the finding speaks of one side, its own before the others."""
        old = tuple((Side.OLD, value) for value in self.old)
        new = tuple((Side.NEW, value) for value in self.new)
        yield from {None: (old + new,), Side.OLD: (old, new), Side.NEW: (new, old)}[self.telling]

    def plain(self) -> dict[str, JsonValue]:
        """As plain values; the objects as they are, which may be large."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def of(cls, said: dict[str, JsonValue]) -> Task:
        """From plain values. Raises ValueError or KeyError for what is none."""
        directions, old, new = said["directions"], said["old"], said["new"]
        if not isinstance(directions, list) or not isinstance(old, list) or not isinstance(new, list):
            raise ValueError("no task")
        number = said["number"]
        return cls(
            number if isinstance(number, int) else 0,
            str(said["group"]),
            bool(said["old_has_status"]),
            bool(said["new_has_status"]),
            tuple(Direction(str(each)) for each in directions),
            tuple(old),
            tuple(new),
            _texts(said["old_paths"]),
            _texts(said["new_paths"]),
            tuple(map(Direction, _texts(said["afterwards"]))),
            _texts(said["gates"]),
            tuple(map(Direction, _texts(said["readers"]))),
            None if said["telling"] is None else Side(str(said["telling"])),
            _texts(said["words"]),
            _texts(said["others"]),
        )


def _texts(said: JsonValue) -> tuple[str, ...]:
    if not isinstance(said, list):
        raise ValueError("no texts")
    return tuple(map(str, said))


@dataclass(frozen=True, slots=True)
class Shown:
    """An object that shows what a direction does. `breaks`: a server rejects it as it is set up by default."""

    direction: Direction
    written_by: Side
    outcome: Outcome
    breaks: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a task: the objects that show something, how many were accepted by their own side, and of how many.

    `failure` is what went wrong with the trial itself.
    """

    number: int
    shown: tuple[Shown, ...]
    accepted: int
    tried: int
    failure: str = ""


_MODULE = "apigen.review.counterexamples.trial_run"


@dataclass(frozen=True, slots=True)
class Built:
    """The packages of both sides below a folder, and the releases whose gates count; `ratchets` as surfaces have it."""

    folder: Path
    packages: tuple[str, str]
    releases: tuple[str | None, str | None]
    has_protobuf: bool
    ratchets: tuple[bool, bool]


def run_tasks(built: Built, tasks: tuple[Task, ...], seconds: float) -> dict[int, Answer]:
    """The answers by number of task; those that took too long are missing, and where the process failed, each says why.

    Modules in the working folder, which may be a stranger's, are not imported.
    """
    request = {
        "folder": str(built.folder),
        "old_package": built.packages[0],
        "new_package": built.packages[1],
        "old_release": built.releases[0],
        "new_release": built.releases[1],
        "old_ratchets": built.ratchets[0],
        "new_ratchets": built.ratchets[1],
        "has_protobuf": built.has_protobuf,
        "tasks": [task.plain() for task in tasks],
    }
    home = str(Path(apigen.__file__).resolve().parent.parent)
    paths = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
    failure = ""
    try:
        found = subprocess.run(
            [sys.executable, "-P", "-m", _MODULE],
            input=json.dumps(request),
            capture_output=True,
            text=True,
            timeout=seconds,
            env={**os.environ, "PYTHONPATH": paths},
            check=False,
        )
        output = found.stdout
        if found.returncode:
            failure = "".join(found.stderr.splitlines()[-1:]) or f"its process ended with {found.returncode}"
    except subprocess.TimeoutExpired as expired:
        raw = expired.stdout or b""
        output = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw
    answers = {answer.number: answer for answer in _answers(output)}
    unanswered = (task.number for task in tasks if failure and task.number not in answers)
    return answers | {number: Answer(number, (), 0, 0, failure) for number in unanswered}


def _answers(output: str) -> Iterator[Answer]:
    """What was printed; a last line that was cut off is none."""
    for line in output.splitlines():
        try:
            said = json.loads(line)
        except ValueError:
            return
        yield Answer(
            said["number"], tuple(map(_shown, said["shown"])), said["accepted"], said["tried"], said["failure"]
        )


def _shown(said: dict[str, JsonValue]) -> Shown:
    outcome = said["outcome"]
    plain = outcome if isinstance(outcome, dict) else {}
    made = Outcome(Fate(str(plain["fate"])), str(plain["text"]), plain["before"], plain["after"])
    return Shown(Direction(str(said["direction"])), Side(str(said["written_by"])), made, said["breaks"] is True)


GROUP = "example.com"
VERSION = "v1"


def group_name(version: Version) -> str:
    """The group in an object's apiVersion."""
    is_valid = group_problem(version.group) is None and (version.group or version.kinds)
    return version.group if is_valid else GROUP


def version_name(version: Version) -> str:
    """The version there."""
    return version.name if version_problem(version.name) is None else VERSION


def api_version(version: Version) -> str:
    """An object's apiVersion."""
    return "/".join(part for part in (group_name(version), version_name(version)) if part)
