"""Write the protobuf codec of each version: `<group>/<version>/protobuf_codec.py`.

A message is merged into an existing object (`merge_…`), because protobuf merges a field that occurs twice;
`decode_…` creates the object. It is written as a string with a character for each byte (`write_…`), which `encode_…`
converts to bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from enum import IntEnum
from itertools import groupby

from apigen.codegen.compilation import Compilation, versions
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.protobuf_codec.messages import Label, Message, MessageField, messages_of, recursive
from apigen.codegen.python.source_text import HEADER, Code, Imports, alternative, comment, text_literal
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


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """The module of protobuf functions of every version."""
    nested_in_itself = recursive(compilation.api.types.values())
    for version in versions(compilation):
        messages = [inner for message in messages_of(version.types) for inner in message.with_inlines()]
        if messages and version.has_protobuf:
            module = Module.of(version.group, version.version, CODEC)
            defined = frozenset(f"{verb}_{message.snake_name}" for message in messages for verb in VERBS)
            values = Values(Imports(module, defined), compilation.api.types, nested_in_itself)
            written = [_message(message, values) for message in messages]
            text = render(
                "protobuf_codec/module.py.jinja",
                header=HEADER,
                summary=f"The protobuf form of {version.title}, without the envelope.",
                wire_errors=values.reading("WIRE_ERRORS"),
                characters=values.imports.runtime("CHARACTERS", PRIMITIVES),
                located=values.reading("located"),
                check_depth=values.reading("check_depth") if any(each["depth"] for each in written) else "",
                imports=values.imports.render(),
                messages=written,
            )
            yield text_file(module.path, text)


def _message(message: Message, values: Values) -> dict[str, str]:
    """Return the values of the template for the functions of one message.

    `names` is the constant with the names of the fields, `prefix` is `_` for an inline struct, which has no
    `decode` of its own; `depth` is the parameter that counts where a type may contain itself.
    """
    values = replace(values, in_recursive=message.holder.id in values.recursive)
    names = f"_{message.snake_name.upper()}"
    type_ = values.imports.type_name(message.holder.id)
    is_named = isinstance(message.holder, NamedType)
    steps = ", ".join(f"{field.number}: {field_name(field)}" for field in message.fields)
    branches, write = Code(), Code()
    write_branches(branches, message, values, names)
    write_body(write, message, values)
    return {
        "name": message.snake_name,
        "title": f"the {message.id.name} message" + (f" of a {message.holder.id.name}" if message.is_inline else ""),
        "type": type_,
        "annotation": f": {type_}" if is_named else "",
        "source": f"{type_} | None" if is_named else type_,
        "empty": _empty(message.holder, values),
        "names": names,
        "names_value": f"{{{steps}}}",
        "prefix": "_" if message.is_inline else "",
        "depth": ", depth: int = 0" if values.in_recursive else "",
        "branches": branches.text().rstrip(),
        "write": write.text().rstrip(),
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


def write_body(code: Code, message: Message, values: Values) -> None:
    """Write the code that writes the fields of `obj` in order of number: it collects them in `out`, a character for
    each byte.

    Adjacent fields that are always written are put together at once. An object of another class is an error; lists are
    compared with an empty one, which raises TypeError for other values.
    """
    if values.in_recursive:
        code.line(f"{values.writing('check_nesting')}(depth)")
    if isinstance(message.holder, StructType) and not message.is_inline:
        class_name = values.imports.type_name(message.holder.id)
        with code.block(f"if type(obj) is not {class_name}:"):
            code.line(f"raise {values.imports.runtime('unfit_object')}({class_name}, obj)")
    started = False
    for always, group in groupby(message.fields, _is_always_written):
        fields = tuple(group)
        if always:
            is_all = len(fields) == len(message.fields)
            _write_together(code, "return" if is_all else "out +=" if started else "out =", fields, values)
        else:
            if not started:
                code.line('out = ""')
            for field in fields:
                with code.when([_condition(field)]):
                    _write_present(code, field, values)
        started = True
    if not all(map(_is_always_written, message.fields)):
        code.line("return out")
    elif not message.fields:
        code.line('return ""')


def _is_always_written(field: MessageField) -> bool:
    return field.label is Label.SINGULAR and not field.omits_none


def _write_together(code: Code, statement: str, fields: Sequence[MessageField], values: Values) -> None:
    attributes = {field.attribute for field in fields}
    parts = []
    for field in fields:
        name = _variable(field, attributes)
        if field.inline is not None:
            value, part = (
                f"_write_{field.inline.snake_name}(obj{', depth' if values.in_recursive else ''})",
                values.with_size(field_tag(field), name),
            )
        else:
            value, part = values.part(field.type, field.number, field.place, name)
        if value:
            code.line(f"{name} = {value}")
        parts.append(part)
    code.line(f"{statement} {' '.join(parts)}")


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


def _write_present(code: Code, field: MessageField, values: Values) -> None:
    match field.label:
        case Label.SINGULAR:
            values.write(code, field.type, field.number, field.place)
        case Label.REPEATED:
            _write_elements(code, field, values)
        case Label.MAP:
            entries = f"{_entry(field, values)} for key, value in sorted(dict.items({field.place}))"
            code.line(f'out += "".join([{entries}])')


def _write_elements(code: Code, field: MessageField, values: Values) -> None:
    tag = field_tag(field)
    is_checked = bool(_condition(field))
    items = field.place if is_checked else f"{values.imports.runtime('elements')}({field.place})"
    if wire_type(field.type) is not WireType.LENGTH:
        elements = f"{values.number_field(field.type, field.number, 'item')} for item in {items}"
        code.line(f'out += "".join([{elements}])')
    else:
        writer = values.writing("raw_or_none") if is_bytes(field.type) else values.writer(field.type)
        depth = values.depth_of(field.type)
        bodies = f"({writer}(item{depth}) for item in {items})" if depth else f"map({writer}, {items})"
        with code.block(f"for body in {bodies}:"):
            values.write_body(code, tag)


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

READ_BODY = ("body = data[pos : pos + size]", "pos += size")
"""The code that reads `size` bytes as `body`."""

KEY_STEP = 'f"[{key}]"'
"""The place of a value in its map."""


def write_branches(code: Code, message: Message, values: Values, names: str) -> None:
    """Write the code that reads the fields of `data` from `pos` on into `obj`: one pass by ascending number, the
    order in which they are written.

    `tag` is the first byte at `pos`, 0 at the end. `names` is the constant with the names of the fields by number. An
    unknown field ends the pass; it is skipped afterwards.
    """
    for field in message.fields:
        for tag, write in _branches(field):
            keyword = "if" if field.label is Label.SINGULAR else "while"
            with code.block(f"{keyword} {_stands_here(tag)}:  {comment(field.name)}"):
                _write_head(code, tag, values)
                write(code, field, values)
                code.line("tag = data[pos] if pos < end else 0")
    with code.block("if pos == start:"):
        code.line(f"data, pos, end = {values.reading('skip_unknown')}(data, pos, {names})")


def _stands_here(tag: int) -> str:
    encoded = encoded_tag(tag)
    condition = f"tag == 0x{encoded[0]:02X}"
    match len(encoded):
        case 1:
            return condition
        case 2:
            return f"{condition} and data[pos + 1] == 0x{encoded[1]:02X}"
    return f'{condition} and data.startswith(b"{tag_literal(tag)}", pos)'


def _write_head(code: Code, tag: int, values: Values) -> None:
    """Write the code that reads `number`, or the length `size`, and advances `pos`."""
    width, wire = len(encoded_tag(tag)), tag & 7
    if wire in (WireType.FIXED32, WireType.FIXED64):
        code.line(f"size, pos = {8 if wire == WireType.FIXED64 else 4}, pos + {width}")
        return
    name = "number" if wire == WireType.VARINT else "size"
    code.line(f"{name}, pos = data[pos + {width}], pos + {width + 1}")
    with code.block(f"if {name} > 127:"):
        code.line(f"{name}, pos = {values.imports.runtime('read_varint', PRIMITIVES)}(data, pos - 1)")


def field_name(field: MessageField) -> str:
    """Return the literal that names a field in errors: its name, and for a list of messages its attribute, too, as
    errors have an index.
    """
    name = text_literal(field.path_step)
    if field.label is Label.REPEATED and packed_tag(field) is None:
        return f"({name}, {text_literal(field.attribute)})"
    return name


def _branches(field: MessageField) -> Iterator[tuple[int, Callable[[Code, MessageField, Values], None]]]:
    """Yield the tags with which a field may be written, each with the function that writes the code to read it."""
    yield field_tag(field), {Label.SINGULAR: _singular, Label.MAP: _map, Label.REPEATED: _repeated}[field.label]
    packed = packed_tag(field)
    if packed is not None:
        yield packed, _packed


def _singular(code: Code, field: MessageField, values: Values) -> None:
    target = field.place
    if is_text(field.type):  # very often empty
        code.line(f"{target} = {TEXT}" if field.omits_none else f'{target} = {TEXT} if size else ""')
        code.line("pos += size")
        return
    _write_body_of(code, field.type)
    if field.inline is not None:
        depth = ", depth=depth" if values.in_recursive else ""
        code.line(f"_merge_{field.inline.snake_name}(obj, body{depth})")
    elif isinstance(field.type, StructType | NamedType):
        _make_if_unset(code, field, _empty(field.type, values))
        code.line(f"{values.function('merge', field.type.id)}({target}, body{values.depth(field.type.id)})")
    else:
        code.line(f"{target} = {values.read(field.type)}")


def _write_body_of(code: Code, type_: Type) -> None:
    """Write the code that reads the `body` of a value, unless it is a string or number."""
    if not is_text(type_) and wire_type(type_) is not WireType.VARINT:
        code.lines(READ_BODY)


def _repeated(code: Code, field: MessageField, values: Values) -> None:
    _write_body_of(code, field.type)
    target = field.place
    _make_if_unset(code, field, "[]")
    if is_text(field.type):
        code.line(f"{target}.append({TEXT})")
        code.line("pos += size")
    elif isinstance(field.type, StructType):
        name = f"new_{values.types[field.type.id].snake_name}"
        code.line(f"{name} = {_empty(field.type, values)}")
        code.line(f"{values.function('merge', field.type.id)}({name}, body{values.depth(field.type.id)})")
        code.line(f"{target}.append({name})")
    else:
        code.line(f"{target}.append({values.read(field.type)})")


def _packed(code: Code, field: MessageField, values: Values) -> None:
    code.lines(READ_BODY)
    _make_if_unset(code, field, "[]")
    match wire_type(field.type):
        case WireType.FIXED32:
            elements = f"{values.reading('read_float32s')}(body)"
        case WireType.FIXED64:
            elements = f"{values.reading('read_float64s')}(body)"
        case _:
            elements = f"[{values.read(field.type)} for number in {values.reading('read_varints')}(body)]"
    code.line(f"{field.place} += {elements}")


def _map(code: Code, field: MessageField, values: Values) -> None:
    code.lines(READ_BODY)
    target = field.place
    _make_if_unset(code, field, "{}")
    if is_text(field.type):
        code.line(f"{values.reading('add_text_entry')}({target}, body)")
        return
    match wire_type(field.type):
        case WireType.VARINT:
            code.line(f"key, number = {values.reading('read_number_entry')}(body)")
        case WireType.LENGTH:
            code.line(f"key, body = {values.reading('read_entry')}(body)")
        case fixed:
            size = 8 if fixed is WireType.FIXED64 else 4
            code.line(f"key, body = {values.reading('read_fixed_entry')}(body, {size})")
    code.line(f"{target}[key] = {values.read(field.type, KEY_STEP)}")


def _make_if_unset(code: Code, field: MessageField, empty: str) -> None:
    if field.can_be_none:
        with code.block(f"if {field.place} is None:"):
            code.line(f"{field.place} = {empty}")


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

    def write(self, code: Code, type_: Type, number: int, value: str) -> None:
        """Write the statement that adds field `number` with `value` to `out`."""
        tag = number << 3 | wire_type(type_)
        if wire_type(type_) is not WireType.LENGTH:
            code.line(f"out += {self.number_field(type_, number, value)}")
        elif is_text(type_):
            code.line(f"text = {self._text(value)}")
            code.line(f"out += {self.with_size(tag, 'text')}")
        else:
            code.line(f"body = {self._written(type_, value)}")
            self.write_body(code, tag)

    def write_body(self, code: Code, tag: int) -> None:
        """Write the statement that adds a field with `body` to `out`."""
        code.line(f"out += {self.with_size(tag, 'body')}")

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
