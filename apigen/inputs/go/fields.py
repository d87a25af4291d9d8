"""The fields of a struct."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass
from apigen.diagnostics.quoting import quote
from apigen.inputs.go.comments import CommentGroup, doc_of
from apigen.inputs.go.literals import string_value
from apigen.inputs.go.model import GoField, GoType, ProtobufTag
from apigen.inputs.go.syntax import TooDeepError, children_of
from apigen.inputs.go.unit import Unit

if TYPE_CHECKING:
    from tree_sitter import Node


LABELS = ("opt", "rep", "req")

_PAIR = re.compile(r' *([^\x00-\x20":\x7f]+):("(?:[^"\\]|\\.)*")')
_NUMBER = re.compile(r"\d{1,10}")


@dataclass(frozen=True, slots=True)
class StructTag:
    """The pairs of a struct tag, the first of each key as in Go, and the error in the rest of its text."""

    pairs: tuple[tuple[str, str], ...] = ()
    problem: str | None = None

    def get(self, key: str) -> str | None:
        """The value of a key; None if the tag does not have it."""
        return next((value for name, value in self.pairs if name == key), None)


@dataclass(frozen=True, slots=True)
class JsonTag:
    """The value of `json:"…"`; `name` is empty if the tag has none."""

    name: str = ""
    skip: bool = False
    inline: bool = False
    omitempty: bool = False
    omitzero: bool = False


def read_tag(text: str) -> StructTag:
    """Split a tag, given without its quotes, into its pairs."""
    pairs: dict[str, str] = {}
    problem = None
    position = 0
    while text[position:].strip(" "):
        pair = _PAIR.match(text, position)
        value = None if pair is None else string_value(pair[2])
        if pair is None or value is None:
            return StructTag(tuple(pairs.items()), f'{quote(text[position:].strip(" "))} is not a `key:"value"`')
        if pair[1] in pairs:
            problem = f"it has {quote(pair[1])} twice, and Go uses the first"
        pairs.setdefault(pair[1], value)
        position = pair.end()
    return StructTag(tuple(pairs.items()), problem)


def read_json_tag(value: str) -> JsonTag:
    """Read the value of `json:"…"`."""
    name, *options = value.split(",")
    return JsonTag(
        name=name,
        skip=value == "-",
        inline="inline" in options,
        omitempty="omitempty" in options,
        omitzero="omitzero" in options,
    )


def read_protobuf_tag(value: str) -> tuple[ProtobufTag, str | None]:
    """Return the value of `protobuf:"…"` and its errors.

    `bytes,8,opt,name=taint,casttype=Taint`: the wire part, the number, then in any order a label and `key=value`.
    """
    if value == "-":
        return ProtobufTag(None, None, None, None, skip=True), None
    wire, *rest = value.split(",")
    number = int(rest[0]) if rest and _NUMBER.fullmatch(rest[0]) else None
    problem = f"{quote(value)} of `protobuf` has no field number in the second position" if number is None else None
    label = name = None
    extra: list[tuple[str, str]] = []
    for part in rest[1:]:
        key, equals, text = part.partition("=")
        if equals and key == "name":
            name = text
        elif part in LABELS:
            label = part
        elif part:
            extra.append((key, text))
    return ProtobufTag(wire or None, number, label, name, tuple(extra)), problem


@dataclass(frozen=True, slots=True)
class FieldReader:
    """Reads the fields of one struct.

    `of_exported`: the struct is exported. `commented_lines`: the lines of fields that are commented out.
    """

    unit: Unit
    of_exported: bool = True
    commented_lines: frozenset[int] = frozenset()

    def read(self, struct: Node) -> tuple[GoField, ...]:
        """Return the fields in source order; a declaration with several names becomes several fields."""
        return tuple(field for node in field_nodes(struct) for field in _declared(node, self))

    def doc(self, comment: CommentGroup | None) -> str | None:
        """Return the doc comment of a field, without sentences about a removed field."""
        if comment is None:
            return None
        last = max((line.place.line for line in comment.lines if line.place.line in self.commented_lines), default=0)
        return doc_of(line for line in comment.lines if line.place.line > last)


def field_nodes(struct: Node) -> list[Node]:
    """Return the declarations of fields without syntax errors; each may have several names."""
    bodies = children_of(struct, "field_declaration_list")
    return [node for body in bodies for node in children_of(body, "field_declaration") if not node.has_error]


def is_exported(name: str) -> bool:
    """Return whether a name is exported: it begins with a capital letter."""
    return name[:1].isupper()


def embedded_name(type_: str) -> str:
    """Return the name of an embedded field: its type without pointer, package and type arguments."""
    return type_.lstrip("*").partition("[")[0].rpartition(".")[2]


def _declared(declaration: Node, reader: FieldReader) -> Iterator[GoField]:
    unit = reader.unit
    type_node = declaration.child_by_field_name("type")
    if type_node is None:
        return
    try:
        type_ = unit.type_of(type_node)
    except TooDeepError as error:
        unit.too_deep(error)
        return
    tag = _tag(declaration, unit)
    names = [node for node in declaration.children_by_field_name("name") if node.type == "field_identifier"]
    for node in names:
        field = _field(unit.file.text(node), node, type_, tag, reader, is_embedded=False)
        _question(field, node, type_node, reader)
        yield field
    if not names:
        is_pointer = declaration.children[0].type == "*"
        type_ = GoType(f"*{type_.text}", f"*{type_.resolved}") if is_pointer else type_
        yield _field(embedded_name(type_.text), declaration, type_, tag, reader, is_embedded=True)


def _tag(declaration: Node, unit: Unit) -> StructTag:
    node = declaration.child_by_field_name("tag")
    if node is None:
        return StructTag()
    text = string_value(unit.file.text(node))
    tag = StructTag(problem="it is not a string") if text is None else read_tag(text)
    if tag.problem is not None:
        message = f"invalid struct tag: {tag.problem}"
        unit.report.warning("AG1210", unit.file.place(node), message)
    return tag


def _field(name: str, node: Node, type_: GoType, tag: StructTag, reader: FieldReader, *, is_embedded: bool) -> GoField:
    unit = reader.unit
    comment = unit.comments.above(node.start_point[0])
    json_text, protobuf_text = tag.get("json"), tag.get("protobuf")
    json = JsonTag() if json_text is None else read_json_tag(json_text)
    protobuf, problem = (None, None) if protobuf_text is None else read_protobuf_tag(protobuf_text)
    if problem is not None:
        unit.report.warning("AG1210", unit.file.place(node), f"invalid struct tag: {problem}")
    return GoField(
        go=name,
        type=type_,
        place=unit.file.place(node),
        json=None if json_text is None else _json_name(name, json, is_embedded),
        embedded=is_embedded,
        inline=json.inline or (is_embedded and not json.name and not json.skip),
        omitempty=json.omitempty,
        omitzero=json.omitzero,
        json_skip=json.skip,
        has_json_tag=json_text is not None,
        protobuf=protobuf,
        patch_strategy=tag.get("patchStrategy"),
        patch_merge_key=tag.get("patchMergeKey"),
        markers=() if comment is None else comment.markers,
        doc=reader.doc(comment),
    )


def _json_name(name: str, json: JsonTag, is_embedded: bool) -> str | None:
    """Return the name in JSON: that of the tag, or the Go name. An embedded struct without a name in its tag has none."""
    if json.skip or json.inline:
        return None
    return json.name or (None if is_embedded else name)


def _question(field: GoField, node: Node, type_node: Node, reader: FieldReader) -> None:
    """Report fields that are part of an API, but are not read because their struct has no name."""
    if reader.of_exported and is_exported(field.go) and not field.json_skip and has_nameless_struct(type_node):
        message = f"{quote(field.go)} has an anonymous struct, whose fields are not read"
        reader.unit.report.warning("AG1212", reader.unit.file.place(node), message, hint="declare it as a named type")


def has_nameless_struct(node: Node) -> bool:
    """Return whether a type contains an anonymous struct with fields; the empty `struct{}` is allowed."""
    todo = [node]
    while todo:
        current = todo.pop()
        if current.type == "struct_type":
            if field_nodes(current):
                return True
        elif current.type != "function_type":
            todo.extend(current.named_children)
    return False
