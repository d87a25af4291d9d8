"""Messages, with their nested declarations."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto

from apigen.dataclass import replace
from apigen.diagnostics.quoting import quote
from apigen.ir.names import proto_json_name
from apigen.language.model import NumberRange
from apigen.review.sources.proto.enums import read_enum
from apigen.review.sources.proto.fields import read_field
from apigen.review.sources.proto.options import Options, add_feature, read_options
from apigen.review.sources.proto.scope import Scope
from apigen.review.surface import Field, Lifecycle, Named, Slot, Struct, Tombstone, TypeDef, TypeName, Union, Unread

_FIELD, _NESTED, _ENUM, _EXTENSION_RANGE, _OPTIONS, _ONEOF, _RANGE, _NAME = 2, 3, 4, 5, 7, 8, 9, 10
"""Fields of DescriptorProto, for positions."""

_FEATURES = 12
_ONEOF_OPTIONS = 2
"""The options among the fields of OneofDescriptorProto."""
_MAX = 2**29


def read_message(message: DescriptorProto, name: TypeName, scope: Scope) -> Iterator[TypeDef]:
    """A message and the types within it, which are called `Outer.Inner`; the scope is within the message."""
    yield _struct(message, name, scope)
    for index, enum in enumerate(message.enum_type):
        inner = TypeName(name.group, name.version, f"{name.name}.{enum.name}")
        yield read_enum(enum, inner, scope.inside(enum.name, enum.options.features, _ENUM, index))
    for index, nested in enumerate(message.nested_type):
        if not nested.options.map_entry:
            inner = TypeName(name.group, name.version, f"{name.name}.{nested.name}")
            yield from read_message(nested, inner, scope.inside(nested.name, nested.options.features, _NESTED, index))


def _struct(message: DescriptorProto, name: TypeName, scope: Scope) -> Struct:
    options = read_options(message.options, (*scope.path, _OPTIONS), scope.positions, scope.declared)
    add_feature(options, "json_format", scope.features, (*scope.path, _OPTIONS, _FEATURES), scope.positions)
    _extension_ranges(options, message, scope)
    return Struct(
        name=name,
        fields=_fields(message, scope),
        slot=Slot(Named(name), scope.at(), doc=scope.doc()),
        place=scope.at(),
        tombstones=tuple(_tombstones(message, scope)),
        unions=tuple(_unions(message, scope)),
        wire_name=scope.full,
        file=scope.file,
        lifecycle=Lifecycle(is_deprecated=message.options.deprecated),
        options=options.pairs(),
        places=options.places,
    )


def _fields(message: DescriptorProto, scope: Scope) -> dict[str, Field]:
    """Return the fields by name, sorted: their order has no meaning."""
    found: dict[str, Field] = {}
    for index, field in enumerate(message.field):
        read = read_field(field, _field_scope(message, field, scope, index), _oneof(message, field))
        if read.name in found:
            words = f"{quote(field.name)} has the JSON name {quote(read.name)} of another field, so it is not compared"
            scope.unread.append(Unread(read.place, words))
        else:
            found[read.name] = read
    return dict(sorted(found.items()))


def _field_scope(message: DescriptorProto, field: FieldDescriptorProto, scope: Scope, index: int) -> Scope:
    """Within a field; a oneof's features hold of its members."""
    if _oneof(message, field):
        around = scope.features.inside(message.oneof_decl[field.oneof_index].options.features)
        scope = replace(scope, features=around)
    return scope.inside(field.name, field.options.features, _FIELD, index)


def _oneof(message: DescriptorProto, field: FieldDescriptorProto) -> str:
    """Return the oneof of a field; the synthetic oneof of an `optional` field of proto3 does not count."""
    is_member = field.HasField("oneof_index") and not field.proto3_optional
    return message.oneof_decl[field.oneof_index].name if is_member else ""


def _unions(message: DescriptorProto, scope: Scope) -> Iterator[Union]:
    members: dict[str, list[str]] = {}
    for field in message.field:
        members.setdefault(_oneof(message, field), []).append(field.json_name or proto_json_name(field.name))
    for index, oneof in enumerate(message.oneof_decl):
        if oneof.name in members:
            names = dict.fromkeys(sorted(members[oneof.name]))
            path = (*scope.path, _ONEOF, index, _ONEOF_OPTIONS)
            options = read_options(oneof.options, path, scope.positions, scope.declared)
            yield Union(
                oneof.name,
                names,
                scope.at(_ONEOF, index),
                optional=True,
                on_wire=True,
                options=options.pairs(),
                places=options.places,
            )


def _tombstones(message: DescriptorProto, scope: Scope) -> Iterator[Tombstone]:
    for index, numbers in enumerate(message.reserved_range):
        yield Tombstone("", NumberRange(numbers.start, numbers.end - 1), scope.at(_RANGE, index))
    for index, name in enumerate(message.reserved_name):
        yield Tombstone(proto_json_name(name), None, scope.at(_NAME, index))


def _extension_ranges(options: Options, message: DescriptorProto, scope: Scope) -> None:
    if message.extension_range:
        ranges = sorted((each.start, each.end - 1) for each in message.extension_range)
        words = ", ".join(f"{first} to {'max' if last >= _MAX - 1 else last}" for first, last in ranges)
        options.add("extensions", words, scope.at(_EXTENSION_RANGE, 0))
