"""A server of CustomResourceDefinitions for trials: it evaluates schemas as kube-apiserver does, without generated
code.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from apigen.dataclass import dataclass
from apigen.ir.surface import Group, KindVersion, Surface, WrittenSchemas
from apigen.language.json_values import JsonValue
from apigen.review.counterexamples.outcome import NO_KIND, UNKNOWN_FIELD, Rejection, differences, listed
from apigen.review.counterexamples.running import JSON, Kind, NotEvaluatedError, RejectedError
from apigen.review.pipeline.moves import located
from apigen.runtime.structural.engine import Structural, Violation
from apigen.runtime.structural.nodes import Schema, Shared, member, sub
from apigen.runtime.validation import ErrorType


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object in the memory of a server or client, in the version of its `apiVersion`."""

    value: JsonValue

    @property
    def version(self) -> str:
        """The `apiVersion`."""
        return str(self.value.get("apiVersion")) if isinstance(self.value, dict) else ""


def has_schemas(group: Group, schemas: Mapping[str, WrittenSchemas]) -> bool:
    """Return whether a group has kinds, and `schemas` has the schemas of all of them in all versions."""
    kinds = [(str(version), kind) for version in group.versions.values() for kind in version.kinds]
    return bool(kinds) and all(
        version in schemas and isinstance(schemas[version].root(kind), dict) for version, kind in kinds
    )


class CrdServer:
    """The CRDs of a group on one side. Methods are those of `running.Server`, and raise the same errors.

    Objects are converted between versions as with the conversion strategy `None`; if a webhook converts a kind, each
    of its versions is tried as if objects were stored in it. Servers share the cached schemas and objects.
    """

    forms = (JSON,)
    has_protobuf = False

    def __init__(self, surface: Surface, group: Group, shared: Shared) -> None:
        self._group = group
        self._shared = shared
        self._written = surface.schemas
        self._known: dict[tuple[str, str], Structural | None] = {}

    def with_gates(self, names: Iterable[str], is_enabled: bool) -> CrdServer:
        """Return the server itself, because CRDs have no gates."""
        return self

    def create(self, data: bytes, kind: Kind, form: str = JSON, *, unknown: str = "error") -> StoredObject:
        """Return a new object as the server stores it. Fields that no schema describes are rejected, or dropped with
        `unknown="ignore"`.
        """
        return self._validated(self._read(data), kind, None, is_strict=unknown == "error")

    def update(self, stored: object, data: bytes, kind: Kind, form: str = JSON) -> StoredObject:
        """Return an updated object as the server stores it."""
        assert isinstance(stored, StoredObject)
        return self._validated(self._read(data), kind, stored, is_strict=True)

    def drops_of_request(self, data: bytes, kind: Kind) -> bool:
        """Return False: an unknown field is an error, and nothing else is dropped."""
        return False

    def drops_of_update(self, stored: object, data: bytes, kind: Kind) -> bool:
        """Return False, as for a new object."""
        return False

    def store(self, stored: object, kind: Kind, version: str, form: str) -> bytes:
        """Return the bytes that the server stores."""
        return self.answer(stored, self._storage_version(kind) or version)

    def load(self, data: bytes, kind: Kind, form: str) -> StoredObject:
        """Return a stored object after a client has read it and written it back unchanged."""
        stored = self._read(data)
        served = self.versions(kind)
        if stored.version not in served and served and isinstance(stored.value, dict):
            old = self._completed(stored, kind)
            return self._validated(self._in_version(old, served[0], kind), kind, old, is_strict=False)
        return self._validated(stored, kind, stored, is_strict=False)

    def answer(self, stored: object, version: str) -> bytes:
        """Return the response to a client that reads the object in a version."""
        assert isinstance(stored, StoredObject)
        name = str(stored.value.get("kind")) if isinstance(stored.value, dict) else ""
        return json.dumps(self._in_version(stored, version, Kind("", name)).value).encode()

    def versions(self, kind: Kind) -> tuple[str, ...]:
        """Return the `apiVersion`s in which a kind is served; none for an unknown kind."""
        return tuple(name for name, each in self._kinds(kind.name) if each.served)

    def read(self, data: bytes) -> StoredObject:
        """Return a response as a client of this side reads it. Raises RejectedError if a field has another type."""
        response = self._read(data)
        schema = self.schema(
            response.version, str(response.value.get("kind")) if isinstance(response.value, dict) else ""
        )
        if schema is None:
            return response
        response = StoredObject(schema.pruned(response.value))
        _reject((each for each in schema.checked(response.value) if each.keyword == "type"), schema, response.value)
        return response

    def check(self, data: bytes, kind: Kind) -> None:
        """Validate a response as the server of this side would."""
        self._validated(self.read(data), kind, None, is_strict=False)

    def sent(self, data: bytes, form: str) -> bytes:
        """Return an object as a client of this side sends it."""
        return data

    def tree(self, obj: object) -> JsonValue:
        """Return an object as JSON values."""
        assert isinstance(obj, StoredObject)
        return obj.value

    def equal(self, one: object, other: object) -> bool:
        """Return whether two objects are equal."""
        return one == other

    # --- steps ----------------------------------------------------------------------------------------------------

    def _read(self, data: bytes) -> StoredObject:
        return StoredObject(self._shared.value(json.loads(data)))

    def _kinds(self, kind: str) -> Iterator[tuple[str, KindVersion]]:
        for version in self._group.versions.values():
            if kind in version.kinds:
                yield str(version), version.kinds[kind]

    def _storage_version(self, kind: Kind) -> str:
        if self._is_converted_by_webhook(kind):
            return ""
        return next((name for name, each in self._kinds(kind.name) if each.storage), "")

    def _is_converted_by_webhook(self, kind: Kind) -> bool:
        known = self._group.kinds.get(kind.name)
        return known is not None and known.conversion == "Webhook"

    def schema(self, version: str, kind: str) -> Structural | None:
        """Return the schema of a kind in a version; None if the version does not define one."""
        key = version, kind
        if key not in self._known:
            written = self._written.get(version)
            root = None if written is None else written.root(kind)
            self._known[key] = Structural(cast(Schema, root), self._shared) if isinstance(root, dict) else None
        return self._known[key]

    def _of(self, stored: StoredObject, kind: Kind) -> Structural:
        found = self.schema(stored.version, kind.name)
        if found is None:
            raise RejectedError(Rejection(NO_KIND, "", f"the server does not serve {stored.version} {kind.name}"))
        return found

    def _completed(self, stored: StoredObject, kind: Kind) -> StoredObject:
        value: JsonValue = self._of(stored, kind).completed(stored.value)
        return StoredObject(value)

    def _in_version(self, stored: StoredObject, version: str, kind: Kind) -> StoredObject:
        """Return an object in a version, with the defaults of that version, as the server does when it reads from
        storage.
        """
        if version == stored.version:
            return stored
        if self._is_converted_by_webhook(kind) or not isinstance(stored.value, dict):
            raise RejectedError(Rejection("", "", f"a webhook converts {kind.name} to {version}"))
        return self._completed(StoredObject({**stored.value, "apiVersion": version}), kind)

    def _validated(self, new: StoredObject, kind: Kind, old: StoredObject | None, *, is_strict: bool) -> StoredObject:
        """Evaluate a creation, or the update of `old`. `is_strict`: fields that no schema describes are errors."""
        schema = self._of(new, kind)
        errors = list(_unknown(schema, new.value)) if is_strict else []
        if old is not None:
            old = self._in_version(old, new.version, kind)
        found = schema.evaluate(new.value, None if old is None else old.value)
        _reject(found.violations, schema, found.value, errors)
        return StoredObject(found.value)


