"""Errors for which an API server would reject a CustomResourceDefinition, and constraints that a manifest cannot
express.

The rules are those of `ValidateCustomResourceDefinition` in k8s.io/apiextensions-apiserver 0.36.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.crd.backend import Resource, dotted, manifests, resources, selectable_paths
from apigen.codegen.crd.cel_cost import COST_LIMIT, LARGEST_REQUEST, TOTAL_LIMIT
from apigen.codegen.crd.schemas import (
    LIMITED_METADATA,
    MOST_INTEGER,
    RuleAt,
    StructuralSchemas,
    gates_of,
    names_of,
    rules_in,
    set_member,
    structural_default,
    without_unaffordable,
)
from apigen.codegen.json_schema.backend import IMMUTABLE, Schema, published_default
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import listing, quote
from apigen.ir.formats import RAW_FORMATS
from apigen.ir.model import (
    EnumType,
    Field,
    Group,
    Kind,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    WellKnown,
    WellKnownType,
    columns_of,
    innermost_type,
    merge_of,
    named_in,
    struct_behind,
    underlying,
)
from apigen.ir.places import PathProblem, bind_path
from apigen.ir.ruled import ruled_places
from apigen.language.configuration import CrdSettings
from apigen.language.model import Constraints, MergeSpec, ScaleSpec

MOST_SELECTABLE = 8
"""Selectable fields of a version that the API server accepts."""

LARGEST_VALUE = 1_572_864
"""Bytes of a value that etcd stores, unless it is configured otherwise."""

LARGEST_ANNOTATIONS = 262_144
"""Bytes of annotations that an object may have; `kubectl apply` without `--server-side` keeps the manifest in one."""

KNOWN_FORMATS = frozenset({"k8s-short-name", "k8s-long-name", *RAW_FORMATS})
"""The formats of the spec language that the API server checks, from 1.34 on."""

COLUMN_FORMATS = ("byte", "date", "date-time", "double", "float", "int32", "int64", "password")
"""The formats of a printer column that the API server accepts."""

_COLUMN_PATH = re.compile(r"\.[^\r\n{}]+")
_PROTECTED = (".k8s.io", ".kubernetes.io")


def check(backend_input: BackendInput, report: Report) -> None:
    """Report errors in the manifests of the project's own kinds (AG1501 to AG1513)."""
    schemas = StructuralSchemas(backend_input)
    for resource in resources(backend_input):
        _check_group(resource.group, backend_input, report)
        _check_kind(resource, backend_input, report)
        checker = _Checker(backend_input, report)
        for _, struct in resource.versions:
            checker.struct(struct)
            _check_rules(struct, schemas, backend_input, report)
        for place, (name, missing) in schemas.incomplete.items():
            message = f"the default of {quote(name)} has no {quote(missing)}, which is required, so the manifest omits the default"
            hint = f"add {quote(missing)} to the default, or set `required: false` on it"
            report.warning("AG1509", place, message, hint=hint)
    all_manifests = backend_input.once(manifests)
    for resource, written in all_manifests:
        _check_size(resource, written, report)
    _check_authority(all_manifests, backend_input.crd, report)


def _check_authority(found: list[tuple[Resource, Schema]], settings: CrdSettings, report: Report) -> None:
    """Report that the API server will not trust the webhook: certificates of a service have no public authority."""
    if settings.url is not None or settings.ca_bundle is not None or settings.certificate is not None:
        return
    called = [resource for resource, _ in found if settings.webhooks is not None or len(resource.versions) > 1]
    if called:
        message = f"the API server calls {quote(settings.service)} for `{called[0].kind.name}`, but has no certificate authority for it"
        hint = 'set the Certificate of cert-manager: crd = { certificate = "NAMESPACE/NAME" }, or set `caBundle`'
        report.warning("AG1513", called[0].kind.place, message, hint=hint)


def _check_group(group: Group, backend_input: BackendInput, report: Report) -> None:
    if "." not in group.name:
        message = f"the group {quote(group.name)} of a CustomResourceDefinition must be a domain with a dot"
        report.error("AG1507", group.place, message, hint=f"write `group: {group.name}.example.com`")
    elif group.name.endswith(_PROTECTED) and backend_input.crd.approved is None:
        message = f"the group {quote(group.name)} is protected: the API server requires an approval"
        hint = 'set the approval in the configuration: crd = { approved = "https://github.com/kubernetes/enhancements/pull/1111" }'
        report.error("AG1507", group.place, message, hint=hint)


