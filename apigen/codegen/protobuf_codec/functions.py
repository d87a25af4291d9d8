"""The bodies of functions that encode messages and of those that decode them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import groupby

from apigen.codegen.protobuf_codec.messages import Label, Message, MessageField
from apigen.codegen.protobuf_codec.values import (
    PRIMITIVES,
    Values,
    WireType,
    encoded_tag,
    field_tag,
    packed_tag,
    tag_literal,
    wire_type,
)
from apigen.codegen.python.source_text import Code, alternative, comment, text_literal
from apigen.codegen.python.zero import blank
from apigen.ir.names import snake_case
from apigen.ir.types import ListType, NamedType, StructType, Type, is_bytes, is_text, underlying

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


def write_body(message: Message, values: Values) -> Code:
    """Return the code that writes the fields of `obj` in order of number: it collects them in `out`, a character for
    each byte.

    Adjacent fields that are always written are put together at once. An object of another class is an error; lists are
    compared with an empty one, which raises TypeError for other values.
    """
    code = Code()
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
    return code


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

KEY_STEP = 'f"[{key}]"'
"""The place of a value in its map."""


def decode_body(message: Message, values: Values) -> Code:
    """Return the code that creates an object and reads `data` into it."""
    code = Code()
    annotation = f": {values.imports.type_name(message.id)}" if isinstance(message.holder, NamedType) else ""
    code.line(f"obj{annotation} = {_empty(message.holder, values)}")
    depth = ", depth" if values.in_recursive else ""
    code.line(f"{values.function('merge', message.id)}(obj, bytes(data), path{depth})")
    code.line("return obj")
    return code


def decode_branches(message: Message, values: Values, names: str) -> Code:
    """Return the code that reads the fields of `data` from `pos` on into `obj`: one pass by ascending number, the
    order in which they are written.

    `tag` is the first byte at `pos`, 0 at the end. `names` is the constant with the names of the fields by number. An
    unknown field ends the pass; it is skipped afterwards.
    """
    code = Code()
    for field in message.fields:
        for tag, lines in _branches(field, values):
            keyword = "if" if field.label is Label.SINGULAR else "while"
            with code.block(f"{keyword} {_stands_here(tag)}:  {comment(field.name)}"):
                code.extend(_head(tag, values))
                code.extend(lines)
                code.line("tag = data[pos] if pos < end else 0")
    with code.block("if pos == start:"):
        code.line(f"data, pos, end = {values.reading('skip_unknown')}(data, pos, {names})")
    return code


def _stands_here(tag: int) -> str:
    encoded = encoded_tag(tag)
    condition = f"tag == 0x{encoded[0]:02X}"
    match len(encoded):
        case 1:
            return condition
        case 2:
            return f"{condition} and data[pos + 1] == 0x{encoded[1]:02X}"
    return f'{condition} and data.startswith(b"{tag_literal(tag)}", pos)'


def _head(tag: int, values: Values) -> Code:
    """Return the code that reads `number`, or the length `size`, and advances `pos`."""
    code = Code()
    width = len(encoded_tag(tag))
    match tag & 7:
        case WireType.FIXED32 | WireType.FIXED64 as fixed:
            code.line(f"size, pos = {8 if fixed == WireType.FIXED64 else 4}, pos + {width}")
            return code
        case WireType.VARINT:
            name = "number"
        case _:
            name = "size"
    code.line(f"{name}, pos = data[pos + {width}], pos + {width + 1}")
    with code.block(f"if {name} > 127:"):
        code.line(f"{name}, pos = {values.imports.runtime('read_varint', PRIMITIVES)}(data, pos - 1)")
    return code


def _body() -> Code:
    """Return the code that reads `size` bytes as `body`."""
    code = Code()
    code.line("body = data[pos : pos + size]")
    code.line("pos += size")
    return code


def field_name(field: MessageField) -> str:
    """Return the literal that names a field in errors: its name, and for a list of messages its attribute, too, as
    errors have an index.
    """
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
    code = _body_of(field.type)
    target = field.place
    if field.inline is not None:
        depth = ", depth=depth" if values.in_recursive else ""
        code.line(f"_merge_{field.inline.snake_name}(obj, body{depth})")
    elif isinstance(field.type, StructType | NamedType):
        _make_if_unset(code, field, _empty(field.type, values))
        code.line(f"{values.function('merge', field.type.id)}({target}, body{values.depth(field.type.id)})")
    elif is_text(field.type) and not field.omits_none:  # very often empty
        code.line(f'{target} = {TEXT} if size else ""')
        code.line("pos += size")
    elif is_text(field.type):
        code.line(f"{target} = {TEXT}")
        code.line("pos += size")
    else:
        code.line(f"{target} = {values.read(field.type)}")
    return code


def _body_of(type_: Type) -> Code:
    """Return the code that reads the `body` of a value, unless it is a string or number."""
    return Code() if is_text(type_) or wire_type(type_) is WireType.VARINT else _body()


def _repeated(field: MessageField, values: Values) -> Code:
    code = _body_of(field.type)
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
    return code


def _packed(field: MessageField, values: Values) -> Code:
    code = _body()
    _make_if_unset(code, field, "[]")
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
    code = _body()
    target = field.place
    _make_if_unset(code, field, "{}")
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


def _make_if_unset(code: Code, field: MessageField, empty: str) -> None:
    if field.can_be_none:
        with code.block(f"if {field.place} is None:"):
            code.line(f"{field.place} = {empty}")


def _empty(type_: StructType | NamedType, values: Values) -> str:
    if isinstance(type_, StructType):
        return blank(type_, values.imports)  # the envelope has `apiVersion` and `kind`
    return "[]" if isinstance(underlying(type_), ListType) else "{}"
