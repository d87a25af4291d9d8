"""What an API server refuses of a CustomResourceDefinition, reported before it sees it, and what a manifest cannot express.

The rules are those of `ValidateCustomResourceDefinition` in k8s.io/apiextensions-apiserver 0.36.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from apigen.codegen.backend_input import Compilation
from apigen.codegen.crd.backend import Resource, dotted, manifest, resources, selectable_paths
from apigen.codegen.crd.gating import features_of, is_off, names_of
from apigen.codegen.crd.schemas import StructuralSchemas
from apigen.codegen.json_schema.words import published_default
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import listing, quote
from apigen.ir.model import Alias, Field, Group, Struct
from apigen.ir.places import PathProblem, bind_path
from apigen.ir.types import (
    EnumType,
    ListType,
    MapType,
    NamedType,
    ScalarType,
    StructType,
    Type,
    TypeId,
    WellKnownType,
    innermost_type,
    underlying,
)
from apigen.language.model import MergeSpec
from apigen.runtime.yaml_writer import yaml_text

MOST_SELECTABLE = 8
"""Selectable fields of a version that the API server accepts."""

LARGEST_REQUEST = 3 * 1024 * 1024
"""Bytes of a request that the API server reads."""

LARGEST_VALUE = 1_572_864
"""Bytes of a value that etcd stores, unless it is configured otherwise."""

LARGEST_ANNOTATIONS = 262_144
"""Bytes of annotations that an object may have; `kubectl apply` without `--server-side` keeps the manifest in one."""

KNOWN_FORMATS = frozenset({"k8s-short-name", "k8s-long-name"})
"""The formats of the spec language that the API server checks, from 1.34 on."""

_COLUMN_PATH = re.compile(r"\.[^\s{}]+")
_PROTECTED = (".k8s.io", ".kubernetes.io")


def check(compilation: Compilation, report: Report) -> None:
    """Report what is wrong with the manifests of the project's own kinds (AG1501 to AG1509)."""
    schemas = StructuralSchemas(compilation)
    for resource in resources(compilation):
        _check_group(resource.group, compilation, report)
        _check_kind(resource, compilation, report)
        checker = _Checker(compilation, report)
        for _, struct in resource.versions:
            checker.struct(struct)
        _check_size(resource, schemas, compilation, report)


def _check_group(group: Group, compilation: Compilation, report: Report) -> None:
    if "." not in group.name:
        message = f"the group {quote(group.name)} of a CustomResourceDefinition is a domain, with a dot"
        report.error("AG1507", group.place, message, hint=f"write `group: {group.name}.example.com`")
    elif group.name.endswith(_PROTECTED) and compilation.crd.approved is None:
        message = f"the group {quote(group.name)} is protected: the API server asks who approved it"
        hint = 'name the approval in the configuration: crd = { approved = "https://github.com/kubernetes/enhancements/pull/1111" }'
        report.error("AG1507", group.place, message, hint=hint)


