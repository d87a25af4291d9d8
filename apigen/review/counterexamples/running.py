"""Runs tasks in a child process with a time limit."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

import apigen
from apigen.dataclass import dataclass, replace
from apigen.ir.api_names import group_problem, version_problem
from apigen.ir.surface import Version
from apigen.language.json_values import JsonValue
from apigen.review.counterexamples.outcome import (
    NO_KIND,
    UNKNOWN_FIELD,
    Outcome,
    OutcomeKind,
    Rejection,
    Rejections,
    listed,
)
from apigen.review.results import Direction, Side
from apigen.runtime.structural.engine import RULES
from apigen.runtime.structural.nodes import LIST_TYPE
from apigen.runtime.validation import ErrorType, FieldError

if TYPE_CHECKING:  # a package has its own copy of the runtime
    from apigen.runtime.errors import ApiError
    from apigen.runtime.features import Features
    from apigen.runtime.scheme import Scheme, Unknown
    from apigen.runtime.strategy import Dropped, Strategy

JSON = "application/json"
PROTOBUF = "application/vnd.kubernetes.protobuf"
HUB = "hub"


class RejectedError(Exception):
    """A server or client rejects an object, for one or more errors."""

    def __init__(self, *errors: Rejection) -> None:
        super().__init__(listed(errors))
        self.errors = errors


class DroppedError(RejectedError):
    """A server accepts an object, but drops a part of it, or of its defaults: `stored` is the object as stored then."""

    def __init__(self, stored: object, *errors: Rejection) -> None:
        super().__init__(*errors)
        self.stored = stored


class NotEvaluatedError(Exception):
    """Validation failed to evaluate an object, such as a CEL rule without its library; the object may be valid or not."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of a group by its names on the wire. `has_status`: the status is a subresource."""

    group: str
    name: str
    has_status: bool = False


