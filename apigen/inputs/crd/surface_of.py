"""The surface that definitions show together."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING, cast

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Related, Report
from apigen.diagnostics.quoting import quote
from apigen.inputs.crd.definition import FORM, DefinedVersion, Definition
from apigen.inputs.schemas.scope import CRD, NoReferences, Scope, place_of, stepped
from apigen.inputs.schemas.slots import Slots, define
from apigen.inputs.schemas.words import value_of
from apigen.ir.surface import (
    Group,
    Named,
    Slot,
    Struct,
    Surface,
    TypeDef,
    UnknownFields,
    Unread,
    Version,
)
from apigen.language.json_values import JsonValue

if TYPE_CHECKING:
    from apigen.inputs.crd.stored_form import StoredForms
    from apigen.runtime.structural.nodes import Schema


_OF_ALL_OBJECTS = (("apiVersion",), ("kind",), ("metadata",))


@dataclass(slots=True)
class Written:
    """The schemas of kinds; those of stored objects are computed on first use."""

    roots: dict[str, JsonValue]
    known: dict[str, JsonValue] = field(default_factory=dict, compare=False)
    _forms: StoredForms | None = field(default=None, compare=False)

    @property
    def is_all(self) -> bool:
        """False: a server drops members and fills in defaults."""
        return False

    def at(self, path: str) -> JsonValue:
        """Return the schema of stored values at a place; None if there is no such place, or if it belongs to the
        metadata of all objects.
        """
        if path not in self.known:
            kind = re.split(r"[.\[({]", path, maxsplit=1)[0]
            schema = _schema_at(self.root(kind), path[len(kind) :])
            if schema is not None:
                schema = self._stored().of_root(schema) if kind == path else self._stored().of(schema)
            self.known[path] = schema
        return self.known[path]

    def target(self, reference: str) -> JsonValue:
        """Return None, because there are no references."""
        return None

    def _stored(self) -> StoredForms:
        if self._forms is None:
            from apigen.inputs.crd.stored_form import StoredForms  # most reviews need none

            self._forms = StoredForms()
        return self._forms

    def root(self, kind: str) -> JsonValue:
        """Return the schema of a kind as written; None for an unknown kind."""
        return self.roots.get(kind)


def _schema_at(schema: JsonValue, path: str) -> JsonValue:
    """Return the schema at a path; None if the path does not exist, or leads into a schema that only validates."""
    place = place_of(path)
    if "(" in path or place[:1] in _OF_ALL_OBJECTS:
        return None
    start = cast("Schema", schema) if isinstance(schema, dict) else None
    return cast("JsonValue", reduce(stepped, place, start))


_KEEPING = replace(CRD, unknown=UnknownFields.KEPT)


def surface_of(definitions: tuple[Definition, ...], label: str, report: Report) -> Surface:
    """The surface of definitions, of which those of one group share its versions."""
    groups: dict[str, Group] = {}
    unread: list[Unread] = []
    roots: dict[str, dict[str, JsonValue]] = {}
    for definition in definitions:
        kind = definition.kind
        group = groups.setdefault(definition.group, Group(definition.group, kind.place, {}, {}))
        twin = group.kinds.get(kind.name)
        if twin is not None:
            message = f"the kind {quote(kind.name)} of {quote(definition.group)} is defined twice"
            related = [Related(twin.place, "first defined here")]
            report.error("AG1432", kind.place, message, hint="keep one of the definitions", related=related)
            continue
        versions = dict(group.versions)
        first: dict[str, str] = {}
        for written in definition.versions:
            schema = None if written.schema is None else value_of(written.schema)
            alike = "" if schema is None else first.setdefault(json.dumps(schema), written.name)
            version = _version(definition, written, alike, unread)
            versions[written.name] = _joined(versions.get(written.name), version)
            if schema is not None and not definition.keeps_unknown:
                roots.setdefault(str(version), {})[kind.name] = schema
        groups[definition.group] = replace(group, versions=versions, kinds={**group.kinds, kind.name: kind})
    return Surface(
        label,
        FORM,
        groups,
        unread=tuple(unread),
        has_wide_integers=True,
        drops_null=True,
        schemas=_written(roots),
    )


def _written(roots: Mapping[str, dict[str, JsonValue]]) -> dict[str, Written]:
    """The schemas of each version. Versions with equal schemas share them, and what is computed from them."""
    shared: dict[str, Written] = {}
    return {version: shared.setdefault(json.dumps(schemas), Written(schemas)) for version, schemas in roots.items()}


def _joined(known: Version | None, version: Version) -> Version:
    """Join the versions of several definitions of a group."""
    if known is None:
        return version
    return replace(
        known,
        types={**known.types, **version.types},
        kinds={**known.kinds, **version.kinds},
        served=known.served or version.served,
        storage=known.storage or version.storage,
        alike="",
    )


def _version(definition: Definition, written: DefinedVersion, alike: str, unread: list[Unread]) -> Version:
    """A version; `alike` is the first version of the definition with the same schema."""
    scope = Scope(definition.group, written.name, _KEEPING if definition.keeps_unknown else CRD)
    _add_root(written, scope)
    unread.extend(scope.unread)
    kind = written.kind
    return Version(
        group=definition.group,
        name=written.name,
        place=kind.place,
        types=scope.types,
        kinds={kind.kind: kind},
        served=kind.served,
        storage=kind.storage,
        alike=alike,
    )


def _add_root(written: DefinedVersion, scope: Scope) -> None:
    """Add the root type, with `apiVersion`, `kind` and `metadata` even if its schema does not declare them."""
    slots = Slots(scope, NoReferences(scope))
    name, place = written.kind.root, written.kind.place
    root: TypeDef
    if written.schema is None:
        root = Struct(name, {}, Slot(Named(name), place), place, unknown=UnknownFields.KEPT)
    else:
        root = define(name.name, written.schema, place, slots)
    if isinstance(root, Struct):
        fields = dict(root.fields)
        slots.add_object_fields(fields, name.name, root.place, required=False)
        ordinary = {each: replace(fields[each], required=False) for each in ("apiVersion", "kind", "metadata")}
        scope.types[name.name] = replace(root, fields={**fields, **ordinary})
