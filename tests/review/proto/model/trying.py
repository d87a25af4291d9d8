"""Tries pairs of messages: what one side writes, the other reads, in bytes and JSON."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import DecodeError, EncodeError, Message

from apigen.diagnostics import Report
from apigen.inputs.proto.proto import Proto
from apigen.inputs.proto.reading import compile_tree, read_tree
from apigen.inputs.source import Setting
from apigen.ir.surface import Surface
from apigen.review.results import Direction, Preset
from apigen.review.review import review
from apigen.review.rules.registry import RULES
from apigen.review.rules.rule import Rule
from tests.review.proto.model.making import ThingText, changed, thing

HEAD = 'edition = "2023";\npackage made;\noption features.field_presence = IMPLICIT;\n'
_TRIES = 12
_NAME = "things.proto"
_INTEGERS = (0, 1, 5, 2**31 - 1)
_SIGNED = (*_INTEGERS, -1, -(2**31))
_VALUES: dict[int, Callable[[random.Random], object]] = {
    FieldDescriptor.TYPE_BOOL: lambda r: r.choice((False, True)),
    FieldDescriptor.TYPE_STRING: lambda r: r.choice(("", "a", "12", "ü")),
    FieldDescriptor.TYPE_BYTES: lambda r: r.choice((b"", b"a", b"\xff\x00")),
    FieldDescriptor.TYPE_FLOAT: lambda r: r.choice((0.0, 1.0, 0.5)),
    FieldDescriptor.TYPE_DOUBLE: lambda r: r.choice((0.0, 1.0, 0.1, 1e300)),
    **{
        kind: lambda r: r.choice(_SIGNED)
        for kind in (FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_SINT32, FieldDescriptor.TYPE_SFIXED32)
    },
    **{
        kind: lambda r: r.choice((*_INTEGERS, 2**32 - 1))
        for kind in (FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_FIXED32)
    },
    **{
        kind: lambda r: r.choice((*_SIGNED, 2**63 - 1, -(2**63)))
        for kind in (FieldDescriptor.TYPE_INT64, FieldDescriptor.TYPE_SINT64, FieldDescriptor.TYPE_SFIXED64)
    },
    **{
        kind: lambda r: r.choice((*_INTEGERS, 2**64 - 1))
        for kind in (FieldDescriptor.TYPE_UINT64, FieldDescriptor.TYPE_FIXED64)
    },
}


@dataclass(frozen=True)
class Unsound:
    """A pair that a review calls safe in a direction, and that is not."""

    old: str
    new: str
    directions: tuple[Direction, ...]
    what: str
    findings: tuple[str, ...]


@dataclass(frozen=True)
class Tried:
    """What came of a batch: how many pairs, those that are unsound, and findings that no value showed, by rule."""

    pairs: int
    unsound: tuple[Unsound, ...]
    unshown: dict[str, int]


def batch(seed: int, count: int, rules: Iterable[Rule] = RULES) -> Tried:
    """Generate pairs, review them together, and try each."""
    chance = random.Random(seed)
    olds = [thing(chance) for _ in range(count)]
    news = [changed(chance, each) for each in olds]
    with tempfile.TemporaryDirectory() as folder:
        old, new = (_side(Path(folder), side, things) for side, things in (("old", olds), ("new", news)))
    findings = review(old[0], new[0], Preset.API, rules).findings
    unsound: list[Unsound] = []
    unshown: dict[str, int] = {}
    for index in range(count):
        name = f"T{index}"
        mine = [each for each in findings if each.element.type.partition(".")[0] == name]
        effects = {direction for each in mine for direction in each.effects}
        shown = {way: next(_wrong(way, old[1], new[1], name, chance), "") for way in ("forth", "back")}
        for way, directions in _DIRECTIONS.items():
            missed = tuple(each for each in directions if each not in effects)
            if shown[way] and missed:
                texts = olds[index].text(name), news[index].text(name)
                unsound.append(
                    Unsound(*texts, missed, shown[way], tuple(f"{each.rule} {each.element}" for each in mine))
                )
        if not any(shown.values()):
            for each in mine:
                if each.effects:
                    unshown[each.rule] = unshown.get(each.rule, 0) + 1
    return Tried(count, tuple(unsound), unshown)


_DIRECTIONS = {
    "forth": (Direction.OLD_CLIENT, Direction.STORED),
    "back": (Direction.NEW_CLIENT, Direction.ROLLBACK),
}


def _side(folder: Path, side: str, things: list[ThingText]) -> tuple[Surface, descriptor_pool.DescriptorPool]:
    path = folder / side / _NAME
    path.parent.mkdir()
    path.write_text(HEAD + "".join(each.text(f"T{index}") for index, each in enumerate(things)), "utf-8")
    report = Report()
    surface = Proto().load(side, Setting(folder), report)
    tree = read_tree(path.parent, side, report)
    data = None if tree is None else compile_tree(tree, lambda name: name, report)
    assert surface is not None and data is not None, [
        (str(each.place), each.message, each.source_line) for each in report.diagnostics
    ]
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(data).file:
        pool.Add(file)
    return surface, pool


def _wrong(
    way: str, old: descriptor_pool.DescriptorPool, new: descriptor_pool.DescriptorPool, name: str, chance: random.Random
) -> Iterator[str]:
    """What does not arrive as it was written."""
    writer, reader = (
        each.FindMessageTypeByName(f"made.{name}") for each in ((old, new) if way == "forth" else (new, old))
    )
    for attempt in range(_TRIES):
        written = message_factory.GetMessageClass(writer)()
        _fill(written, chance, share=0.0 if attempt == 0 else 0.6)
        yield from _crossed(written, reader)


def _crossed(written: Message, reader: Descriptor) -> Iterator[str]:
    kind = message_factory.GetMessageClass(reader)
    try:
        read = kind()
        read.ParseFromString(written.SerializeToString())
        yield from (f"bytes: {each}" for each in _different(written, read))
    except (DecodeError, EncodeError) as error:
        yield f"bytes are rejected: {error}"
    try:
        read = kind()
        json_format.Parse(json_format.MessageToJson(written), read, ignore_unknown_fields=True)
        if not read.IsInitialized():
            yield "JSON lacks a required field"
        yield from (f"JSON: {each}" for each in _different(written, read))
    except json_format.ParseError as error:
        yield f"JSON is rejected: {error}"


def _fill(message: Message, chance: random.Random, share: float) -> None:
    for field in _fields(message):
        if field.is_required or chance.random() < share:
            _set(message, field, chance, share)


def _fields(message: Message) -> Sequence[FieldDescriptor]:
    return cast("Sequence[FieldDescriptor]", message.DESCRIPTOR.fields)


def _set(message: Message, field: FieldDescriptor, chance: random.Random, share: float) -> None:
    kind = field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        value = kind.fields_by_name["value"]
        target = getattr(message, field.name)
        if value.message_type is not None:
            _fill(target["a"], chance, share)
        else:
            target["a"] = _value(value, chance)
    elif field.is_repeated:
        target = getattr(message, field.name)
        if kind is not None:
            _fill(target.add(), chance, share)
        else:
            target.extend(_value(field, chance) for _ in range(chance.randint(1, 3)))
    elif kind is not None:
        part = getattr(message, field.name)
        part.SetInParent()
        _fill(part, chance, share)
    else:
        setattr(message, field.name, _value(field, chance))


def _value(field: FieldDescriptor, chance: random.Random) -> object:
    if field.enum_type is not None:
        return chance.choice([value.number for value in field.enum_type.values])
    return _VALUES[field.type](chance)


def _different(written: Message, read: Message) -> Iterator[str]:
    """Fields, by their JSON names, that mean something else now; those that only the reader has are not looked at."""
    theirs = {field.json_name: field for field in _fields(read)}
    for field in _fields(written):
        other = theirs.get(field.json_name)
        is_set = bool(getattr(written, field.name)) if not field.has_presence else written.HasField(field.name)
        if other is None:
            if is_set:
                yield f"{field.json_name} is lost"
        elif field.has_presence and other.has_presence and is_set != read.HasField(other.name):
            yield f"{field.json_name} is set on one side only"
        elif _plain(written, field) != _plain(read, other):
            yield f"{field.json_name} is {_plain(read, other)!r} instead of {_plain(written, field)!r}"


def _plain(message: Message, field: FieldDescriptor) -> object:
    value = getattr(message, field.name)
    if field.enum_type is not None and not field.is_repeated:
        known = field.enum_type.values_by_number.get(value)
        return value if known is None else known.name
    if field.enum_type is not None:
        return [
            field.enum_type.values_by_number[each].name if each in field.enum_type.values_by_number else each
            for each in value
        ]
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        inner = field.message_type.fields_by_name["value"]
        return {key: _inner(inner, each) for key, each in value.items()}
    if field.message_type is not None:
        return [_parts(each) for each in value] if field.is_repeated else _parts(value)
    return list(value) if field.is_repeated else value


def _inner(field: FieldDescriptor, value: object) -> object:
    if isinstance(value, Message):
        return _parts(value)
    if field.enum_type is not None:
        return next((each.name for each in field.enum_type.values if each.number == value), value)
    return value


def _parts(message: Message) -> object:
    return {field.json_name: value for field, value in message.ListFields()}