@dataclass(frozen=True, slots=True)
class Server:
    """The generated code of a release; `errors` is the module with its errors. All methods raise RejectedError, and
    NotEvaluatedError if validation cannot be evaluated.

    A server holds hub objects in memory; stored objects and those of clients are bytes. `ratchets`: an update does not
    validate values that it leaves unchanged.
    """

    scheme: Scheme
    errors: ModuleType
    features: Features
    release: str | None = None
    has_protobuf: bool = True
    ratchets: bool = True

    @classmethod
    def of(cls, package: str, release: str | None, *, has_protobuf: bool = True, ratchets: bool = True) -> Server:
        """Return the server of an importable package; `release` is the release for gates, None for the newest one."""
        scheme = cast("Scheme", import_module(f"{package}.scheme"))
        errors = import_module(f"{package}.runtime.errors")
        return cls(scheme, errors, scheme.features(release), release, has_protobuf, ratchets)

    def with_gates(self, names: Iterable[str], is_enabled: bool) -> Server:
        """Return the server with some gates enabled or disabled; unknown and locked gates are unchanged."""
        features = self.scheme.features(self.release)
        for name in names:
            with suppress(self.errors.ApiError):
                features.set(name, is_enabled)
        return replace(self, features=features)

    @property
    def forms(self) -> tuple[str, ...]:
        """Return the media types in which objects are stored."""
        return (JSON, PROTOBUF) if self.has_protobuf else (JSON,)

    # --- the server -----------------------------------------------------------------------------------------------

    def create(self, data: bytes, kind: Kind, form: str = JSON, *, unknown: Unknown = "error") -> object:
        """Return a new object as the server stores it, after a client has sent it and then its status. Unknown fields
        are rejected.

        With `unknown="ignore"` they are dropped, as API servers do by default, with a warning.
        """
        obj = self._decoded(data, form, unknown=unknown)
        strategy = self._strategy(kind)
        with self._rejecting():
            requested, wrong = strategy.from_request(obj)
            stored = self.scheme.copy(requested)
            dropped = [*strategy.prepare_for_create(stored, features=self.features)]
            wrong = [*wrong, *strategy.validate(stored, features=self.features)]
            if kind.has_status and not wrong:
                status = self._strategy(kind, "status")
                old, stored = self._read_back(stored, kind), requested
                dropped += status.prepare_for_update(stored, old, features=self.features)
                wrong += status.validate_update(stored, old, features=self.features)
        return self._accepted(stored, dropped, wrong, kind)

    def drops_of_request(self, data: bytes, kind: Kind) -> bool:
        """Return whether a server drops a field that a client sets in a new object, other than fields that defaults
        set.
        """
        obj = self._decoded(data, JSON, default=False)
        strategy = self._strategy(kind)
        with self._rejecting():
            requested, _ = strategy.from_request(obj)
            stored = self.scheme.copy(requested)
            dropped = [*strategy.prepare_for_create(stored, features=self.features)]
            if kind.has_status:
                status = self._strategy(kind, "status")
                dropped += status.prepare_for_update(requested, stored, features=self.features)
        return bool(dropped)

    def update(self, stored: object, data: bytes, kind: Kind, form: str = JSON) -> object:
        """Return an object as the server stores it after an update."""
        obj = self._decoded(data, form, unknown="error")
        strategy = self._strategy(kind)
        with self._rejecting():
            requested, wrong = strategy.from_request(obj, stored)
            new = self.scheme.copy(requested)
            dropped = strategy.prepare_for_update(new, stored, features=self.features)
            wrong = [*wrong, *strategy.validate_update(new, stored, features=self.features)]
        return self._accepted(new, dropped, wrong, kind)

    def drops_of_update(self, stored: object, data: bytes, kind: Kind) -> bool:
        """Return whether a server drops a field that a client sets in an update, as `drops_of_request`."""
        obj = self._decoded(data, JSON, default=False)
        strategy = self._strategy(kind)
        with self._rejecting():
            requested, _ = strategy.from_request(obj, stored)
            return bool(strategy.prepare_for_update(self.scheme.copy(requested), stored, features=self.features))

    def store(self, stored: object, kind: Kind, version: str, form: str) -> bytes:
        """Return the bytes that a server stores, in `version` if the kind has no storage version."""
        return self._written(stored, self._storage_version(kind) or version, form)

    def load(self, data: bytes, kind: Kind, form: str) -> object:
        """Return a stored object after a client has read it and written it back unchanged."""
        obj = self._decoded(data, form)
        strategy = self._strategy(kind)
        with self._rejecting():
            old = self.scheme.convert(obj, HUB)
            new = self.scheme.copy(old)
            dropped = strategy.prepare_for_update(new, old, features=self.features)
            wrong = strategy.validate_update(new, old, features=self.features)
            if not self.ratchets:
                wrong = strategy.validate(new, features=self.features)
        return self._accepted(new, dropped, wrong, kind)

    def answer(self, stored: object, version: str) -> bytes:
        """Return the response to a client that reads an object in a version."""
        return self._written(stored, version, JSON)

    def versions(self, kind: Kind) -> tuple[str, ...]:
        """Return the versions in which a kind is served; none for an unknown kind."""
        full = self._full(kind)
        return self.scheme.served_versions(full, self.release) if full else ()

    # --- the client -----------------------------------------------------------------------------------------------

    def read(self, data: bytes) -> object:
        """Return a response as a client reads it, without unknown fields."""
        return self._decoded(data, JSON, default=False)

    def check(self, data: bytes, kind: Kind) -> None:
        """Validate a response as a client does that uses the validation of its own server."""
        obj = self._decoded(data, JSON, default=False)
        with self._rejecting():
            wrong = self._strategy(kind).validate(self.scheme.convert(obj, HUB), features=self.features)
        _reject(wrong)

    def sent(self, data: bytes, form: str) -> bytes:
        """Return an object as a typed client sends it."""
        return self._encoded(self._decoded(data, JSON, default=False), form)

    def equal(self, one: object, other: object) -> bool:
        """Return whether two objects of a client are equal."""
        return self.scheme.equal(one, other)

    def tree(self, obj: object) -> JsonValue:
        """Return an object of a client as JSON values."""
        found: JsonValue = json.loads(self._encoded(obj, JSON))
        return found

    # --- steps ----------------------------------------------------------------------------------------------------

    @contextmanager
    def _rejecting(self) -> Iterator[None]:
        """Raise the errors of the package as RejectedError."""
        try:
            yield
        except self.errors.ApiError as error:
            raise RejectedError(*self._rejections(error)) from None

    def _rejections(self, error: ApiError) -> Iterator[Rejection]:
        """Yield the errors of the package as rejections."""
        match error:
            case self.errors.StrictDecodingError(errors=unknown):
                for each in unknown:
                    yield Rejection(UNKNOWN_FIELD, each.path, f'{each.problem} "{each.path}"')
            case self.errors.SchemeError() | self.errors.UnknownKindError():
                yield Rejection(NO_KIND, "", str(error))
            case self.errors.DecodeError():
                yield Rejection("type", error.path, str(error))
            case _:
                yield Rejection("", error.path, str(error))

    def _decoded(self, data: bytes, form: str, *, default: bool = True, unknown: Unknown = "ignore") -> object:
        with self._rejecting():
            return self.scheme.decode(data, form, default=default, unknown=unknown, features=self.features)

    def _encoded(self, obj: object, form: str) -> bytes:
        with self._rejecting():
            return self.scheme.encode(obj, form)

    def _written(self, stored: object, version: str, form: str) -> bytes:
        with self._rejecting():
            obj = self.scheme.convert(stored, version)
        return self._encoded(obj, form)

    def _accepted(self, stored: object, dropped: list[Dropped], wrong: list[FieldError], kind: Kind) -> object:
        _reject(wrong)
        if dropped:
            fields = (Rejection("", each.path, str(each)) for each in dropped)
            raise DroppedError(self._read_back(stored, kind), *fields)
        return stored

    def _read_back(self, stored: object, kind: Kind) -> object:
        """Return an object after it is stored and read again, so that defaults apply to fields that were reset or
        dropped.
        """
        version = self._storage_version(kind)
        if version is None:
            return stored
        obj = self._decoded(self._written(stored, version, JSON), JSON)
        with self._rejecting():
            return self.scheme.convert(obj, HUB)

    def _storage_version(self, kind: Kind) -> str | None:
        return self.scheme.storage_version(self._full(kind), features=self.features)

    def _full(self, kind: Kind) -> str:
        """Return the name of a kind in the scheme, with the group if several groups have the kind; empty for an
        unknown kind.
        """
        known = self.scheme.kinds()
        full = f"{kind.name}.{kind.group}"
        found = full if full in known else kind.name if kind.name in known else ""
        is_it = found and self.scheme.versions(found)[0].rpartition("/")[0] == kind.group
        return found if is_it else ""

    def _strategy(self, kind: Kind, subresource: str = "") -> Strategy[Any]:
        with self._rejecting():
            return self.scheme.strategy(self._full(kind), subresource)