def _check_kind(resource: Resource, compilation: Compilation, report: Report) -> None:
    kind = resource.kind
    for version, struct in resource.versions:
        paths = selectable_paths(kind, struct, compilation)
        if len(paths) > MOST_SELECTABLE:
            message = f"`{kind.name}` has {len(paths)} selectable fields in {version.name}, and the API server accepts {MOST_SELECTABLE}"
            report.error("AG1503", paths[MOST_SELECTABLE].place, message, hint="remove some of them")
    versions = {version.name for version, _ in resource.versions}
    for column in kind.printer_columns:
        if not _COLUMN_PATH.fullmatch(dotted(column.path.value)):
            hint = f"write `path: {column.path.value.strip('{} ').removeprefix('$').removeprefix('.')}`"
            message = f"{quote(column.path.value)} is no JSONPath that the API server accepts"
            report.error("AG1504", column.path.place, message, hint=hint)
        for named in column.versions:
            if named.value not in versions:
                hint = f"`{kind.name}` has {listing(tuple(sorted(versions)))}"
                report.error("AG1504", named.place, f"there is no version {quote(named.value)}", hint=hint)
    for name in kind.subresources:
        if name not in ("status", "scale"):
            message = f"a CustomResourceDefinition cannot have the subresource {quote(name)} of `{kind.name}`"
            report.warning("AG1509", kind.place, message, hint="serve the kind by an API server of your own")
    if kind.scale is not None:
        for scaled in (kind.scale.spec_replicas_path, kind.scale.status_replicas_path):
            for _, struct in resource.versions:
                if not _exists(scaled, struct, compilation):
                    message = f"the path {quote(scaled)} of `scale` leads to no field of `{struct.id.name}` in {struct.id.version}"
                    report.warning(
                        "AG1508", kind.place, message, hint="the API server accepts it, and `kubectl scale` fails"
                    )
    for label, path in kind.selectable_fields:
        for version, struct in resource.versions:
            bound = bind_path(path, struct, compilation.types)
            if isinstance(bound, PathProblem):
                message = f"the selectable field {quote(label)} is not in {version.name}: {quote(str(path))} is a path of the hub"
                report.warning("AG1508", path.place, message, hint="clients of that version cannot select by it")
            elif not isinstance(underlying(bound.type), ScalarType | EnumType | WellKnownType):
                message = f"{quote(str(path))} is {bound.type}, and the API server selects by single values"
                report.error("AG1503", path.place, message, hint="name a field that is text, a number or a boolean")


def _exists(path: str, struct: Struct, compilation: Compilation) -> bool:
    """Whether a path of plain field names leads to a field."""
    for name in dotted(path)[1:].split("."):
        field = struct.field(name)
        if field is None:
            return False
        behind = underlying(field.type)
        if not isinstance(behind, StructType):
            return path.endswith(name)
        struct = compilation.api.struct(behind.id)
    return True


def _check_size(resource: Resource, schemas: StructuralSchemas, compilation: Compilation, report: Report) -> None:
    size = len(yaml_text(manifest(resource, schemas, compilation)).encode())
    hint = "shorten the descriptions: crd = { descriptions = 80 }"
    what = f"the manifest of `{resource.kind.name}` has {size:,} bytes"
    if size > LARGEST_REQUEST:
        report.error("AG1506", resource.kind.place, f"{what}, and the API server reads {LARGEST_REQUEST:,}", hint=hint)
    elif size > LARGEST_VALUE:
        report.error("AG1506", resource.kind.place, f"{what}, and etcd stores {LARGEST_VALUE:,} by default", hint=hint)
    elif size > LARGEST_ANNOTATIONS:
        message = (
            f"{what}: `kubectl apply` fails above {LARGEST_ANNOTATIONS:,}, unless it is called with `--server-side`"
        )
        report.warning("AG1506", resource.kind.place, message, hint=hint)