def _check_kind(resource: Resource, backend_input: BackendInput, report: Report) -> None:
    kind = resource.kind
    for version, struct in resource.versions:
        paths = selectable_paths(kind, struct, backend_input)
        if len(paths) > MOST_SELECTABLE:
            message = f"`{kind.name}` has {len(paths)} selectable fields in {version.name}, and the API server accepts {MOST_SELECTABLE}"
            report.error("AG1503", paths[MOST_SELECTABLE].place, message, hint="remove some of them")
    versions = {version.name for version, _ in resource.versions}
    for column in kind.printer_columns:
        if not _COLUMN_PATH.fullmatch(dotted(column.path.value)):
            hint = f"write `path: {column.path.value.strip('{} ').removeprefix('$').removeprefix('.')}`"
            message = f"{quote(column.path.value)} is not a JSONPath that the API server accepts"
            report.error("AG1504", column.path.place, message, hint=hint)
        if not column.name:
            report.error("AG1504", column.place, "a printer column needs a name", hint="write `Name:` in front of it")
        if column.format is not None and column.format not in COLUMN_FORMATS:
            message = f"{quote(column.format)} is not a format of printer columns"
            report.error("AG1504", column.place, message, hint=f"known formats: {', '.join(COLUMN_FORMATS)}")
        for named in column.versions:
            if named.value not in versions:
                hint = f"`{kind.name}` has {listing(tuple(sorted(versions)))}"
                report.error("AG1504", named.place, f"unknown version {quote(named.value)}", hint=hint)
    for version, _ in resource.versions:
        headings: dict[str, Place] = {}
        for column in columns_of(kind, version.name):
            if headings.setdefault(column.name, column.place) is not column.place:
                message = f"`{kind.name}` has two printer columns {quote(column.name)} in {version.name}"
                hint = "limit each to some `versions:`, or write another `name:`"
                report.warning("AG1504", column.place, message, hint=hint)
    for name in kind.subresources:
        if name not in ("status", "scale"):
            message = f"a CustomResourceDefinition cannot have the subresource {quote(name)} of `{kind.name}`"
            report.warning("AG1509", kind.place, message, hint="serve the kind with a separate API server")
    if kind.scale is not None:
        _check_scale(kind, kind.scale, report)
        for scaled in (kind.scale.spec_replicas_path, kind.scale.status_replicas_path):
            for _, struct in resource.versions:
                if not _exists(scaled, struct, backend_input):
                    message = f"the path {quote(scaled)} of `scale` is not a field of `{struct.id.name}` in {struct.id.version}"
                    report.warning(
                        "AG1508", kind.place, message, hint="the API server accepts it, and `kubectl scale` fails"
                    )
    for label, path in kind.selectable_fields:
        for version, struct in resource.versions:
            bound = bind_path(path, struct, backend_input.types)
            if isinstance(bound, PathProblem):
                message = f"the selectable field {quote(label)} is not in {version.name}: {quote(str(path))} is a path of the hub"
                report.warning("AG1508", path.place, message, hint="clients of that version cannot select by it")
            elif not _is_selectable(bound.type):
                message = f"{quote(str(path))} is {bound.type}, which the API server does not select by"
                report.error(
                    "AG1503", path.place, message, hint="name a field that is a string, an integer or a boolean"
                )


def _is_selectable(type_: Type) -> bool:
    """Return whether a type can be a selectable field: a string, an integer or a boolean."""
    match underlying(type_):
        case EnumType():
            return True
        case ScalarType(scalar):
            return scalar not in (Scalar.FLOAT32, Scalar.FLOAT64)
        case WellKnownType(known):
            return known in (WellKnown.TIME, WellKnown.MICRO_TIME, WellKnown.DURATION)
    return False


def _check_scale(kind: Kind, scale: ScaleSpec, report: Report) -> None:
    """Report paths of `scale` that are not paths of names below spec or status, which the API server requires."""
    for key, path, roots in (
        ("specReplicasPath", scale.spec_replicas_path, ("spec",)),
        ("statusReplicasPath", scale.status_replicas_path, ("status",)),
        ("labelSelectorPath", scale.label_selector_path, ("spec", "status")),
    ):
        if path is None:
            continue
        root, _, rest = dotted(path)[1:].partition(".")
        if root not in roots or not rest or "[" in path:
            message = f"{quote(path)} is no `{key}` that the API server accepts"
            hint = f"name a field below {' or '.join(f'`{each}`' for each in roots)}, without lists and maps"
            report.error("AG1512", kind.place, message, hint=hint)