_KEYWORDS: Mapping[str, str] = {
    ErrorType.REQUIRED: "required",
    ErrorType.NOT_SUPPORTED: "enum",
    ErrorType.DUPLICATE: LIST_TYPE,
}
"""The keywords of constraints that the type of an error implies."""


def _reject(wrong: Iterable[FieldError]) -> None:
    """Raise RejectedError if there are errors, NotEvaluatedError if all of them are internal."""
    wrong = list(wrong)
    # the package has an ErrorType of its own, whose values are the same
    external = [each for each in wrong if each.type != ErrorType.INTERNAL]
    if external:
        raise RejectedError(*map(_rejection, external))
    if wrong:
        raise NotEvaluatedError(listed(wrong))


def _rejection(error: FieldError) -> Rejection:
    keyword = RULES if error.keyword == "rules" else error.keyword or _KEYWORDS.get(error.type, "")
    return Rejection(keyword, error.path, str(error))


@dataclass(frozen=True, slots=True)
class Task:
    """Objects to try in some directions. Pairs are those of the base and of the revision: `objects` are those that each
    may accept, `has_status` says whether the status of their kinds is a subresource, `paths` are those of the finding's
    element in them; without paths, each outcome concerns it.

    `afterwards` are the directions in which later outcomes count, too; `gates` are those on which the element depends,
    and `readers` the directions in which the finding depends on how clients use responses. `telling` is the side whose
    objects the finding describes; None for both. `rejections` are those that show the finding. An object that
    shows the finding is reduced inside `reduced` only; None: it is small already. `of_bytes`: the finding is about
    protobuf, and only the bytes of objects that set the element show it.
    """

    number: int
    group: str
    has_status: tuple[bool, bool]
    directions: tuple[Direction, ...]
    objects: tuple[tuple[JsonValue, ...], tuple[JsonValue, ...]]
    paths: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    afterwards: tuple[Direction, ...] = ()
    gates: tuple[str, ...] = ()
    readers: tuple[Direction, ...] = ()
    telling: Side | None = None
    rejections: Rejections = Rejections()
    reduced: tuple[str | int, ...] | None = ()
    of_bytes: bool = False

    def paths_of(self, side: Side) -> tuple[str, ...]:
        """Return the paths of the element in the objects of a side."""
        return self.paths[side is Side.NEW]

    def kind(self, name: str, side: Side) -> Kind:
        """Return a kind as a side has it."""
        return Kind(self.group, name, self.has_status[side is Side.NEW])

    def batches(self) -> Iterator[tuple[tuple[Side, JsonValue], ...]]:
        """Yield all objects, those of the base first; if the finding describes one side, the objects of that side
        separately and first.
        """
        old, new = (tuple((side, value) for value in part) for side, part in zip(Side, self.objects, strict=True))
        yield from {None: (old + new,), Side.OLD: (old, new), Side.NEW: (new, old)}[self.telling]


