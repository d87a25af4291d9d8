"""Write the protobuf codec of each version: `<group>/<version>/protobuf_codec.py`.

A message is merged into an existing object (`merge_…`), because protobuf merges a field that occurs twice;
`decode_…` creates the object. It is written as a string with a character for each byte (`write_…`), which `encode_…`
converts to bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from enum import IntEnum
from itertools import groupby

from apigen.codegen.backend_input import BackendInput, versions
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.protobuf_codec.messages import Label, Message, MessageField, messages_of, recursive
from apigen.codegen.python.source_text import HEADER, Imports, alternative, comment, text_literal
from apigen.codegen.python.values import blank
from apigen.codegen.rendering import render
from apigen.dataclass import dataclass, replace
from apigen.ir.model import (
    ListType,
    NamedType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    TypeDef,
    TypeId,
    WellKnownType,
    is_bytes,
    is_text,
    underlying,
)
from apigen.ir.names import Module, snake_case

VERBS = ("decode", "merge", "_merge", "encode", "write", "_write")
"""The prefixes of the functions of a message."""


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """The module of protobuf functions of every version."""
    nested_in_itself = recursive(backend_input.api.types.values())
    for version in versions(backend_input):
        messages = [inner for message in messages_of(version.types) for inner in message.with_inlines()]
        if messages and version.has_protobuf:
            module = Module.of(version.group, version.version, CODEC)
            defined = frozenset(f"{verb}_{message.snake_name}" for message in messages for verb in VERBS)
            values = Values(Imports(module, defined), backend_input.api.types, nested_in_itself)
            written = [_message(message, values) for message in messages]
            text = render(
                "protobuf_codec/module.py.jinja",
                header=HEADER,
                summary=f"The protobuf form of {version.title}, without the envelope.",
                library=_library(written, values),
                imports=values.imports.render(),
                messages=written,
            )
            yield text_file(module.path, text)


def _library(messages: Sequence[Mapping[str, object]], values: Values) -> dict[str, str]:
    """Return the names of the run-time library that the template uses for the values of these messages."""
    library = {name: values.reading(name) for name in ("WIRE_ERRORS", "located", "skip_unknown")}
    library["CHARACTERS"] = values.imports.runtime("CHARACTERS", PRIMITIVES)
    if any(message["depth"] for message in messages):
        library |= {"check_depth": values.reading("check_depth"), "check_nesting": values.writing("check_nesting")}
    if any(message["is_struct"] for message in messages):
        library["unfit_object"] = values.imports.runtime("unfit_object")
    if any(message["has_varints"] for message in messages):
        library["read_varint"] = values.imports.runtime("read_varint", PRIMITIVES)
    return library


def _message(message: Message, values: Values) -> dict[str, object]:
    """Return the values of the template for the functions of one message.

    `names` is the constant with the names of the fields, `prefix` is `_` for an inline struct, which has no
    `decode` of its own; `depth` is the parameter that counts where a type may contain itself.
    """
    values = replace(values, in_recursive=message.holder.id in values.recursive)
    type_ = values.imports.type_name(message.holder.id)
    is_named = isinstance(message.holder, NamedType)
    steps = ", ".join(f"{field.number}: {field_name(field)}" for field in message.fields)
    branches = [branch for field in message.fields for branch in _branches(field, values)]
    return {
        "name": message.snake_name,
        "title": f"the {message.id.name} message" + (f" of a {message.holder.id.name}" if message.is_inline else ""),
        "type": type_,
        "annotation": f": {type_}" if is_named else "",
        "source": f"{type_} | None" if is_named else type_,
        "empty": _empty(message.holder, values),
        "names": f"_{message.snake_name.upper()}",
        "names_value": f"{{{steps}}}",
        "prefix": "_" if message.is_inline else "",
        "depth": ", depth: int = 0" if values.in_recursive else "",
        "is_struct": not is_named and not message.is_inline,
        "branches": branches,
        "has_varints": any(branch.number for branch in branches),
        "writes": list(_writes(message, values)),
        "is_written_at_once": all(map(_is_always_written, message.fields)),
    }


RESERVED = frozenset(
    (
        "obj",
        "depth",
        "check_nesting",
        "out",
        "text",
        "body",
        "len",
        "map",
        "sorted",
        "utf8",
        "raw",
        "raw_or_none",
        "delimited",
        "float32",
        "float64",
        "map_entry",
        "boolean",
        "integer",
        "elements",
        "dict",
        "str",
        "type",
        "int",
        "unfit_object",
    )
    + ("text_map_entry",)
)
"""Names that the functions use themselves, and that no variable for the value of a field may have."""


@dataclass(frozen=True, slots=True)
class _Write:
    """How a field is written, or several ones that `is_always`.

    `literal` is the text to add if `test` is true or empty. It uses the variables of `assigned`, or the `variable` that
    takes each of the `elements` of a list or map; the texts of all elements are joined first if `is_joined`.
    """

    literal: str
    is_always: bool = False
    test: str = ""
    assigned: Sequence[tuple[str, str]] = ()
    variable: str = ""
    elements: str = ""
    is_joined: bool = False


def _writes(message: Message, values: Values) -> Iterator[_Write]:
    """Yield how the fields of `obj` are written, in order of number: adjacent ones that are always written together."""
    for always, group in groupby(message.fields, _is_always_written):
        if always:
            yield _together(tuple(group), values)
        else:
            yield from (_if_set(field, values) for field in group)
    if not message.fields:
        yield _Write('""', is_always=True)


def _is_always_written(field: MessageField) -> bool:
    return field.label is Label.SINGULAR and not field.omits_none


def _together(fields: Sequence[MessageField], values: Values) -> _Write:
    attributes = {field.attribute for field in fields}
    assigned, literals = [], []
    for field in fields:
        name = _variable(field, attributes)
        if field.inline is not None:
            value = f"_write_{field.inline.snake_name}(obj{', depth' if values.in_recursive else ''})"
            literal = values.with_size(field_tag(field), name)
        else:
            value, literal = values.part(field.type, field.number, field.place, name)
        if value:
            assigned.append((name, value))
        literals.append(literal)
    return _Write(" ".join(literals), is_always=True, assigned=assigned)


def _variable(field: MessageField, attributes: Set[str]) -> str:
    """A name for the value of a field, that of its attribute if it can be."""
    name = field.attribute or snake_case(field.name)
    own = RESERVED | (attributes - {name})
    while name in own or name.startswith("write_") or name.endswith("_protobuf_codec"):
        name = f"its_{name}" if f"its_{name}" not in own else f"{name}_"
    return name


def _condition(field: MessageField) -> str:
    """When a field is written, if not always."""
    if field.label is Label.SINGULAR:
        return f"{field.place} is not None"
    is_named_list = field.source is None  # which is `None` where an element is
    if not (field.can_be_none or is_named_list):
        return ""
    is_set = f"{field.place} is not None and {field.place}"
    return f"{is_set} != {{}}" if field.label is Label.MAP else f"{is_set} > []"


def _if_set(field: MessageField, values: Values) -> _Write:
    test = _condition(field)
    if field.label is Label.MAP:
        entries = f"sorted(dict.items({field.place}))"
        return _Write(_entry(field, values), test=test, variable="key, value", elements=entries, is_joined=True)
    is_number = wire_type(field.type) is not WireType.LENGTH
    if field.label is Label.SINGULAR:
        if is_number:
            return _Write(values.number_field(field.type, field.number, field.place), test=test)
        name = "text" if is_text(field.type) else "body"
        value, literal = values.part(field.type, field.number, field.place, name)
        return _Write(literal, test=test, assigned=[(name, value)])
    items = field.place if test else f"{values.imports.runtime('elements')}({field.place})"
    if is_number:
        literal = values.number_field(field.type, field.number, "item")
        return _Write(literal, test=test, variable="item", elements=items, is_joined=True)
    writer = values.writing("raw_or_none") if is_bytes(field.type) else values.writer(field.type)
    depth = values.depth_of(field.type)
    bodies = f"({writer}(item{depth}) for item in {items})" if depth else f"map({writer}, {items})"
    return _Write(values.with_size(field_tag(field), "body"), test=test, variable="body", elements=bodies)


def _entry(field: MessageField, values: Values) -> str:
    tag = tag_literal(field_tag(field))
    if is_text(field.type):
        return f'{values.writing("text_map_entry")}("{tag}", key, value)'
    entry = values.entry_value(field.type, "value")
    if is_bytes(field.type):  # as Kubernetes has it: `null` is an entry without a value
        entry = f'"" if value is None else {alternative(entry)}'
    return f'{values.writing("map_entry")}("{tag}", key, {entry})'


TEXT = "data[pos : pos + size].decode()"
"""The text of `size` bytes."""

KEY_STEP = 'f"[{key}]"'
"""The place of a value in its map."""


@dataclass(frozen=True, slots=True)
class _Branch:
    """How a field is read if one of its tags, of `width` bytes, is at `pos`: `test` is true then.

    The tag is followed by the variable `number` (a number itself or a `size`), or by `fixed_size` bytes. `target` is set to
    `empty` if it is `None`. `form` says how the value is stored:

    - `set`, `append`, `extend`: `value` is the new value, element or list;
    - `merge`: `function` merges the body into the target, with `depth` as an argument;
    - `append merged`: the same, for an element that is `value` before;
    - `entry`: `entry` is read as a key and `variable`, of which `value` is made.
    """

    test: str
    name: str
    is_repeated: bool
    width: int
    number: str
    fixed_size: int
    takes_body: bool
    takes_text: bool
    target: str
    empty: str
    form: str
    value: str = ""
    function: str = ""
    depth: str = ""
    variable: str = ""
    entry: str = ""


def _branch(field: MessageField, tag: int, values: Values, form: str, **texts: str) -> _Branch:
    """Return how a field with that tag is read; `texts` are those that its form has."""
    wire, takes_text = WireType(tag & 7), is_text(field.type) and field.label is not Label.MAP
    fixed_size = _FIXED_SIZES.get(wire, 0)
    return _Branch(
        test=_stands_here(tag),
        name=comment(field.name),
        is_repeated=field.label is not Label.SINGULAR,
        width=len(encoded_tag(tag)),
        number="" if fixed_size else "number" if wire is WireType.VARINT else "size",
        fixed_size=fixed_size,
        takes_body=wire is not WireType.VARINT and not takes_text,
        takes_text=takes_text,
        target=field.place,
        empty=_before_reading(field, values) if field.can_be_none else "",
        form=form,
        **texts,
    )


def _before_reading(field: MessageField, values: Values) -> str:
    """Return the value of a field to which the value that is read is added; empty if it is replaced."""
    match field.label:
        case Label.REPEATED:
            return "[]"
        case Label.MAP:
            return "{}"
    return _empty(field.type, values) if isinstance(field.type, StructType | NamedType) else ""


def _stands_here(tag: int) -> str:
    encoded = encoded_tag(tag)
    condition = f"tag == 0x{encoded[0]:02X}"
    match len(encoded):
        case 1:
            return condition
        case 2:
            return f"{condition} and data[pos + 1] == 0x{encoded[1]:02X}"
    return f'{condition} and data.startswith(b"{tag_literal(tag)}", pos)'


def field_name(field: MessageField) -> str:
    """Return the literal that names a field in errors: its name, and for a list of messages its attribute, too, as
    errors have an index.
    """
    name = text_literal(field.path_step)
    if field.label is Label.REPEATED and packed_tag(field) is None:
        return f"({name}, {text_literal(field.attribute)})"
    return name


def _branches(field: MessageField, values: Values) -> Iterator[_Branch]:
    """Yield how a field is read, for each tag with which it may be written."""
    stored = {Label.SINGULAR: _singular, Label.MAP: _map, Label.REPEATED: _repeated}[field.label]
    yield _branch(field, field_tag(field), values, **stored(field, values))
    packed = packed_tag(field)
    if packed is not None:
        yield _branch(field, packed, values, "extend", value=_packed(field.type, values))


def _singular(field: MessageField, values: Values) -> dict[str, str]:
    if is_text(field.type):  # very often empty
        return {"form": "set", "value": TEXT if field.omits_none else f'{TEXT} if size else ""'}
    if field.inline is not None:
        depth = ", depth=depth" if values.in_recursive else ""
        return {"form": "merge", "function": f"_merge_{field.inline.snake_name}", "depth": depth}
    if isinstance(field.type, StructType | NamedType):
        return {"form": "merge", **_merge(field.type, values)}
    return {"form": "set", "value": values.read(field.type)}


def _merge(type_: StructType | NamedType, values: Values) -> dict[str, str]:
    return {"function": values.function("merge", type_.id), "depth": values.depth(type_.id)}


def _repeated(field: MessageField, values: Values) -> dict[str, str]:
    if isinstance(field.type, StructType):
        variable = f"new_{values.types[field.type.id].snake_name}"
        merge = _merge(field.type, values)
        return {"form": "append merged", "variable": variable, "value": _empty(field.type, values), **merge}
    return {"form": "append", "value": TEXT if is_text(field.type) else values.read(field.type)}


def _packed(type_: Type, values: Values) -> str:
    """Return the list of numbers in a body."""
    if isinstance(type_, ScalarType) and type_.scalar in (Scalar.FLOAT32, Scalar.FLOAT64):
        return f"{values.reading(f'read_{type_.scalar.value}s')}(body)"
    return f"[{values.read(type_)} for number in {values.reading('read_varints')}(body)]"


def _map(field: MessageField, values: Values) -> dict[str, str]:
    if is_text(field.type):
        return {"form": "merge", "function": values.reading("add_text_entry")}
    match wire_type(field.type):
        case WireType.VARINT:
            variable, entry = "number", f"{values.reading('read_number_entry')}(body)"
        case WireType.LENGTH:
            variable, entry = "body", f"{values.reading('read_entry')}(body)"
        case fixed:
            variable, entry = "body", f"{values.reading('read_fixed_entry')}(body, {_FIXED_SIZES[fixed]})"
    return {"form": "entry", "variable": variable, "entry": entry, "value": values.read(field.type, KEY_STEP)}


def _empty(type_: StructType | NamedType, values: Values) -> str:
    if isinstance(type_, StructType):
        return blank(type_, values.imports)  # the envelope has `apiVersion` and `kind`
    return "[]" if isinstance(underlying(type_), ListType) else "{}"


PRIMITIVES, READING, WRITING, WELL_KNOWN = "wire", "wire_reading", "wire_writing", "wire_wellknown"
"""Modules of the run-time library."""

CODEC = "protobuf_codec"


class WireType(IntEnum):
    """The wire types that we write."""

    VARINT = 0
    FIXED64 = 1
    LENGTH = 2
    FIXED32 = 5


_FIXED_SIZES: Mapping[WireType, int] = {WireType.FIXED32: 4, WireType.FIXED64: 8}


def wire_type(type_: Type) -> WireType:
    """Return the wire type of a type (other than a list or map)."""
    match type_:
        case ScalarType(Scalar.FLOAT64):
            return WireType.FIXED64
        case ScalarType(Scalar.FLOAT32):
            return WireType.FIXED32
        case ScalarType(Scalar.STRING | Scalar.BYTES):
            return WireType.LENGTH
        case ScalarType():
            return WireType.VARINT
    return WireType.LENGTH


def field_tag(field: MessageField) -> int:
    """The tag with which a field is written."""
    wire = wire_type(field.type) if field.label is not Label.MAP else WireType.LENGTH
    return field.number << 3 | wire


def packed_tag(field: MessageField) -> int | None:
    """Return the tag of the packed form of a list, which other writers may use; None for types that cannot be packed."""
    if field.label is Label.REPEATED and wire_type(field.type) is not WireType.LENGTH:
        return field.number << 3 | WireType.LENGTH
    return None


def encoded_tag(tag: int) -> bytes:
    """Return a tag as encoded on the wire."""
    encoded = []
    while tag > 127:
        encoded.append(tag & 127 | 128)
        tag >>= 7
    return bytes([*encoded, tag])


def tag_literal(tag: int, after: int | None = None) -> str:
    """Return the encoded tag, and optionally one more byte, as escapes for use within quotes."""
    encoded = encoded_tag(tag) if after is None else bytes([*encoded_tag(tag), after])
    return "".join(f"\\x{byte:02x}" for byte in encoded)


@dataclass(frozen=True, slots=True)
class Values:
    """Write expressions of values for the functions of one module, with their imports.

    `recursive` are the types that may contain themselves; `in_recursive`: the current function is of one of them, and
    counts its depth.
    """

    imports: Imports
    types: Mapping[TypeId, TypeDef]
    recursive: frozenset[TypeId]
    in_recursive: bool = False

    def reading(self, name: str) -> str:
        """A function of the run-time library that reads."""
        return self.imports.runtime(name, READING)

    def writing(self, name: str) -> str:
        """A function of the run-time library that writes."""
        return self.imports.runtime(name, WRITING)

    def function(self, verb: str, id_: TypeId) -> str:
        """A function of the codec of a type, e.g. `encode_object_meta`."""
        return self.imports.function(id_, CODEC, f"{verb}_{self.types[id_].snake_name}")

    def part(self, type_: Type, number: int, place: str, name: str) -> tuple[str, str]:
        """Return the expression to assign to variable `name`, and the literal of field `number` that uses it for the
        value at `place`.

        The expression is empty if the literal does not need the variable.
        """
        tag = number << 3 | wire_type(type_)
        if type_ == ScalarType(Scalar.BOOL):
            return self._bool(place, "\\x01", "\\x00"), f'f"{tag_literal(tag)}{{{name}}}"'
        if wire_type(type_) is not WireType.LENGTH:
            return "", self.number_field(type_, number, place)
        written = self._text(place) if is_text(type_) else self._written(type_, place)
        return written, self.with_size(tag, name)

    def number_field(self, type_: Type, number: int, value: str) -> str:
        """Field `number` with a boolean or a number."""
        tag = number << 3 | wire_type(type_)
        match type_:
            case ScalarType(Scalar.BOOL):
                return self._bool(value, tag_literal(tag, 1), tag_literal(tag, 0))
            case ScalarType(Scalar.FLOAT32 | Scalar.FLOAT64 as scalar):
                return f'f"{tag_literal(tag)}{{{self.writing(scalar.value)}({value})}}"'
            case ScalarType(scalar):
                integer = f"{value} if type({value}) is int else {self.writing('integer')}({value})"
                return f'f"{tag_literal(tag)}{{{self.imports.runtime(scalar.value.upper(), PRIMITIVES)}[{integer}]}}"'
        raise TypeError(f"{type_} is no number")

    def entry_value(self, type_: Type, value: str) -> str:
        """The value of a map's entry, field 2."""
        wire = wire_type(type_)
        if wire is not WireType.LENGTH:
            return self.number_field(type_, 2, value)
        return f'{self.writing("delimited")}("{tag_literal(2 << 3 | wire)}", {self._written(type_, value)})'

    def _written(self, type_: Type, value: str) -> str:
        return f"{self.writer(type_)}({value}{self.depth_of(type_)})"

    def depth_of(self, type_: Type) -> str:
        """The argument that counts how deep a type is nested in itself, for its writer."""
        return self.depth(type_.id) if isinstance(type_, StructType | NamedType) else ""

    def writer(self, type_: Type) -> str:
        """The function that writes text, bytes or a message, a character for each byte."""
        match type_:
            case ScalarType(Scalar.BYTES):
                return self.writing("raw")
            case WellKnownType(known):
                return self.imports.runtime(f"write_{snake_case(known.value)}", WELL_KNOWN)
            case StructType(id_) | NamedType(id_):
                return self.function("write", id_)
        return self.writing("utf8")

    def _text(self, value: str) -> str:
        """Return the expression of a string in UTF-8; `str.isascii` raises TypeError for other values, such as bytes."""
        return f"{value} if str.isascii({value}) else {self.writing('utf8')}({value})"

    def _bool(self, value: str, true: str, false: str) -> str:
        """Return the expression for a boolean; the last one of the expressions checks its type."""
        return (
            f'"{true}" if {value} is True else ("{false}" if {value} is False else {self.writing("boolean")}({value}))'
        )

    def with_size(self, tag: int, name: str) -> str:
        """The literal of a field with the text, bytes or message in a variable."""
        return f'f"{tag_literal(tag)}{{{self.imports.runtime("SIZES", PRIMITIVES)}[len({name})]}}{{{name}}}"'

    def read(self, type_: Type, path: str = "") -> str:
        """Return the value that was read as `number` or `body`, unless it is a string; `path` is the expression of its place in a
        list or map.
        """
        arguments = f"body, {path}" if path else "body"
        match type_:
            case ScalarType(Scalar.BYTES):
                return "body"
            case ScalarType(Scalar.BOOL):
                return "number != 0"
            case ScalarType(Scalar.UINT64):
                return "number"
            case ScalarType(Scalar.FLOAT32 | Scalar.FLOAT64 as scalar):
                return f"{self.imports.runtime(f'to_{scalar.value}', PRIMITIVES)}(body)"
            case ScalarType(scalar):
                return f"number if number < 128 else {self.imports.runtime(f'to_{scalar.value}', PRIMITIVES)}(number)"
            case WellKnownType(known):
                return f"{self.imports.runtime(f'decode_{snake_case(known.value)}', WELL_KNOWN)}({arguments})"
            case StructType(id_) | NamedType(id_):
                return f"{self.function('decode', id_)}({arguments}{self.depth(id_)})"
        raise TypeError(f"{type_} is no single value")

    def depth(self, id_: TypeId) -> str:
        """Return the argument that counts the nesting of a recursive type; empty for other types."""
        return ", depth=depth + 1" if self.in_recursive and id_ in self.recursive else ""
