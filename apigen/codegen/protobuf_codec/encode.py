"""The bodies of functions that write messages."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import groupby

from apigen.codegen.protobuf_codec.messages import Label, Message, MessageField
from apigen.codegen.protobuf_codec.values import Values, WireType, field_tag, tag_literal, wire_type
from apigen.codegen.python.code import Code, alternative
from apigen.ir.names import snake_case
from apigen.ir.types import StructType, is_bytes, is_text

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
            whole = len(fields) == len(message.fields)
            _write_together(code, "return" if whole else "out +=" if started else "out =", fields, values)
        else:
            if not started:
                code.line('out = ""')
            for field in fields:
                _write_field(code, field, values)
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