@dataclass(frozen=True, slots=True)
class Shown:
    """An object that shows the finding in a direction. `breaks`: a server with default gates rejects it."""

    direction: Direction
    written_by: Side
    outcome: Outcome
    breaks: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a task: the counterexamples, how many objects their own side accepted, and how many were tried.

    `failure` is the error if the trial itself failed.
    """

    number: int
    counterexamples: tuple[Shown, ...]
    accepted: int
    tried: int
    failure: str = ""

    def joined(self, other: Answer) -> Answer:
        """Return the combined results of two tasks for one finding."""
        known = {each.direction for each in self.counterexamples}
        counterexamples = (
            *self.counterexamples,
            *(each for each in other.counterexamples if each.direction not in known),
        )
        accepted, tried = self.accepted + other.accepted, self.tried + other.tried
        return Answer(self.number, counterexamples, accepted, tried, other.failure or self.failure)


_MODULE = "apigen.review.counterexamples.trial_run"


@dataclass(frozen=True, slots=True)
class Built:
    """The packages of both sides in a folder, and their releases for gates; `ratchets` as in surfaces."""

    folder: Path
    packages: tuple[str, str]
    releases: tuple[str | None, str | None]
    has_protobuf: bool
    ratchets: tuple[bool, bool]


def run_tasks(built: Built, tasks: tuple[Task, ...], seconds: float) -> dict[int, Answer]:
    """Return the answers by number of task; those that took too long are missing, and if the process failed, each has
    its error.

    Modules in the working directory are not imported, because it may contain untrusted files.
    """
    installation = str(Path(apigen.__file__).resolve().parent.parent)
    paths = os.pathsep.join(filter(None, (installation, os.environ.get("PYTHONPATH"))))
    failure = ""
    try:
        process = subprocess.run(
            [sys.executable, "-P", "-m", _MODULE],
            input=pickle.dumps((built, tasks)),
            capture_output=True,
            timeout=seconds,
            env={**os.environ, "PYTHONPATH": paths},
            check=False,
        )
        output = process.stdout
        if process.returncode:
            last = b"".join(process.stderr.splitlines()[-1:]).decode("utf-8", "replace")
            failure = last or f"its process exited with {process.returncode}"
    except subprocess.TimeoutExpired as expired:
        output = expired.stdout or b""
    answers = {answer.number: answer for answer in _answers(output)}
    unanswered = (task.number for task in tasks if failure and task.number not in answers)
    return answers | {number: Answer(number, (), 0, 0, failure) for number in unanswered}


def _answers(output: bytes) -> Iterator[Answer]:
    """Yield the answers that were printed; stop at an incomplete last line."""
    for line in output.splitlines():
        try:
            plain = json.loads(line)
        except ValueError:
            return
        counterexamples = tuple(map(_shown, plain["counterexamples"]))
        yield Answer(plain["number"], counterexamples, plain["accepted"], plain["tried"], plain["failure"])


def _shown(plain: Any) -> Shown:
    kind, text, before, after = (plain["outcome"][name] for name in ("outcome_kind", "text", "before", "after"))
    outcome = Outcome(OutcomeKind(kind), text, before, after)
    return Shown(Direction(plain["direction"]), Side(plain["written_by"]), outcome, plain["breaks"])


GROUP = "example.com"
VERSION = "v1"


def group_name(version: Version) -> str:
    """Return the group in an object's apiVersion."""
    is_valid = group_problem(version.group) is None and (version.group or version.kinds)
    return version.group if is_valid else GROUP


def version_name(version: Version) -> str:
    """Return the version in an object's apiVersion."""
    return version.name if version_problem(version.name) is None else VERSION


def api_version(version: Version) -> str:
    """Return an object's apiVersion."""
    return "/".join(part for part in (group_name(version), version_name(version)) if part)