class _Checker:
    """Checks the types that a kind leads to, each once."""

    def __init__(self, compilation: Compilation, report: Report) -> None:
        self._types = compilation.types
        self._compilation = compilation
        self._features = compilation.once(features_of)
        self._report = report
        self._seen: set[TypeId] = set()
        self._open: list[TypeId] = []

    def struct(self, struct: Struct) -> None:
        """A struct and what its fields lead to."""
        if struct.id in self._seen:
            return
        self._seen.add(struct.id)
        self._open.append(struct.id)
        is_own = struct.id.group in self._compilation.own
        for field in struct.fields:
            if struct.is_root and field.json_name == "metadata":
                continue
            if is_own:
                self._field(field)
            self._merging(field)
            for inner in self._structs_in(field.type):
                if inner.id in self._open and is_own:
                    message = f"{quote(field.json_name)} leads back to `{inner.id.name}`, which a structural schema cannot express"
                    hint = "the API server does not check the objects below it; the admission webhook does"
                    self._report.warning("AG1505", field.place, message, hint=hint)
                self.struct(inner)
        if is_own:
            for default in struct.defaults:
                message = f"the default of {quote(str(default.path))} cannot be expressed in a CustomResourceDefinition"
                self._left_to_webhook(default.path.place, message)
        self._open.pop()

    def _field(self, field: Field) -> None:
        if field.default and published_default(field, self._types) is None:
            case = field.default[0]
            conditional = len(field.default) > 1 or case.when is not None
            why = "depends on a condition" if conditional else "is not a constant value"
            message = f"the default of {quote(field.json_name)} {why}, which a CustomResourceDefinition cannot express"
            self._left_to_webhook(field.place, message)
        if field.gate is not None and is_off(field.gate, self._features):
            noted = self._compilation.crd.gated == "note"
            what = "is described as disabled" if noted else "is left out"
            message = f"{quote(field.json_name)} {what}: {names_of(field.gate)} is off by default in this release"
            hint = (
                'crd = { gated = "note" } keeps such fields'
                if not noted
                else 'crd = { gated = "leave-out" } removes such fields'
            )
            self._report.warning("AG1509", field.place, message, hint=hint)
        format_ = field.constraints.format
        if format_ is not None and format_.value not in KNOWN_FORMATS:
            message = f"the API server ignores the format {quote(format_.value)}"
            self._left_to_webhook(format_.place, message)
        if field.constraints.unique_items is not None and field.constraints.unique_items.value:
            self._set(field.type, field.constraints.unique_items.place)

    def _left_to_webhook(self, place: Place, message: str) -> None:
        self._report.warning("AG1509", place, message, hint="the admission webhook applies it")

    def _structs_in(self, type_: Type) -> Iterator[Struct]:
        innermost = innermost_type(type_)
        if isinstance(innermost, StructType):
            found = self._types[innermost.id]
            assert isinstance(found, Struct)
            yield found

    def _merging(self, field: Field) -> None:
        merge = self._merge_of(field.type, field.merge)
        behind = underlying(field.type)
        if merge.list_type is None or not isinstance(behind, ListType):
            return
        if merge.list_type.value == "set":
            self._set(field.type, merge.list_type.place)
        if merge.list_type.value == "map":
            item = underlying(behind.item)
            found = self._types.get(item.id) if isinstance(item, StructType) else None
            if isinstance(found, Struct):
                self._keys(found, merge)

    def _merge_of(self, type_: Type, merge: MergeSpec) -> MergeSpec:
        """What is said of merging a value at its place, or else by its named type."""
        while merge == MergeSpec() and isinstance(type_, NamedType):
            alias = self._types.get(type_.id)
            merge = alias.merge if isinstance(alias, Alias) else merge
            type_ = type_.target
        return merge

    def _keys(self, item: Struct, merge: MergeSpec) -> None:
        """Keys of a map list are required or have a default, or else two items without a key are the same."""
        for key in merge.list_map_keys:
            field = item.field(key.value)
            if field is None or field.required or published_default(field, self._types) is not None:
                continue
            message = (
                f"{quote(key.value)} is a key of a list of `{item.id.name}`, and is neither required nor has a default"
            )
            hint = f"write `required: true` at {quote(key.value)}, or give it a default"
            self._report.error("AG1501", key.place, message, hint=hint)

    def _set(self, type_: Type, place: Place) -> None:
        behind = underlying(type_)
        if not isinstance(behind, ListType) or self._is_atomic(behind.item):
            return
        message = f"the items of a set are single values or atomic, and these are {behind.item}"
        self._report.error("AG1502", place, message, hint="write `listType: atomic`, or `listType: map` with its keys")

    def _is_atomic(self, item: Type) -> bool:
        behind = underlying(item)
        match behind:
            case StructType(id_):
                struct = self._types[id_]
                merge = struct.merge if isinstance(struct, Struct) else MergeSpec()
            case ListType() | MapType():
                merge = self._merge_of(item, MergeSpec())
            case _:
                return True
        words = (merge.list_type, merge.map_type, merge.struct_type)
        return any(word is not None and word.value == "atomic" for word in words)
