"""Fields, and extensions, which are fields declared outside of their message."""

from __future__ import annotations

import base64
import json
import math
import re

from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Proto

from apigen.diagnostics import Place
from apigen.ir.model import Presence
from apigen.ir.names import proto_json_name
from apigen.review.sources.proto.options import Features, Options, add_feature, read_options
from apigen.review.sources.proto.scope import Scope
from apigen.review.surface import Default, Field, Lifecycle, ListOf, MapOf, Named, Scalar, Scalars, Slot, Type

_FLOATS = {Proto.TYPE_FLOAT, Proto.TYPE_DOUBLE}
_TEXTS = {Proto.TYPE_STRING, Proto.TYPE_ENUM}
_LARGEST = 2**53
_ESCAPE = re.compile(rb"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


def default_text(field: Proto, first_value: str) -> str | None:
    """Return the declared default of a field as canonical JSON. None without one, or if it is the implicit default.

    `first_value` is that of the field's enum.
    """
    if not field.HasField("default_value"):
        return None
    declared = field.default_value
    if field.type == Proto.TYPE_BYTES:
        return json.dumps(base64.b64encode(_unescaped(declared)).decode()) if declared else None
    if field.type in _TEXTS:
        return None if declared == first_value else json.dumps(declared, ensure_ascii=False)
    if field.type == Proto.TYPE_BOOL:
        return "true" if declared == "true" else None
    return _number(declared, is_float=field.type in _FLOATS)


def _number(literal: str, *, is_float: bool) -> str | None:
    if not is_float:
        return literal if literal.strip("-0") else None
    value = float(literal)
    if math.isnan(value):
        return '"NaN"'
    if math.isinf(value):
        return '"Infinity"' if value > 0 else '"-Infinity"'
    if value.is_integer() and abs(value) < _LARGEST:
        return str(int(value)) if value or literal.startswith("-") else None
    return repr(value)


def _unescaped(literal: str) -> bytes:
    return _ESCAPE.sub(_escape, literal.encode())


def _escape(match: re.Match[bytes]) -> bytes:
    escape = match[1]
    if escape[:1] == b"x" and len(escape) > 1:
        return bytes([int(escape[1:], 16)])
    if escape.isdigit():
        return bytes([int(escape, 8) & 0xFF])
    return _LETTERS.get(escape, escape)


_TYPE, _TYPE_NAME, _DEFAULT, _OPTIONS = 5, 6, 7, 8
"""Fields of FieldDescriptorProto, for positions."""

_FEATURES = 21

_SCALARS = {
    Proto.TYPE_DOUBLE: Scalars.FLOAT64,
    Proto.TYPE_FLOAT: Scalars.FLOAT32,
    Proto.TYPE_INT64: Scalars.INT64,
    Proto.TYPE_UINT64: Scalars.UINT64,
    Proto.TYPE_INT32: Scalars.INT32,
    Proto.TYPE_FIXED64: Scalars.FIXED64,
    Proto.TYPE_FIXED32: Scalars.FIXED32,
    Proto.TYPE_BOOL: Scalars.BOOL,
    Proto.TYPE_STRING: Scalars.STRING,
    Proto.TYPE_BYTES: Scalars.BYTES,
    Proto.TYPE_UINT32: Scalars.UINT32,
    Proto.TYPE_SFIXED32: Scalars.SFIXED32,
    Proto.TYPE_SFIXED64: Scalars.SFIXED64,
    Proto.TYPE_SINT32: Scalars.SINT32,
    Proto.TYPE_SINT64: Scalars.SINT64,
}
_NOT_PACKED = {Proto.TYPE_STRING, Proto.TYPE_BYTES, Proto.TYPE_MESSAGE, Proto.TYPE_GROUP}
_MESSAGES = {Proto.TYPE_MESSAGE, Proto.TYPE_GROUP}


def read_field(field: Proto, scope: Scope, oneof: str = "") -> Field:
    """A field; the scope is within it. `oneof` is the one that it is a member of.

    A default of protobuf is the value that each reader uses for an unset field; no writer sets it. It has no effect on a
    required field.
    """
    features = scope.features
    options = read_options(field.options, (*scope.path, _OPTIONS), scope.positions, scope.declared)
    _wire_options(options, field, scope)
    required = field.label == Proto.LABEL_REQUIRED or features.field_presence == "LEGACY_REQUIRED"
    default = None if required else default_text(field, scope.symbols.first_values.get(field.type_name, ""))
    place = scope.at()
    type_place = scope.at(_TYPE_NAME if field.type_name else _TYPE)
    slot = Slot(
        _type(field, scope, type_place),
        type_place,
        default=None if default is None else Default(default, scope.at(_DEFAULT), is_read_time=False, of_readers=True),
        doc=scope.doc(),
    )
    return Field(
        name=field.json_name or proto_json_name(field.name),
        slot=slot,
        place=place,
        presence=_presence(field, features, oneof),
        required=required,
        number=field.number,
        wire_name=field.name,
        lifecycle=Lifecycle(is_deprecated=field.options.deprecated),
        options=options.pairs(),
        oneof=oneof,
        places=options.places,
    )


def _type(field: Proto, scope: Scope, place: Place) -> Type:
    entry = scope.symbols.maps.get(field.type_name)
    if entry is not None and field.label == Proto.LABEL_REPEATED:
        key, value = (Slot(_single(part, scope), place) for part in sorted(entry.field, key=lambda part: part.number))
        return MapOf(key, value)
    single = _single(field, scope)
    return ListOf(Slot(single, place)) if field.label == Proto.LABEL_REPEATED else single


def _single(field: Proto, scope: Scope) -> Type:
    scalar = _SCALARS.get(field.type)
    return Named(scope.symbols.type_name(field.type_name)) if scalar is None else Scalar(scalar)


def _presence(field: Proto, features: Features, oneof: str) -> Presence:
    """Return whether the field has explicit presence; without it, a zero value is omitted from bytes and JSON."""
    if field.label == Proto.LABEL_REPEATED:
        return Presence.OMIT_EMPTY
    has_bit = field.type in _MESSAGES or oneof or field.proto3_optional or features.field_presence != "IMPLICIT"
    return Presence.OPTIONAL if has_bit else Presence.OMIT_EMPTY


def _wire_options(options: Options, field: Proto, scope: Scope) -> None:
    """The features that decide the field's bytes, whether they are written at it or not."""
    features, place = scope.features, scope.at()
    path = (*scope.path, _OPTIONS, _FEATURES)
    is_map = field.type_name in scope.symbols.maps
    if field.label == Proto.LABEL_REPEATED and field.type not in _NOT_PACKED:
        packed = features.repeated_field_encoding == "PACKED"
        packed = field.options.packed if field.options.HasField("packed") else packed
        options.add("packed", "true" if packed else "false", scope.at(_OPTIONS, 2))
    if field.type == Proto.TYPE_STRING or (is_map and _has_text(field, scope)):
        add_feature(options, "utf8_validation", features, path, scope.positions)
    if field.type == Proto.TYPE_GROUP:
        options.add("message_encoding", "DELIMITED", place)
    elif field.type == Proto.TYPE_MESSAGE and not is_map:
        add_feature(options, "message_encoding", features, path, scope.positions)


def _has_text(field: Proto, scope: Scope) -> bool:
    return any(part.type == Proto.TYPE_STRING for part in scope.symbols.maps[field.type_name].field)