def _unknown(schema: Structural, value: JsonValue) -> Iterator[Rejection]:
    """Yield the fields of a value that the server prunes."""
    for each in differences(value, schema.pruned(value)):
        yield Rejection(UNKNOWN_FIELD, _path_of(schema, value, each.path), f'unknown field "{each.path}"')


def _reject(
    violations: Iterable[Violation], schema: Structural, value: object, errors: Iterable[Rejection] = ()
) -> None:
    """Raise RejectedError if there are errors, NotEvaluatedError if all of them are internal."""
    errors, internal = list(errors), []
    for each in violations:
        if each.error.type is ErrorType.INTERNAL:
            internal.append(each.error)
        else:
            errors.append(rejection_of(schema, value, each))
    if errors:
        raise RejectedError(*errors)
    if internal:
        raise NotEvaluatedError(listed(internal))


def rejection_of(schema: Structural, value: object, violation: Violation) -> Rejection:
    """Return a violation as a rejection."""
    return Rejection(violation.keyword, _path_of(schema, value, violation.error.path), str(violation))


def _path_of(schema: Structural, value: object, path: str) -> str:
    """Return the names of the fields in a path, without indices and map keys."""
    steps, rest = located(value, path)
    names: list[str] = []
    at: Schema | None = schema.schema
    for step in (*steps, *filter(None, (rest,))):
        if isinstance(step, int):
            at = sub(at, "items")
        else:
            if step in (sub(at, "properties") or ()) or sub(at, "additionalProperties") is None:
                names.append(step)
            at = member(at, step)
    return ".".join(names)
