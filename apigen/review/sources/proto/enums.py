"""Enums."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.descriptor_pb2 import EnumDescriptorProto, EnumValueDescriptorProto

from apigen.language.model import NumberRange
from apigen.review.sources.proto.options import add_feature, read_options
from apigen.review.sources.proto.scope import Scope
from apigen.review.surface import Enum, EnumValue, Lifecycle, Tombstone, TypeName

_VALUE, _OPTIONS, _RANGE, _NAME = 2, 3, 4, 5
"""Fields of EnumDescriptorProto, for positions."""

_FEATURES = 7
_VALUE_OPTIONS = 3
"""The options among the fields of EnumValueDescriptorProto."""


def read_enum(enum: EnumDescriptorProto, name: TypeName, scope: Scope) -> Enum:
    """An enum; the scope is within it. In JSON a value is its name, and an unknown name is rejected."""
    options = read_options(enum.options, (*scope.path, _OPTIONS), scope.positions, scope.declared)
    for feature in ("enum_type", "json_format"):
        add_feature(options, feature, scope.features, (*scope.path, _OPTIONS, _FEATURES), scope.positions)
    if enum.value:
        options.add("value of absence", str(enum.value[0].number), scope.at(_VALUE, 0))
    values = (_value(value, index, scope) for index, value in enumerate(enum.value))
    return Enum(
        name=name,
        values={value.value: value for value in values},
        place=scope.at(),
        tombstones=tuple(_tombstones(enum, scope)),
        doc=scope.doc(),
        wire_name=scope.full,
        file=scope.file,
        options=options.pairs(),
        is_deprecated=enum.options.deprecated,
        places=options.places,
    )


def _value(value: EnumValueDescriptorProto, index: int, scope: Scope) -> EnumValue:
    path = (*scope.path, _VALUE, index, _VALUE_OPTIONS)
    options = read_options(value.options, path, scope.positions, scope.declared)
    return EnumValue(
        value.name,
        scope.at(_VALUE, index),
        number=value.number,
        lifecycle=Lifecycle(is_deprecated=value.options.deprecated),
        doc=scope.doc(_VALUE, index),
        options=options.pairs(),
        places=options.places,
    )


def _tombstones(enum: EnumDescriptorProto, scope: Scope) -> Iterator[Tombstone]:
    for index, numbers in enumerate(enum.reserved_range):
        yield Tombstone("", NumberRange(numbers.start, numbers.end), scope.at(_RANGE, index))
    for index, name in enumerate(enum.reserved_name):
        yield Tombstone(name, None, scope.at(_NAME, index))
