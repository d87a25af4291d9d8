"""Write the protobuf codec of each version: `<group>/<version>/protobuf_codec.py`.

A message is merged into an existing object (`merge_…`), because protobuf merges a field that occurs twice;
`decode_…` creates the object. It is written as a string with a character for each byte (`write_…`), which `encode_…`
converts to bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.codegen.backend_input import Compilation
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.protobuf_codec.functions import decode_body, decode_branches, field_name, write_body
from apigen.codegen.protobuf_codec.messages import Message, messages_of, recursive
from apigen.codegen.protobuf_codec.values import CODEC, PRIMITIVES, Values
from apigen.codegen.python.source_text import HEADER, Imports
from apigen.codegen.rendering import render
from apigen.codegen.types.by_version import VersionTypes, versions
from apigen.dataclass import dataclass, replace
from apigen.ir.generated_modules import Module
from apigen.ir.types import NamedType

VERBS = ("decode", "merge", "_merge", "encode", "write", "_write")
"""The prefixes of the functions of a message."""


@dataclass(frozen=True, slots=True)
class MessageLines:
    """The functions of one message, as the template puts them together.

    `names` is the constant with the names of the fields, `prefix` is `_` for an inline struct, which has no
    `decode` of its own; `depth` is the parameter that counts where a type may contain itself.
    """

    name: str
    title: str
    type: str
    source: str
    names: str
    names_value: str
    prefix: str
    depth: str
    decode: str
    branches: str
    write: str


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """The module of protobuf functions of every version."""
    nested_in_itself = recursive(compilation.api.types.values())
    for version in versions(compilation):
        messages = [inner for message in messages_of(version.types) for inner in message.with_inlines()]
        if messages and version.has_protobuf:
            module = Module.of(version.group, version.version, CODEC)
            defined = frozenset(f"{verb}_{message.snake_name}" for message in messages for verb in VERBS)
            values = Values(Imports(module, defined), compilation.api.types, nested_in_itself)
            yield text_file(module.path, _module_text(version, messages, values))


def _module_text(version: VersionTypes, messages: Iterable[Message], values: Values) -> str:
    lines = [_message(message, values) for message in messages]
    return render(
        "protobuf_codec/module.py.jinja",
        header=HEADER,
        summary=f"The protobuf form of {version.title}, without the envelope.",
        wire_errors=values.reading("WIRE_ERRORS"),
        characters=values.imports.runtime("CHARACTERS", PRIMITIVES),
        located=values.reading("located"),
        check_depth=values.reading("check_depth") if any(m.depth for m in lines) else "",
        imports=values.imports.render(),
        messages=lines,
    )


def _message(message: Message, values: Values) -> MessageLines:
    values = replace(values, in_recursive=message.holder.id in values.recursive)
    names = f"_{message.snake_name.upper()}"
    title = f"the {message.id.name} message" + (f" of a {message.holder.id.name}" if message.is_inline else "")
    type_ = values.imports.type_name(message.holder.id)
    steps = ", ".join(f"{field.number}: {field_name(field)}" for field in message.fields)
    return MessageLines(
        name=message.snake_name,
        title=title,
        type=type_,
        source=f"{type_} | None" if isinstance(message.holder, NamedType) else type_,
        names=names,
        names_value=f"{{{steps}}}",
        prefix="_" if message.is_inline else "",
        depth=", depth: int = 0" if values.in_recursive else "",
        decode="" if message.is_inline else decode_body(message, values).text().rstrip(),
        branches=decode_branches(message, values, names).text().rstrip(),
        write=write_body(message, values).text().rstrip(),
    )
