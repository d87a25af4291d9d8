"""One release as its users meet it: an API server and a client, made of generated code."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress

from apigen.compat.verdict.example import JsonValue
from apigen.compat.witnesses.scheme import Features, Scheme, Strategy, load_scheme
from apigen.dataclass import dataclass, field, replace

JSON = "application/json"
PROTOBUF = "application/vnd.kubernetes.protobuf"
HUB = "hub"


class RefusedError(Exception):
    """A server, or a client, does not take an object; the text says why."""


class DroppedError(RefusedError):
    """A server takes an object, but not all that is in it, or that its defaults add: `held` is what it finds in its store then."""

    def __init__(self, text: str, held: object) -> None:
        super().__init__(text)
        self.held = held


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of a group by its names on the wire. `has_status`: a status is written by way of a subresource."""

    group: str
    name: str
    has_status: bool = False


@dataclass(frozen=True, slots=True)
class Server:
    """The generated code of a release. All methods raise RefusedError.

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
        """What a server holds after a client has sent a new object, then its status. Fields that it does not know are refused.

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
        if wrong:
            raise RefusedError(_sentence(wrong))

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
        if wrong:
            raise RefusedError(_sentence(wrong))
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


def _sentence(notes: object) -> str:
    return "; ".join(map(str, notes)) if isinstance(notes, list | tuple) else str(notes)
