"""The bodies of functions that write messages."""

from __future__ import annotations

from itertools import takewhile

from apigen.backends.protobuf_codec.messages import Label, Message, MessageField
from apigen.backends.protobuf_codec.values import Values, field_tag, tag_literal
from apigen.ir.types import is_bytes, is_text
from apigen.python.code import Code


def encode_body(message: Message, values: Values) -> Code:
    """What writes the fields of `obj` in order of number. What is always there comes first as a list, if it does."""
    code = Code()
    always = list(takewhile(_is_always_written, message.fields))
    written = [_singular(field, values) for field in always]
    if len(always) == len(message.fields):
        code.line(f"return {_joined(written)}")
        return code
    code.line(f"out = [{', '.join(written)}]" if written else "out: list[bytes] = []")
    for field in message.fields[len(always) :]:
        _write_field(code, field, values)
    code.line('return b"".join(out)')
    return code


def _joined(written: list[str]) -> str:
    if len(written) > 1:
        return f'b"".join([{", ".join(written)}])'
    return written[0] if written else 'b""'


def _is_always_written(field: MessageField) -> bool:
    return field.label is Label.SINGULAR and not field.omits_none


def _write_field(code: Code, field: MessageField, values: Values) -> None:
    if _is_always_written(field):
        code.line(f"out.append({_singular(field, values)})")
        return
    if field.label is Label.SINGULAR:
        with code.block(f"if {field.place} is not None:"):
            code.line(f"out.append({_singular(field, values)})")
        return
    line = _repeated(field, values) if field.label is Label.REPEATED else _map(field, values)
    is_named_list = field.source is None  # which is `None` where an element is
    if field.can_be_none or is_named_list:
        with code.block(f"if {field.place}:"):
            code.line(line)
    else:
        code.line(line)


def _singular(field: MessageField, values: Values) -> str:
    if field.inline is not None:
        encoded = f"_encode_{field.inline.snake_name}(obj)"
        return f"{values.writing('field')}({tag_literal(field_tag(field))}, {encoded})"
    return values.written(field.type, field.number, field.place)


def _repeated(field: MessageField, values: Values) -> str:
    item = 'item or b""' if is_bytes(field.type) else "item"
    return f"out += [{values.written(field.type, field.number, item)} for item in {field.place}]"


def _map(field: MessageField, values: Values) -> str:
    tag = tag_literal(field_tag(field))
    if is_text(field.type):
        entry = f"{values.writing('text_map_entry')}({tag}, key, value)"
    else:
        value = values.written(field.type, 2, "value")
        if is_bytes(field.type):  # as Kubernetes has it: `null` is an entry without a value
            value = f'b"" if value is None else {value}'
        entry = f"{values.writing('map_entry')}({tag}, key, {value})"
    return f"out += [{entry} for key, value in sorted({field.place}.items())]"
