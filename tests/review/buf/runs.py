"""Runs python's protobuf on both sides of a case: what one side writes, in bytes and JSON, the other one reads."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import DecodeError, Message

from apigen.diagnostics import Report
from apigen.inputs.proto.reading import compile_tree, read_tree
from tests.review.buf.cases import CASES

_TRIES = 60
_VALUES: dict[int, Callable[[random.Random], object]] = {
    FieldDescriptor.CPPTYPE_INT32: lambda r: r.choice((0, 1, -7, 2**31 - 1)),
    FieldDescriptor.CPPTYPE_INT64: lambda r: r.choice((0, 1, -7, 2**53)),
    FieldDescriptor.CPPTYPE_UINT32: lambda r: r.choice((0, 1, 2**32 - 1)),
    FieldDescriptor.CPPTYPE_UINT64: lambda r: r.choice((0, 1, 2**53)),
    FieldDescriptor.CPPTYPE_DOUBLE: lambda r: r.choice((0.0, 0.5, -3.0)),
    FieldDescriptor.CPPTYPE_FLOAT: lambda r: r.choice((0.0, 0.5, -3.0)),
    FieldDescriptor.CPPTYPE_BOOL: lambda r: r.choice((False, True)),
    FieldDescriptor.CPPTYPE_STRING: lambda r: r.choice(("", "a", "b c")),
}


@cache
def pool(case: str, side: str) -> descriptor_pool.DescriptorPool:
    """The types of one side of a case."""
    report = Report()
    tree = read_tree(CASES / case / side, side, report)
    data = None if tree is None else compile_tree(tree, lambda name: name, report)
    assert data is not None, report.diagnostics
    found = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(data).file:
        found.Add(file)
    return found


def failures(case: str, message: str) -> list[str]:
    """What does not arrive as it was written, of the scalar fields that both sides have; in both directions."""
    old, new = (pool(case, side).FindMessageTypeByName(message) for side in ("old", "new"))
    found = [*_crossing(old, new, "old to new"), *_crossing(new, old, "new to old")]
    return sorted(set(found))


def _crossing(writer: Descriptor, reader: Descriptor, way: str) -> Iterator[str]:
    names = [name for name in writer.fields_by_name if _is_plain(writer, name) and _is_plain(reader, name)]
    chance = random.Random(writer.full_name)
    for _ in range(_TRIES):
        written = message_factory.GetMessageClass(writer)()
        for name in names:
            if chance.random() < 0.6:
                field = writer.fields_by_name[name]
                setattr(written, name, _value(field, chance))
        for form, read in _read(written, message_factory.GetMessageClass(reader)):
            if read is None:
                yield f"{form} is rejected, {way}"
                continue
            yield from (f"{name}, {way}" for name in names if not _arrived(written, read, name))


def _is_plain(message: Descriptor, name: str) -> bool:
    field = message.fields_by_name.get(name)
    return field is not None and not field.is_repeated and field.cpp_type in _VALUES


def _value(field: FieldDescriptor, chance: random.Random) -> object:
    value = _VALUES[field.cpp_type](chance)
    return str(value).encode() if field.type == FieldDescriptor.TYPE_BYTES else value


def _read(written: Message, reader: type[Message]) -> Iterator[tuple[str, Message | None]]:
    """What is read of bytes and of JSON; None where it is rejected."""
    in_bytes, in_json = reader(), reader()
    try:
        in_bytes.ParseFromString(written.SerializePartialToString())
        yield "bytes", in_bytes
    except DecodeError:
        yield "bytes", None
    try:
        yield "JSON", json_format.Parse(json_format.MessageToJson(written), in_json, ignore_unknown_fields=True)
    except json_format.ParseError:
        yield "JSON", None


def _arrived(written: Message, read: Message, name: str) -> bool:
    """The same value; and set where it was set, if both sides can tell."""
    fields = (each.DESCRIPTOR.fields_by_name[name] for each in (written, read))
    if all(field.has_presence for field in fields) and written.HasField(name) != read.HasField(name):
        return False
    return bool(getattr(written, name) == getattr(read, name))