def _check_rules(struct: Struct, schemas: StructuralSchemas, backend_input: BackendInput, report: Report) -> None:
    """Report CEL rules that the API server rejects, and constraints that are omitted as their rule would be."""
    schema = schemas.of_kind(struct)
    finder = _Finder(struct, backend_input)
    for rule in without_unaffordable(schema):
        why = (
            "cannot be compared with an old value in a list without keys"
            if rule.needs_old
            else "would cost more than the API server allows"
        )
        subject = "is immutable, which" if rule.rule["message"] == IMMUTABLE["message"] else "limits its keys, which"
        message = f"{quote(finder.name(rule))} {subject} {why}: the manifest does not have it"
        report.warning(
            "AG1509", finder.holder(rule), message, hint=_ENFORCED if rule.needs_old else f"{_ENFORCED}; {_BOUNDS}"
        )
    rules = rules_in(schema)
    for rule in rules:
        if rule.is_implied:
            continue
        place = finder.rule(rule)
        if rule.needs_old:
            message = "the rule compares with `oldSelf` within a list without keys or an atomic map, which the API server rejects"
            hint = "give the list `listType: map` with `listMapKeys`, or declare the rule on the list"
            report.error("AG1511", place, message, hint=hint)
        if rule.unseen:
            message = f"the rule reads {quote(rule.unseen)}, of which the API server has no schema"
            hint = "declare the type of what the rule reads, or validate it by a hand-written function"
            report.error("AG1511", place, message, hint=hint)
        for word in ("message", "fieldPath"):
            if "\n" in str(rule.rule.get(word, "")).strip():
                message = f"the API server rejects a `{word}` with a line break"
                report.error("AG1511", place, message, hint="write it on one line")
        for subject, cost in (("rule", rule.cost), ("`messageExpression`", rule.message_cost)):
            if cost is not None and cost > COST_LIMIT:
                message = f"the API server estimates the cost of this {subject} at {_factor(cost, COST_LIMIT)} times what it allows"
                report.error("AG1510", place, message, hint=_BOUNDS)
    total = sum((rule.cost or 0) + (rule.message_cost or 0) for rule in rules)
    if total > TOTAL_LIMIT and all((rule.cost or 0) <= COST_LIMIT for rule in rules):
        message = f"the API server estimates the cost of all rules of `{struct.id.name}` in {struct.id.version} at {_factor(total, TOTAL_LIMIT)} times what it allows"
        report.error("AG1510", struct.place, message, hint=_BOUNDS)


_BOUNDS = "add `maxItems`, `maxProperties` and `maxLength` to the values that the rule reads, and to the lists and maps that contain them"
_ENFORCED = "the admission webhook enforces it"


def _factor(cost: int, limit: int) -> str:
    """Return the ratio of a cost to its limit, for messages."""
    return "more than 100" if cost > 100 * limit else f"{cost / limit:.3g}"


class _Finder:
    """Finds the location in the specs of each rule of a kind's schema."""

    def __init__(self, struct: Struct, backend_input: BackendInput) -> None:
        self._struct = struct
        self._backend_input = backend_input
        self._places = {
            (each.owner, each.place.removesuffix("[]"), each.rule.rule.value): each.rule.rule.place
            for each in ruled_places(backend_input.api)
        }

    def name(self, rule: RuleAt) -> str:
        """The path of the value that a rule is about."""
        return ".".join(rule.path).replace(".[]", "[]")

    def holder(self, rule: RuleAt) -> Place:
        """Return the field that a rule validates, or the field with the value that it validates."""
        fields = self._fields(rule.path)
        return fields[-1][1].place if fields else self._struct.place

    def rule(self, rule: RuleAt) -> Place:
        """The text of a rule: at the field, at its type, or at a name of that."""
        text = str(rule.rule["rule"])
        fields = self._fields(rule.path)
        owners = [(self._struct.id, "")]
        if fields:
            owner, field = fields[-1]
            owners = [(owner.id, field.json_name), *((id_, "") for id_ in named_in(field.type))]
            owners += [(inline.type.id, field.json_name) for inline in owner.inlines]
        structs = [self._backend_input.types.get(id_) for id_, _ in owners]
        owners += [(inline.type.id, "") for each in structs if isinstance(each, Struct) for inline in each.inlines]
        found = (self._places.get((*owner, text)) for owner in owners)
        return next((place for place in found if place is not None), self.holder(rule))

    def _fields(self, path: tuple[str, ...]) -> list[tuple[Struct, Field]]:
        """Yield the fields of a path, each with the struct that declares it."""
        fields: list[tuple[Struct, Field]] = []
        struct: TypeDef | None = self._struct
        for name in path:
            if name == "[]":
                continue
            field = struct.field(name) if isinstance(struct, Struct) else None
            if field is None or not isinstance(struct, Struct):
                break
            fields.append((struct, field))
            innermost = innermost_type(field.type)
            struct = struct_behind(innermost, self._backend_input.types)
        return fields


