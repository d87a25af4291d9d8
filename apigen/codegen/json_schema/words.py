"""The words of schemas: scalars, constraints, merging and CEL rules, as Kubernetes writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from apigen.ir.formats import ANY_JSON, EMBEDDED_RESOURCE, is_format
from apigen.ir.literal_values import (
    EnumText,
    KnownValue,
    ListValue,
    LiteralValue,
    MapValue,
    NullValue,
    PlainValue,
    StructValue,
)
from apigen.ir.literals import literal_value
from apigen.ir.model import Field, TypeDef
from apigen.ir.types import ListType, Scalar, ScalarType, StructType, Type, TypeId, WellKnown, WellKnownType
from apigen.language.model import Constraints, MergeSpec, RuleSpec
from apigen.runtime.json_values import encode_bytes

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Schema = dict[str, Json]

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
"""The rule of a value that stays as it is."""


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
        given = [b.value for b in (least, greatest) if b is not None]
        if given:
            words[bound] = pick(given)
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


def rules_of(constraints: Constraints) -> list[Json]:
    """The CEL rules of a value, with that of `immutable`."""
    found: list[Json] = [_rule(rule) for rule in constraints.rules]
    if constraints.immutable is not None and constraints.immutable.value:
        found.append(dict(IMMUTABLE))
    return found


def merge_words(merge: MergeSpec) -> Schema:
    """Return the keywords for the merge strategy of a value."""
    words: Schema = {}
    if merge.list_type is not None:
        words["x-kubernetes-list-type"] = merge.list_type.value
    if merge.list_map_keys:
        words["x-kubernetes-list-map-keys"] = [key.value for key in merge.list_map_keys]
    map_type = merge.map_type or merge.struct_type
    if map_type is not None:
        words["x-kubernetes-map-type"] = map_type.value
    if merge.patch_strategy is not None:
        words["x-kubernetes-patch-strategy"] = merge.patch_strategy.value
    if merge.patch_merge_key is not None:
        words["x-kubernetes-patch-merge-key"] = merge.patch_merge_key.value
    return words


def _rule(rule: RuleSpec) -> Schema:
    words: Schema = {"rule": rule.rule.value}
    for word, written in (
        ("message", rule.message),
        ("messageExpression", rule.message_expression),
        ("reason", rule.reason),
        ("fieldPath", rule.field_path),
        ("optionalOldSelf", rule.optional_old_self),
    ):
        if written is not None:
            words[word] = written.value
    return words


def published_default(member: Field, types: Mapping[TypeId, TypeDef]) -> Json:
    """The default of a field, if it is a value that holds whatever else the object says; else None."""
    if len(member.default) != 1:
        return None
    case = member.default[0]
    if case.value is None or case.when is not None or case.overwrite:
        return None
    return _json(literal_value(case.value, member.type, types))


def _json(value: LiteralValue) -> Json:
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
            found: Json = json.loads(text)
            return found
        case KnownValue(_, text):
            return text
        case ListValue(items):
            return [_json(item) for item in items]
        case MapValue(entries):
            return {key: _json(item) for key, item in entries}
        case StructValue(_, members):
            return {member.json_name: _json(item) for member, item in members}
