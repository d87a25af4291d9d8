"""The surface that definitions show together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Related, Report
from apigen.diagnostics.quoting import quote
from apigen.language.json_values import JsonValue
from apigen.language.nodes import Mapping as MappingNode
from apigen.language.nodes import Node, Scalar
from apigen.review.sources.crd.definition import FORM, DefinedVersion, Definition
from apigen.review.sources.schemas.scope import CRD, NoReferences, Scope
from apigen.review.sources.schemas.slots import Slots, define
from apigen.review.sources.schemas.words import value_of
from apigen.review.surface import (
    Group,
    Move,
    Named,
    Slot,
    Struct,
    Surface,
    TypeDef,
    UnknownFields,
    Unread,
    Version,
)

if TYPE_CHECKING:
    from apigen.review.sources.crd.stored_form import StoredForms


_STEP = re.compile(r"""\.(?P<member>[^.\[\](){}]+)|\["(?P<quoted>[^"]*)"\]|(?P<items>\[\])|(?P<values>\{\})""")


@dataclass(slots=True)
class Written:
    """The schemas of kinds, as nodes or as plain data; those of stored objects are computed on first use."""

    roots: dict[str, Node | JsonValue] = field(default_factory=dict)
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
            self.known[path] = self._schema_at(path)
        return self.known[path]

    def target(self, reference: str) -> JsonValue:
        """Return None, because there are no references."""
        return None

    def _schema_at(self, path: str) -> JsonValue:
        kind = re.split(r"[.\[({]", path, maxsplit=1)[0]
        if kind not in self.roots:
            return None
        if kind == path:
            return self._stored().of_root(self.root(kind))
        found = _walked(self.root(kind), path[len(kind) :])
        return None if found is None else self._stored().of(found)

    def _stored(self) -> StoredForms:
        if self._forms is None:
            from apigen.review.sources.crd.stored_form import StoredForms  # most reviews need none

            self._forms = StoredForms()
        return self._forms

    def root(self, kind: str) -> JsonValue:
        """Return the schema of a kind as written; None for an unknown kind."""
        root = self.roots.get(kind)
        if isinstance(root, tuple):
            root = self.roots[kind] = value_of(root)
        return root

    def __reduce__(self) -> tuple[type[Written], tuple[dict[str, JsonValue]]]:
        return Written, ({kind: self.root(kind) for kind in self.roots},)


def _walked(schema: JsonValue, path: str) -> JsonValue:
    """Return the schema at a path; None if the path does not exist, or leads into a schema that only validates."""
    if path.startswith((".metadata", ".apiVersion", ".kind")):
        return None
    at = 0
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None or not isinstance(schema, dict):
            return None
        at = step.end()
        if step["items"] is not None:
            schema = schema.get("items")
        elif step["values"] is not None:
            schema = schema.get("additionalProperties")
        else:
            members = schema.get("properties")
            schema = members.get(step["member"] or step["quoted"]) if isinstance(members, Mapping) else None
    return schema


_KEEPING = replace(CRD, unknown=UnknownFields.KEPT)

_Known = dict[int, tuple[Node, DefinedVersion, Scope]]
"""Versions of a definition by the text of their schema, each with that and with its types."""


class _Texts:
    """Numbers the texts of schemas: schemas of a file that differ only in the lines that they are on have one number."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str | int | bool, ...], int] = {}
        self._known: dict[int, tuple[Node, int]] = {}

    def number(self, schema: Node) -> int:
        """Return the number of the text of a schema, which is read once."""
        found = self._known.get(id(schema))
        if found is None:
            number = self._numbers.setdefault(tuple(_parts(schema)), len(self._numbers))
            found = self._known[id(schema)] = schema, number
        return found[1]


def _parts(schema: Node) -> list[str | int | bool]:
    """Return the parts of a schema for comparison, with lines counted from its first one. Nodes are visited in any
    fixed order.
    """
    parts: list[str | int | bool] = [schema.file]
    first, waiting = schema.line, [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Scalar):
            parts += "", node.line - first, node.column, node.text, node.plain, node.inner
        elif isinstance(node, MappingNode):
            parts += "{}", node.line - first, node.column, len(node.entries), node.damaged, repr(sorted(node.repeated))
            for entry in node.entries:
                waiting += entry
        else:
            parts += "[]", node.line - first, node.column, len(node.items)
            waiting += node.items
    return parts


def surface_of(definitions: tuple[Definition, ...], label: str, report: Report) -> Surface:
    """The surface of definitions, of which those of one group share its versions."""
    groups: dict[str, Group] = {}
    unread: list[Unread] = []
    roots: dict[str, dict[str, Node]] = {}
    texts = _Texts()
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
        known: _Known = {}
        for written in definition.versions:
            version = _version(definition, written, known, unread, texts)
            versions[written.name] = _joined(versions.get(written.name), version)
            if written.schema is not None and not definition.keeps_unknown:
                roots.setdefault(str(version), {})[kind.name] = written.schema
        groups[definition.group] = replace(group, versions=versions, kinds={**group.kinds, kind.name: kind})
    return Surface(
        label,
        FORM,
        groups,
        unread=tuple(unread),
        has_wide_integers=True,
        drops_null=True,
        schemas=_written(roots, texts),
    )


def _written(roots: Mapping[str, Mapping[str, Node]], texts: _Texts) -> dict[str, Written]:
    """The schemas of each version. Versions with equal schemas share them, and the types that are read from them."""
    shared: dict[tuple[tuple[str, int], ...], Written] = {}
    found: dict[str, Written] = {}
    for version, schemas in roots.items():
        text = tuple((kind, texts.number(schema)) for kind, schema in schemas.items())
        found[version] = shared.setdefault(text, Written({**schemas}))
    return found


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


def _version(
    definition: Definition, written: DefinedVersion, known: _Known, unread: list[Unread], texts: _Texts
) -> Version:
    """A version; `known` are those before it, by the text of their schema."""
    scope = _scope(definition, written, known, texts)
    first = known.get(texts.number(written.schema)) if written.schema is not None else None
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
        alike="" if first is None else first[1].name,
    )


def _scope(definition: Definition, written: DefinedVersion, known: _Known, texts: _Texts) -> Scope:
    """The types of a version. Those of one whose schema is the same text are the same, in other lines."""
    scope = Scope(definition.group, written.name, _KEEPING if definition.keeps_unknown else CRD)
    schema = written.schema
    text = -1 if schema is None else texts.number(schema)
    if schema is not None and text in known:
        first, earlier_version, earlier = known[text]
        by = schema.line - first.line
        move = Move(
            definition.group, earlier_version.name, written.name, by, earlier_version.kind.place, written.kind.place
        )
        scope.types, scope.unread = move.moved(earlier.types), move.moved(earlier.unread)
        return scope
    _add_root(written, scope)
    if schema is not None:
        known[text] = schema, written, scope
    return scope


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
        slots.structs.add_object_fields(fields, name.name, root.place, required=False)
        ordinary = {each: replace(fields[each], required=False) for each in ("apiVersion", "kind", "metadata")}
        scope.types[name.name] = replace(root, fields={**fields, **ordinary})
