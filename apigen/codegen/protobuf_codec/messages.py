"""The protobuf messages of a version, for the codec and the `.proto` text: fields by number, inline structs and named lists
as messages of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from apigen.codegen.containment import nested_in_themselves
from apigen.dataclass import dataclass
from apigen.ir.model import (
    Alias,
    Field,
    Inline,
    ListType,
    MapType,
    NamedType,
    Presence,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    is_bytes,
    is_container,
)
from apigen.ir.names import snake_case

ITEMS = "items"
"""The field of the message that a named list or map is."""


class Label(StrEnum):
    """How often a value may occur in a message."""

    SINGULAR = "singular"
    REPEATED = "repeated"
    MAP = "map"


@dataclass(frozen=True, slots=True)
class MessageField:
    """A field of a message.

    `type` is that of the value, of each element or of each value of the map; the only names left in it are those of
    lists and maps that are messages. It represents `source`: a field, or an inline struct whose message is `inline`,
    or None for the items of a named list.
    """

    number: int
    label: Label
    type: Type
    source: Field | Inline | None = None
    inline: Message | None = None

    @property
    def name(self) -> str:
        """Its key in the spec."""
        match self.source:
            case Field(json_name):
                return json_name
            case Inline(name):
                return name
        return ITEMS

    @property
    def protobuf_name(self) -> str:
        """Its name in `.proto` text."""
        return self.source.protobuf_name if self.source is not None else ITEMS

    @property
    def path_step(self) -> str:
        """The step in a path; empty if JSON and Python do not distinguish it from the value around it."""
        return self.source.json_name if isinstance(self.source, Field) else ""

    @property
    def attribute(self) -> str:
        """The attribute with its value; empty for the object itself."""
        return self.source.py_name if isinstance(self.source, Field) else ""

    @property
    def place(self) -> str:
        """The Python expression of its value in a function whose object is `obj`."""
        return f"obj.{self.attribute}" if self.attribute else "obj"

    @property
    def can_be_none(self) -> bool:
        """Return whether the value, list or map may be `None`."""
        return isinstance(self.source, Field) and self.source.can_be_none

    @property
    def omits_none(self) -> bool:
        """Return whether `None` is not written; otherwise (a time that is always present) it is written as an empty
        message.
        """
        match self.source:
            case Field(presence=Presence.OPTIONAL | Presence.NULLABLE):
                return True
            case Field(presence=Presence.OMIT_EMPTY, type=type_):
                return is_bytes(type_) or is_container(type_)
        return False


@dataclass(frozen=True, slots=True)
class Message:
    """The message of a struct, of a named list or map, or of an inline struct.

    `id` is the type that it represents and `holder` that of the Python object with its fields: the same, but for an
    inline struct. `snake_name` is in the names of its functions. `fields` are in order of number.
    """

    id: TypeId
    snake_name: str
    holder: StructType | NamedType
    fields: tuple[MessageField, ...]

    @property
    def is_inline(self) -> bool:
        """Return whether its fields are attributes of the struct around it."""
        return self.holder.id != self.id

    def with_inlines(self) -> Iterator[Message]:
        """The messages of its inline structs, then this one."""
        for field in self.fields:
            if field.inline is not None:
                yield from field.inline.with_inlines()
        yield self


def messages_of(types: Iterable[TypeDef]) -> tuple[Message, ...]:
    """The messages of types, in their order, without those of inline structs."""
    return tuple(message for type_ in types if (message := message_of(type_)) is not None)


def message_of(type_: TypeDef) -> Message | None:
    """Return the message of a struct, or of a named list or map that may be `None`; None for other types.

    A struct whose fields have no numbers, of a group without protobuf, has no message either.
    """
    match type_:
        case Struct(is_numbered=False):
            return None
        case Struct():
            return Message(type_.id, type_.snake_name, StructType(type_.id, type_.has_type_meta), _fields(type_, ()))
        case Alias(id_, _, target, snake_name, nullable=True) if is_container(target):
            label, value = label_and_value(target)
            return Message(id_, snake_name, NamedType(id_, target, nullable=True), (MessageField(1, label, value),))
    return None


def label_and_value(type_: Type) -> tuple[Label, Type]:
    """Return how often a value of a type may occur in a message, and the type of each occurrence."""
    type_ = bare_type(type_)
    match type_:
        case ListType(item):
            return Label.REPEATED, bare_type(item)
        case MapType(_, value):
            return Label.MAP, bare_type(value)
    return Label.SINGULAR, type_


def bare_type(type_: Type) -> Type:
    """The type behind all names, but for names of lists and maps that are messages."""
    while isinstance(type_, NamedType) and not (type_.nullable and is_container(type_)):
        type_ = type_.target
    return type_


def _fields(struct: Struct, via: tuple[str, ...]) -> tuple[MessageField, ...]:
    own = [_field(field) for field in struct.fields if field.via == via]
    inline = [_inline_field(struct, inline) for inline in struct.inlines if inline.via == via]
    return tuple(sorted(own + inline, key=lambda field: field.number))


def _field(field: Field) -> MessageField:
    if field.number is None:
        raise ValueError(f"{field.place}: field `{field.json_name}` has no protobuf number")
    label, value = label_and_value(field.type)
    return MessageField(field.number, label, value, field)


def _inline_field(struct: Struct, inline: Inline) -> MessageField:
    via = (*inline.via, inline.name)
    snake_name = "__".join([struct.snake_name, *map(snake_case, via)])
    message = Message(inline.type.id, snake_name, StructType(struct.id), _fields(struct, via))
    if inline.number is None:
        raise ValueError(f"{inline.place}: inline field `{inline.name}` has no protobuf number")
    return MessageField(inline.number, Label.SINGULAR, inline.type, inline, message)


def recursive(types: Iterable[TypeDef]) -> frozenset[TypeId]:
    """Return the types whose messages may contain themselves, and those between two such types."""
    messages = {message.id: message for message in messages_of(types)}
    return nested_in_themselves({id_: set(_contained(m)) & messages.keys() for id_, m in messages.items()})


def _contained(message: Message) -> Iterator[TypeId]:
    for field in message.fields:
        if field.inline is not None:
            yield from _contained(field.inline)
        elif isinstance(field.type, StructType | NamedType):
            yield field.type.id