def _exists(path: str, struct: Struct, backend_input: BackendInput) -> bool:
    """Return whether a path of plain field names ends at an existing field."""
    *parents, last = dotted(path)[1:].split(".")
    for name in parents:
        field = struct.field(name)
        if field is None:
            return False
        behind = underlying(field.type)
        if not isinstance(behind, StructType):
            return False
        struct = backend_input.api.struct(behind.id)
    return struct.field(last) is not None


def _check_size(resource: Resource, written: Schema, report: Report) -> None:
    text = json.dumps(written, ensure_ascii=False, separators=(",", ":"))
    size = len(text.encode()) + 5 * sum(map(text.count, "<>&"))  # Go's JSON escapes these as \u003c
    hint = "shorten the descriptions: crd = { descriptions = 80 }"
    measured = f"the manifest of `{resource.kind.name}` has {size:,} bytes"
    for limit, report_, problem in (
        (LARGEST_REQUEST, report.error, f", and the API server reads {LARGEST_REQUEST:,}"),
        (LARGEST_VALUE, report.error, f", and etcd stores {LARGEST_VALUE:,} by default"),
        (
            *(LARGEST_ANNOTATIONS, report.warning),
            f": `kubectl apply` fails above {LARGEST_ANNOTATIONS:,}, unless it is called with `--server-side`",
        ),
    ):
        if size > limit:
            report_("AG1506", resource.kind.place, f"{measured}{problem}", hint=hint)
            return


_WITHOUT_SCHEMA = (
    *(("maxBytes", "max_bytes"), ("monotonic", "monotonic"), ("update", "update"), ("forbidden", "forbidden")),
    *(("uniqueBy", "unique_by"), ("ifEnabled", "if_enabled"), ("ifDisabled", "if_disabled"), ("ifMode", "if_mode")),
    *(("requires", "requires"), ("forbids", "forbids")),
)
"""Constraints without a word in structural schemas."""


def _constraints_of(field: Field) -> Iterator[tuple[str, Constraints]]:
    """Yield the constraints on a field and on its parts, each with a prefix for messages."""
    yield "", field.constraints
    yield "the items of ", field.item_constraints
    yield "the keys of ", field.key_constraints
    yield "the values of ", field.value_constraints


