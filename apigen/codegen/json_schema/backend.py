"""Schemas of each version, as OpenAPI v3 with Kubernetes' extensions: `<group>/<version>/schema.json`.

Each node declares its type, as in structural schemas; a type that is used in several places is a schema of its own
(`$ref`), and a file contains all schemas that its version uses. CEL rules are `x-kubernetes-validations`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from apigen.codegen.backend_input import BackendInput, VersionTypes, versions
from apigen.codegen.output import OutputFile, text_file
from apigen.ir.formats import ANY_JSON, EMBEDDED_RESOURCE, is_format
from apigen.ir.literals import (
    EnumText,
    KnownValue,
    ListValue,
    LiteralValue,
    MapValue,
    NullValue,
    PlainValue,
    StructValue,
    literal_value,
)
from apigen.ir.model import (
    Alias,
    Declared,
    EnumType,
    Field,
    ListType,
    MapType,
    NamedType,
    Presence,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    Union,
    WellKnown,
    WellKnownType,
    declared_by,
    enum_of,
    struct_of,
)
from apigen.ir.names import HUB_VERSION, package_name
from apigen.ir.ruled import rules_of_struct
from apigen.language.json_values import JsonValue
from apigen.language.model import Constraints, Located, MergeSpec, RuleSpec
from apigen.runtime.json_values import encode_bytes

Schema = dict[str, JsonValue]

_SCALARS: Mapping[Scalar, Schema] = {
    Scalar.STRING: {"type": "string"},
    Scalar.BOOL: {"type": "boolean"},
    Scalar.INT32: {"type": "integer", "format": "int32"},
    Scalar.INT64: {"type": "integer", "format": "int64"},
    Scalar.UINT32: {"type": "integer", "format": "int64", "minimum": 0, "maximum": 2**32 - 1},
    Scalar.UINT64: {"type": "integer", "minimum": 0, "maximum": 2**64 - 1},
    Scalar.FLOAT32: {"type": "number", "format": "float"},
    Scalar.FLOAT64: {"type": "number", "format": "double"},
    Scalar.BYTES: {"type": "string", "format": "byte"},
}
_INT_OR_STRING: Schema = {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True}
_KNOWN: Mapping[WellKnown, Schema] = {
    WellKnown.TIME: {"type": "string", "format": "date-time", "nullable": True},
    WellKnown.MICRO_TIME: {"type": "string", "format": "date-time", "nullable": True},
    WellKnown.DURATION: {"type": "string"},
    WellKnown.QUANTITY: _INT_OR_STRING,
    WellKnown.INT_OR_STRING: _INT_OR_STRING,
    WellKnown.RAW_EXTENSION: {"type": "object", "nullable": True, "x-kubernetes-preserve-unknown-fields": True},
    WellKnown.FIELDS_V1: {"type": "object", "nullable": True, "x-kubernetes-preserve-unknown-fields": True},
}
_SIMPLE = (
    ("minLength", "min_length"),
    ("maxLength", "max_length"),
    ("pattern", "pattern"),
    ("minItems", "min_items"),
    ("maxItems", "max_items"),
    ("minProperties", "min_properties"),
    ("maxProperties", "max_properties"),
    ("multipleOf", "multiple_of"),
)


IMMUTABLE: Schema = {"rule": "self == oldSelf", "message": "field is immutable"}
"""The rule of an immutable value."""


def scalar_schema(type_: ScalarType | WellKnownType) -> Schema:
    """The schema of a scalar or a well-known type."""
    found = _SCALARS[type_.scalar] if isinstance(type_, ScalarType) else _KNOWN[type_.known]
    return dict(found)


def constraint_words(constraints: Constraints, type_: Type) -> Schema:
    """Return the keywords for constraints on a value of a type. Those without a keyword (bytes, requirements) are
    omitted; validation enforces them.
    """
    words: Schema = {}
    for bound, least, greatest in (
        ("minimum", constraints.minimum, constraints.exclusive_minimum),
        ("maximum", constraints.maximum, constraints.exclusive_maximum),
    ):
        pick = max if bound == "minimum" else min
        bounds = [b.value for b in (least, greatest) if b is not None]
        if bounds:
            words[bound] = pick(bounds)
            if greatest is not None and words[bound] == greatest.value:
                words[f"exclusive{bound.capitalize()}"] = True
    for word, attribute in _SIMPLE:
        written = getattr(constraints, attribute)
        if written is not None:
            words[word] = written.value
    if is_format(constraints, EMBEDDED_RESOURCE):
        words["x-kubernetes-embedded-resource"] = True
    elif constraints.format is not None and not is_format(constraints, ANY_JSON):
        words["format"] = constraints.format.value
    unique = constraints.unique_items
    if unique is not None and unique.value and isinstance(type_, ListType) and not isinstance(type_.item, StructType):
        words["x-kubernetes-list-type"] = "set"
    rules = rules_of(constraints)
    if rules:
        words["x-kubernetes-validations"] = rules
    return words


def without_type(schema: Schema, constraints: Constraints) -> Schema:
    """Return a schema without its type if the constraints allow any JSON value."""
    return (
        {word: value for word, value in schema.items() if word != "type"}
        if is_format(constraints, ANY_JSON)
        else schema
    )


def rules_of(constraints: Constraints) -> list[JsonValue]:
    """The CEL rules of a value, with that of `immutable`."""
    found: list[JsonValue] = [_rule(rule) for rule in constraints.rules]
    if constraints.immutable is not None and constraints.immutable.value:
        found.append(dict(IMMUTABLE))
    return found


def constrained(schema: Schema, words: Schema) -> Schema:
    """Return a schema with additional keywords; the constraints of both apply."""
    found = _with_keywords(schema, words)
    for word in schema.keys() & words.keys():
        old, new = schema[word], words[word]
        if word.startswith(("min", "max")) and isinstance(old, int | float) and isinstance(new, int | float):
            exclusive = f"exclusive{word.capitalize()}"
            is_old = old > new if word.startswith("min") else old < new
            is_open = exclusive in (schema if is_old else words) or (old == new and exclusive in schema)
            found[word] = old if is_old else new
            found |= {exclusive: True} if is_open else {}
            if not is_open:
                found.pop(exclusive, None)
        elif word == "x-kubernetes-validations" and isinstance(old, list) and isinstance(new, list):
            found[word] = [*old, *new]
        elif word in ("pattern", "format", "multipleOf") and old != new:
            inner = schema.get("allOf")
            found |= {word: old, "allOf": [*(inner if isinstance(inner, list) else []), {word: new}]}
    return found


def present(words: Mapping[str, JsonValue]) -> Schema:
    """Return the keywords that have a value: not null, and not an empty list or object."""
    return {word: value for word, value in words.items() if value is not None and value != [] and value != {}}


def merge_words(merge: MergeSpec) -> Schema:
    """Return the keywords for the merge strategy of a value."""
    return present(
        {
            "x-kubernetes-list-type": _value(merge.list_type),
            "x-kubernetes-list-map-keys": [key.value for key in merge.list_map_keys],
            "x-kubernetes-map-type": _value(merge.map_type or merge.struct_type),
            "x-kubernetes-patch-strategy": _value(merge.patch_strategy),
            "x-kubernetes-patch-merge-key": _value(merge.patch_merge_key),
        }
    )


def _rule(rule: RuleSpec) -> Schema:
    return present(
        {
            "rule": rule.rule.value,
            "message": _value(rule.message),
            "messageExpression": _value(rule.message_expression),
            "reason": _value(rule.reason),
            "fieldPath": _value(rule.field_path),
            "optionalOldSelf": _value(rule.optional_old_self),
        }
    )


def _value(written: Located[str] | Located[bool] | None) -> JsonValue:
    return None if written is None else written.value


def published_default(member: Field, types: Mapping[TypeId, TypeDef]) -> JsonValue:
    """Return the default of a field, if it is a value that does not depend on other fields; otherwise None."""
    if len(member.default) != 1:
        return None
    case = member.default[0]
    if case.value is None or case.when is not None or case.overwrite:
        return None
    return _json(literal_value(case.value, member.type, types))


def _json(value: LiteralValue) -> JsonValue:
    match value:
        case NullValue():
            return None
        case PlainValue(bytes() as plain):
            return encode_bytes(plain)
        case PlainValue(plain):
            assert not isinstance(plain, bytes)
            return plain
        case EnumText():
            return value.value
        case KnownValue(WellKnown.RAW_EXTENSION | WellKnown.FIELDS_V1, text):
            found: JsonValue = json.loads(text)
            return found
        case KnownValue(_, text):
            return text
        case ListValue(items):
            return [_json(item) for item in items]
        case MapValue(entries):
            return {key: _json(item) for key, item in entries}
        case StructValue(_, members):
            return {member.json_name: _json(item) for member, item in members}


OPENAPI = "3.0.3"


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """One file for each version that has types."""
    for version in versions(backend_input):
        if version.version != HUB_VERSION:
            path = f"{package_name(version.group)}/{version.version}/schema.json"
            yield text_file(path, _text(version, backend_input))


def _text(version: VersionTypes, backend_input: BackendInput) -> str:
    schemas = _Schemas(backend_input)
    for type_ in version.types:
        if isinstance(type_, Struct):
            schemas.ask(type_.id)
    group = backend_input.api.group(version.group)
    document = {
        "openapi": OPENAPI,
        "info": {
            "title": group.api_version(version.version),
            "version": version.version,
            "description": "Generated by apigen from the specs.",
        },
        "paths": {},
        "components": {"schemas": schemas.all()},
    }
    text = json.dumps(document, indent=1, ensure_ascii=False)
    if all(line.isprintable() for line in text.split("\n")):
        return text + "\n"
    return json.dumps(document, indent=1) + "\n"  # escapes invisible characters


class _Schemas:
    """The schemas of the requested structs, and of all structs that they reach."""

    def __init__(self, backend_input: BackendInput) -> None:
        self._backend_input = backend_input
        self._asked: dict[TypeId, None] = {}

    def ask(self, id_: TypeId) -> str:
        """The name of a struct's schema, which is then among all of them."""
        self._asked[id_] = None
        return f"{id_.group}.{id_.version}.{id_.name}"

    def all(self) -> dict[str, Schema]:
        """The schemas by name, sorted."""
        schemas: dict[TypeId, Schema] = {}
        while missing := [id_ for id_ in self._asked if id_ not in schemas]:
            for id_ in missing:
                schemas[id_] = self._struct(struct_of(id_, self._backend_input.types))
        return {
            self.ask(id_): schemas[id_] for id_ in sorted(schemas, key=lambda id_: (id_.group, id_.version, id_.name))
        }

    # --- structs

    def _struct(self, struct: Struct) -> Schema:
        types = self._backend_input.types
        type_meta: Schema = (
            {"apiVersion": {"type": "string"}, "kind": {"type": "string"}} if struct.has_type_meta else {}
        )
        kind: Schema = {}
        if struct.is_root and struct.has_type_meta:
            group = self._backend_input.api.group(struct.id.group)
            kind = {"group": group.name, "kind": struct.id.name, "version": struct.id.version}
        own = present(
            {
                "type": "object",
                "description": struct.doc or None,
                "required": [f.json_name for f in struct.fields if f.required],
                "properties": {**type_meta, **{f.json_name: self._field(f) for f in struct.fields}},
            }
        )
        extensions = present(
            {
                "x-kubernetes-validations": rules_of(Constraints(rules=rules_of_struct(struct, types))),
                "x-kubernetes-unions": [_union(union) for union in struct.unions],
                "x-kubernetes-group-version-kind": [kind] if kind else None,
            }
        )
        return own | merge_words(struct.merge) | extensions

    def _field(self, member: Field) -> Schema:
        schema = self._value(member.type, declared_by(member))
        default = published_default(member, self._backend_input.types)
        around = present({"description": member.doc or None}) | ({} if default is None else {"default": default})
        marks = {
            "nullable": member.presence is Presence.NULLABLE,
            "deprecated": member.lifecycle.deprecated is not None,
        }
        return _with_keywords(schema, around | {word: True for word, is_set in marks.items() if is_set})

    # --- values

    def _value(self, type_: Type, declared: Declared) -> Schema:
        """Return the schema of a value of a type, with the constraints at its place and those of its named types."""
        match type_:
            case NamedType():
                return self._named(type_, declared)
            case StructType(id_):
                schema: Schema = {"$ref": f"#/components/schemas/{self.ask(id_)}"}
            case ListType(item):
                schema = {"type": "array", "items": self._value(item, Declared(declared.items))}
            case MapType(key, value):
                schema = {"type": "object", "additionalProperties": self._value(value, Declared(declared.values))}
                names = self._value(key, Declared(declared.keys))
                if names != {"type": "string"}:
                    schema["x-apigen-property-names"] = names  # structural schemas have no constraints on keys
            case EnumType(id_):
                schema = self._enum(id_)
            case ScalarType() | WellKnownType():
                schema = scalar_schema(type_)
        schema = _with_keywords(schema, merge_words(declared.merge))
        for each in declared.own:
            schema = constrained(without_type(schema, each), constraint_words(each, type_))
        return schema

    def _named(self, type_: NamedType, declared: Declared) -> Schema:
        alias = self._backend_input.types.get(type_.id)
        if not isinstance(alias, Alias):
            return self._value(type_.target, declared)
        schema = self._value(type_.target, declared.with_named(alias))
        return _with_keywords(schema, {"nullable": True}) if type_.nullable else schema

    def _enum(self, id_: TypeId) -> Schema:
        enum = enum_of(id_, self._backend_input.types)
        schema: Schema = {"type": "string"}
        if not enum.open:
            schema["enum"] = [value.value for value in enum.values]
        return schema


def _with_keywords(schema: Schema, words: Schema) -> Schema:
    """Return a schema with additional keywords; keywords next to `$ref` are ignored, so it is wrapped in `allOf`."""
    if not words:
        return schema
    if "$ref" in schema:
        return {"allOf": [schema], **words}
    return schema | words


def _union(union: Union) -> Schema:
    members: Schema = {m.json_name: m.value or m.json_name for m in union.members}
    discriminator: Schema = {"discriminator": union.discriminator} if union.discriminator else {}
    return {**discriminator, "fields-to-discriminateBy": members}
