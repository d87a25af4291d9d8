"""The bodies of functions that write messages."""

from __future__ import annotations

from apigen.backends.protobuf_codec.messages import Label, Message, MessageField
from apigen.backends.protobuf_codec.values import Values, WireType, field_tag, tag_literal, wire_type
from apigen.ir.types import is_bytes, is_text
from apigen.python.code import Code


def encode_body(message: Message, values: Values) -> Code:
    """What writes the fields of `obj` in order of number: collects their bytes in `out`."""
    code = Code()
    if not message.fields:
        code.line('return b""')
        return code
    code.line("out: list[bytes] = []")
    fields = Code()
    for field in message.fields:
        _write_field(fields, field, values)
    if any(_has_text(field) for field in message.fields):
        with code.block("try:"):
            code.extend(fields)
        with code.block("except UnicodeEncodeError as error:"):
            code.line(f"raise {values.writing('not_utf8')}(error) from None")
    else:
        code.extend(fields)
    code.line('return b"".join(out)')
    return code


def _has_text(field: MessageField) -> bool:
    return field.label is Label.MAP or (field.inline is None and is_text(field.type))


def _write_field(code: Code, field: MessageField, values: Values) -> None:
    condition = _condition(field)
    if condition:
        with code.block(f"if {condition}:"):
            _write_present(code, field, values)
    else:
        _write_present(code, field, values)


def _condition(field: MessageField) -> str:
    """When a field is written, if not always."""
    if field.label is Label.SINGULAR:
        return f"{field.place} is not None" if field.omits_none else ""
    is_named_list = field.source is None  # which is `None` where an element is
    return field.place if field.can_be_none or is_named_list else ""


def _write_present(code: Code, field: MessageField, values: Values) -> None:
    if field.inline is not None:
        code.line(f"body = _encode_{field.inline.snake_name}(obj)")
        values.write_body(code, field_tag(field))
        return
    match field.label:
        case Label.SINGULAR:
            values.write(code, field.type, field.number, field.place)
        case Label.REPEATED:
            _write_elements(code, field, values)
        case Label.MAP:
            code.line(f"out += [{_entry(field, values)} for key, value in sorted({field.place}.items())]")


def _write_elements(code: Code, field: MessageField, values: Values) -> None:
    tag = field_tag(field)
    if is_text(field.type):
        with code.block(f"for text in map(str.encode, {field.place}):"):
            values.write_text(code, tag)
    elif wire_type(field.type) is not WireType.LENGTH:
        code.line(f"out += [{values.number_field(field.type, field.number, 'item')} for item in {field.place}]")
    elif is_bytes(field.type):
        code.line(f'bodies = [item or b"" for item in {field.place}]')
        with code.block("for body in bodies:"):
            values.write_body(code, tag)
    else:
        with code.block(f"for body in map({values.encoder(field.type)}, {field.place}):"):
            values.write_body(code, tag)


def _entry(field: MessageField, values: Values) -> str:
    tag = tag_literal(field_tag(field))
    if is_text(field.type):
        return f"{values.writing('text_map_entry')}({tag}, key, value)"
    entry = values.entry_value(field.type, "value")
    if is_bytes(field.type):  # as Kubernetes has it: `null` is an entry without a value
        entry = f'b"" if value is None else {entry}'
    return f"{values.writing('map_entry')}({tag}, key, {entry})"