class _Checker:
    """Checks the types that a kind leads to, each once."""

    def __init__(self, backend_input: BackendInput, report: Report) -> None:
        self._types = backend_input.types
        self._backend_input = backend_input
        self._gates = backend_input.once(gates_of)
        self._report = report
        self._seen: set[TypeId] = set()
        self._open: list[TypeId] = []
        self._omitted: set[Place] = set()
        """The unions that were reported; one of an inlined struct is a union of each struct around it."""

    def struct(self, struct: Struct) -> None:
        """Check a struct, and all types of its fields."""
        if struct.id in self._seen:
            return
        self._seen.add(struct.id)
        self._open.append(struct.id)
        is_own = struct.id.group in self._backend_input.own
        for field in struct.fields:
            if struct.is_root and field.json_name == "metadata":
                self._metadata(field)
                continue
            if is_own:
                self._field(field)
            self._merging(field)
            inner = struct_behind(innermost_type(field.type), self._types)
            if inner is not None:
                if inner.id in self._open and is_own:
                    message = f"{quote(field.json_name)} leads back to `{inner.id.name}`, which a structural schema cannot express"
                    hint = "the API server does not check the objects below it; the admission webhook does"
                    self._report.warning("AG1505", field.place, message, hint=hint)
                self.struct(inner)
        if is_own:
            for default in struct.defaults:
                message = f"the default of {quote(str(default.path))} cannot be expressed in a CustomResourceDefinition"
                self._left_to_webhook(default.path.place, message)
            for union in struct.unions:
                unknown = next((each for each in union.members if set_member(each.json_name, struct) is None), None)
                if unknown is not None and union.place not in self._omitted:
                    self._omitted.add(union.place)
                    message = f"a CustomResourceDefinition cannot express whether {quote(unknown.json_name)} is set, so the union is omitted"
                    self._left_to_webhook(union.place, message)
        self._open.pop()

    def _field(self, field: Field) -> None:
        if field.default and structural_default(field, self._types) is None:
            case = field.default[0]
            why = "is not a constant value"
            if len(field.default) > 1 or case.when is not None:
                why = "depends on a condition"
            elif published_default(field, self._types) is not None:
                why = f"is greater than {MOST_INTEGER}"
            message = f"the default of {quote(field.json_name)} {why}, which a CustomResourceDefinition cannot express"
            self._left_to_webhook(field.place, message)
        if field.gate is not None and self._gates.is_disabled(field.gate):
            noted = self._backend_input.crd.gated == "note"
            outcome = "is described as disabled" if noted else "is omitted"
            message = f"{quote(field.json_name)} {outcome}: {names_of(field.gate)} is off by default in this release"
            hint = (
                'crd = { gated = "note" } keeps such fields'
                if not noted
                else 'crd = { gated = "leave-out" } removes such fields'
            )
            self._report.warning("AG1509", field.place, message, hint=hint)
        for part, constraints in _constraints_of(field):
            if unknown := [word for word, attribute in _WITHOUT_SCHEMA if getattr(constraints, attribute)]:
                message = f"{quote(unknown[0])} of {part}{quote(field.json_name)} cannot be expressed in a CustomResourceDefinition"
                self._left_to_webhook(field.place, message)
        format_ = field.constraints.format
        if format_ is not None and format_.value not in KNOWN_FORMATS:
            message = f"the API server ignores the format {quote(format_.value)}"
            self._left_to_webhook(format_.place, message)
        if field.constraints.unique_items is not None and field.constraints.unique_items.value:
            self._set(field.type, field.constraints.unique_items.place)

    def _metadata(self, field: Field) -> None:
        """The API server has the schema of an object's metadata, and accepts limits of its names only."""
        for each in field.constraints.subfields:
            if each.name.value not in LIMITED_METADATA:
                message = f"constraints on {quote(each.name.value)} of `metadata` cannot be expressed in a CustomResourceDefinition"
                self._left_to_webhook(each.name.place, message)

    def _left_to_webhook(self, place: Place, message: str) -> None:
        self._report.warning("AG1509", place, message, hint="the admission webhook applies it")

    def _merging(self, field: Field) -> None:
        merge = merge_of(field.type, field.merge, self._types)
        behind = underlying(field.type)
        if merge.list_type is None or not isinstance(behind, ListType):
            return
        if merge.list_type.value == "set":
            self._set(field.type, merge.list_type.place)
        if merge.list_type.value == "map":
            found = struct_behind(behind.item, self._types)
            if found is not None:
                self._keys(found, merge)

    def _keys(self, item: Struct, merge: MergeSpec) -> None:
        """Keys of a map list are required or have a default, or else two items without a key are the same."""
        for key in merge.list_map_keys:
            field = item.field(key.value)
            if field is None or field.required or structural_default(field, self._types) is not None:
                continue
            message = (
                f"{quote(key.value)} is a key of a list of `{item.id.name}`, and is neither required nor has a default"
            )
            hint = f"set `required: true` on {quote(key.value)}, or add a default"
            self._report.error("AG1501", key.place, message, hint=hint)

    def _set(self, type_: Type, place: Place) -> None:
        behind = underlying(type_)
        if not isinstance(behind, ListType) or self._is_atomic(behind.item):
            return
        message = f"the items of a set must be scalars or atomic, but these are {behind.item}"
        self._report.error("AG1502", place, message, hint="write `listType: atomic`, or `listType: map` with its keys")

    def _is_atomic(self, item: Type) -> bool:
        behind = underlying(item)
        match behind:
            case StructType(id_):
                struct = self._types[id_]
                merge = struct.merge if isinstance(struct, Struct) else MergeSpec()
            case ListType() | MapType():
                merge = merge_of(item, MergeSpec(), self._types)
            case _:
                return True
        words = (merge.list_type, merge.map_type, merge.struct_type)
        return any(word is not None and word.value == "atomic" for word in words)
