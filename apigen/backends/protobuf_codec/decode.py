"""The bodies of functions that read messages into objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apigen.backends.protobuf_codec.messages import Label, Message, MessageField
from apigen.backends.protobuf_codec.values import Values, WireType, field_tag, packed_tag, wire_type
from apigen.ir.types import ListType, NamedType, StructType, is_text, underlying
from apigen.python.code import Code, comment, text_literal
from apigen.python.making import blank

LONGEST_CHAIN = 8
"""How many tags are asked for one after the other."""

KEY_STEP = 'f"[{key}]"'
"""The place of a value in its map."""


def decode_body(message: Message, values: Values) -> Code:
    """What makes an object and reads `data` into it."""
    code = Code()
    annotation = f": {values.imports.type_name(message.id)}" if isinstance(message.holder, NamedType) else ""
    code.line(f"obj{annotation} = {_empty(message.holder, values)}")
    depth = ", depth" if values.in_recursive else ""
    code.line(f"{values.function('merge', message.id)}(obj, bytes(data), path{depth})")
    code.line("return obj")
    return code


def decode_branches(message: Message, values: Values, names: str) -> Code:
    """What reads one field, `tag` with `number` or `body`, into `obj`: a branch for each field, by ascending number.

    `names` is the constant with the names of the fields by number.
    """
    branches = [(tag, field.name, lines) for field in message.fields for tag, lines in _branches(field, values)]
    unknown = f"{values.reading('skip_unknown')}(tag, {names})"
    return _choice(sorted(branches, key=lambda branch: branch[0]), unknown)


def _choice(branches: Sequence[tuple[int, str, Code]], unknown: str) -> Code:
    """What runs the branch of `tag`. Where there are many, half of them is left out of question first."""
    code = Code()
    if len(branches) > LONGEST_CHAIN:
        middle = len(branches) // 2
        with code.block(f"if tag < 0x{branches[middle][0]:02X}:"):
            code.extend(_choice(branches[:middle], unknown))
        with code.block("else:"):
            code.extend(_choice(branches[middle:], unknown))
        return code
    keyword = "if"
    for tag, name, lines in branches:
        with code.block(f"{keyword} tag == 0x{tag:02X}:  {comment(name)}"):
            code.extend(lines)
        keyword = "elif"
    if keyword == "if":
        code.line(unknown)
    else:
        with code.block("else:"):
            code.line(unknown)
    return code


def field_name(field: MessageField) -> str:
    """The literal by which a field's place is told: its name, and the attribute of a list of what can be wrong in itself."""
    name = text_literal(field.path_step)
    if field.label is Label.REPEATED and packed_tag(field) is None:
        return f"({name}, {text_literal(field.attribute)})"
    return name


def _branches(field: MessageField, values: Values) -> Iterator[tuple[int, Code]]:
    match field.label:
        case Label.SINGULAR:
            yield field_tag(field), _singular(field, values)
        case Label.MAP:
            yield field_tag(field), _map(field, values)
        case Label.REPEATED:
            yield field_tag(field), _repeated(field, values)
            packed = packed_tag(field)
            if packed is not None:
                yield packed, _packed(field, values)


def _singular(field: MessageField, values: Values) -> Code:
    code = Code()
    target = field.place
    if field.inline is not None:
        depth = ", depth=depth" if values.in_recursive else ""
        code.line(f"_merge_{field.inline.snake_name}(obj, body{depth})")
    elif isinstance(field.type, StructType | NamedType):
        _make_unless_there(code, field, _empty(field.type, values))
        code.line(f"{values.function('merge', field.type.id)}({target}, body{values.depth(field.type.id)})")
    else:
        code.line(f"{target} = {values.read(field.type)}")
    return code


def _repeated(field: MessageField, values: Values) -> Code:
    code = Code()
    target = field.place
    _make_unless_there(code, field, "[]")
    if isinstance(field.type, StructType):
        name = f"new_{values.types[field.type.id].snake_name}"
        code.line(f"{name} = {_empty(field.type, values)}")
        code.line(f"{values.function('merge', field.type.id)}({name}, body{values.depth(field.type.id)})")
        code.line(f"{target}.append({name})")
    else:
        code.line(f"{target}.append({values.read(field.type)})")
    return code


def _packed(field: MessageField, values: Values) -> Code:
    code = Code()
    _make_unless_there(code, field, "[]")
    match wire_type(field.type):
        case WireType.FIXED32:
            elements = f"{values.reading('read_float32s')}(body)"
        case WireType.FIXED64:
            elements = f"{values.reading('read_float64s')}(body)"
        case _:
            elements = f"[{values.read(field.type)} for number in {values.reading('read_varints')}(body)]"
    code.line(f"{field.place} += {elements}")
    return code


def _map(field: MessageField, values: Values) -> Code:
    code = Code()
    target = field.place
    _make_unless_there(code, field, "{}")
    if is_text(field.type):
        code.line(f"{values.reading('add_text_entry')}({target}, body)")
        return code
    match wire_type(field.type):
        case WireType.VARINT:
            code.line(f"key, number = {values.reading('read_number_entry')}(body)")
        case WireType.LENGTH:
            code.line(f"key, body = {values.reading('read_entry')}(body)")
        case fixed:
            code.line(
                f"key, body = {values.reading('read_fixed_entry')}(body, {8 if fixed is WireType.FIXED64 else 4})"
            )
    code.line(f"{target}[key] = {values.read(field.type, KEY_STEP)}")
    return code


def _make_unless_there(code: Code, field: MessageField, empty: str) -> None:
    if field.can_be_none:
        with code.block(f"if {field.place} is None:"):
            code.line(f"{field.place} = {empty}")


def _empty(type_: StructType | NamedType, values: Values) -> str:
    if isinstance(type_, StructType):
        return blank(type_, values.imports.type_name)  # what it is stands in the envelope, if anywhere
    return "[]" if isinstance(underlying(type_), ListType) else "{}"
