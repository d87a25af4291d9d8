"""Protobuf encodings of scalars, as far as they differ."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.review.context import Context
from apigen.review.surface import Element, Scalars, Struct, Surface, field_of, struct_of

_VARINT, _ZIGZAG, _FOUR, _EIGHT = "a varint", "a zigzag varint", "four bytes", "eight bytes"
_FORMS: Mapping[Scalars, str] = {
    Scalars.BOOL: _VARINT,
    Scalars.INT32: _VARINT,
    Scalars.INT64: _VARINT,
    Scalars.UINT32: _VARINT,
    Scalars.UINT64: _VARINT,
    Scalars.SINT32: _ZIGZAG,
    Scalars.SINT64: _ZIGZAG,
    Scalars.FIXED32: _FOUR,
    Scalars.SFIXED32: _FOUR,
    Scalars.FIXED64: _EIGHT,
    Scalars.SFIXED64: _EIGHT,
    Scalars.STRING: "a string",
    Scalars.BYTES: "bytes",
    Scalars.TIME: "a timestamp",
    Scalars.MICRO_TIME: "a timestamp",
    **dict.fromkeys((Scalars.RAW_EXTENSION, Scalars.ANYTHING), "raw JSON"),
}
_SIGNED = {Scalars.INT32: 32, Scalars.SINT32: 32, Scalars.SFIXED32: 32}
_SIGNED |= {Scalars.INT64: 64, Scalars.SINT64: 64, Scalars.SFIXED64: 64}
_UNSIGNED = {Scalars.BOOL: 1, Scalars.UINT32: 32, Scalars.FIXED32: 32, Scalars.UINT64: 64, Scalars.FIXED64: 64}


def wire_form(scalar: Scalars) -> str:
    """Return how protobuf encodes a scalar. Two scalars of one encoding are read as each other."""
    return _FORMS.get(scalar, f"the encoding of {scalar.value}")


def is_whole_number(scalar: Scalars) -> bool:
    """Return whether protobuf encodes a scalar as an integer."""
    return scalar in _SIGNED or scalar in _UNSIGNED


def lost_numbers(writer: Scalars, reader: Scalars) -> list[int]:
    """Return numbers that another scalar of the same encoding reads as other numbers: the first beyond each end of its range."""
    mine, theirs = _range(writer), _range(reader)
    return [each for each in (theirs.start - 1, theirs.stop) if each in mine]


def _range(scalar: Scalars) -> range:
    if scalar in _SIGNED:
        end = 2 ** (_SIGNED[scalar] - 1)
        return range(-end, end)
    return range(2 ** _UNSIGNED[scalar])


def is_on_wire(element: Element, context: Context) -> bool:
    """Return whether an element is in a field with a number on both sides, or in a type whose fields have numbers."""
    return all(_has_number(surface, element) for surface in (context.old, context.new))


def _has_number(surface: Surface, element: Element) -> bool:
    struct = struct_of(surface, element)
    if struct is not None:
        field = field_of(struct, element.path)
        return field is not None and field.number is not None
    version = surface.version(element.group, element.version)
    structs = (type_ for type_ in version.types.values() if isinstance(type_, Struct)) if version is not None else ()
    return any(field.number is not None for each in structs for field in each.fields.values())
