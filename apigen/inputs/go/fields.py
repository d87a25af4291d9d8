"""The fields of a struct, and the removed ones.

Kubernetes documents removed fields in the comments of a struct, in two forms: the marker `+k8s:deprecated=name,protobuf=4`,
and the commented-out line of the field, below a remark that its number is reserved. A line without a number or a remark may
be a plan that never shipped, or a field that was moved: it is returned, but not as `real`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Report
from apigen.diagnostics.quoting import quote
from apigen.inputs.go.model import GoField, GoTombstone, GoType, Marker, ProtobufTag, TombstoneForm, TombstoneWords
from apigen.inputs.go.syntax import (
    DEPRECATED,
    CommentGroup,
    CommentLine,
    Imports,
    TooDeepError,
    Unit,
    children_of,
    doc_of,
    parse,
    read_comments,
    string_value,
)

if TYPE_CHECKING:
    from tree_sitter import Node


LABELS = ("opt", "rep", "req")

_PAIR = re.compile(r' *([^\x00-\x20":\x7f]+):("(?:[^"\\]|\\.)*")')
_NUMBER = re.compile(r"\d{1,10}")
_OF_CONTROLLER_GEN = "+kubebuilder:"


def read_tag(text: str) -> tuple[Mapping[str, str], str | None]:
    """Split a tag, given without its quotes, into its pairs, the first of each key as in Go; also return the error in the
    rest of its text.
    """
    pairs: dict[str, str] = {}
    problem = None
    position = 0
    while text[position:].strip(" "):
        pair = _PAIR.match(text, position)
        value = None if pair is None else string_value(pair[2])
        if pair is None or value is None:
            return pairs, f'{quote(text[position:].strip(" "))} is not a `key:"value"`'
        if pair[1] in pairs:
            problem = f"it has {quote(pair[1])} twice, and Go uses the first"
        pairs.setdefault(pair[1], value)
        position = pair.end()
    return pairs, problem


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


def _tag(declaration: Node, unit: Unit) -> Mapping[str, str]:
    node = declaration.child_by_field_name("tag")
    if node is None:
        return {}
    text = string_value(unit.file.text(node))
    pairs, problem = ({}, "it is not a string") if text is None else read_tag(text)
    if problem is not None:
        unit.report.warning("AG1210", unit.file.place(node), f"invalid struct tag: {problem}")
    return pairs


def _field(
    name: str, node: Node, type_: GoType, tag: Mapping[str, str], reader: FieldReader, *, is_embedded: bool
) -> GoField:
    unit = reader.unit
    comment = unit.comments.above(node.start_point[0])
    json, protobuf_text = tag.get("json"), tag.get("protobuf")
    json_name, *options = (json or "").split(",")
    is_skipped, is_inline = json == "-", "inline" in options
    protobuf, problem = (None, None) if protobuf_text is None else read_protobuf_tag(protobuf_text)
    if problem is not None:
        unit.report.warning("AG1210", unit.file.place(node), f"invalid struct tag: {problem}")
    has_name = json is not None and not is_skipped and not is_inline
    return GoField(
        go=name,
        type=type_,
        place=unit.file.place(node),
        json=json_name or (None if is_embedded else name) if has_name else None,
        embedded=is_embedded,
        inline=is_inline or (is_embedded and not json_name),
        omitempty="omitempty" in options,
        omitzero="omitzero" in options,
        as_string="string" in options,
        json_skip=is_skipped,
        has_json_tag=json is not None,
        protobuf=protobuf,
        patch_strategy=tag.get("patchStrategy"),
        patch_merge_key=tag.get("patchMergeKey"),
        markers=_markers(node.start_point[0], unit),
        doc=reader.doc(comment),
    )


def _markers(row: int, unit: Unit) -> tuple[Marker, ...]:
    """Return the markers of a field: those in the comment above, and those of controller-gen in the comment before it, which
    Kubernetes' generators do not read.
    """
    near, far = unit.comments.above(row), unit.comments.second_above(row)
    of_far = () if far is None else (one for one in far.markers if one.text.startswith(_OF_CONTROLLER_GEN))
    return (*of_far, *(() if near is None else near.markers))


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


_HEAD = re.compile(r"\*?[A-Za-z_][\w.]*(?:\s*,\s*[A-Za-z_]\w*)*\s.*")
_TAG_WORDS = ('json:"', 'protobuf:"')
_POSITIVE = re.compile(r"[1-9]\d{0,9}")
_NAME = re.compile(r"[A-Za-z_][\w-]*")
_WORDS = (
    (TombstoneWords.TOMBSTONE, re.compile(r"\btombstone", re.IGNORECASE)),
    (TombstoneWords.MUST_NOT_USE, re.compile(r"\bmust not (?:use|be (?:re-?)?used|re-?use)\b", re.IGNORECASE)),
)


def find_removed_fields(groups: Iterable[CommentGroup], unit: Unit) -> list[GoTombstone]:
    """Return the removed fields, in order of location. A comment that looks like a removed field, but is not one, is
    reported.
    """
    return [removed for group in groups for removed in _in_group(group, unit)]


def tombstones(found: Iterable[GoTombstone], fields: Sequence[GoField]) -> tuple[GoTombstone, ...]:
    """Return the removed fields, next to the existing fields."""
    places = [field.place for field in fields]
    numbers = {f.protobuf.number: f.go for f in reversed(fields) if f.protobuf is not None}
    known: list[GoTombstone] = []
    for removed in found:
        position = bisect_left(places, removed.place)
        number_now_of = None if removed.number is None else numbers.get(removed.number)
        known.append(replace(removed, after=fields[position - 1].go if position else None, number_now_of=number_now_of))
    return tuple(known)


def _in_group(group: CommentGroup, unit: Unit) -> Iterator[GoTombstone]:
    words: TombstoneWords | None = None
    markers: list[Marker] = []
    for line in group.lines:
        if line.is_marker:
            if line.marker.text.startswith(DEPRECATED):
                removed = _marked(line, unit.report)
                yield from () if removed is None else (removed,)
            else:
                markers.append(line.marker)
            continue
        fields = commented_fields(line, unit)
        if fields:
            words = _words(group) if words is None else words
            for field in fields:
                number, wire = (None, None) if field.protobuf is None else (field.protobuf.number, field.protobuf.wire)
                yield GoTombstone(
                    form=TombstoneForm.COMMENTED,
                    json=field.json,
                    number=number,
                    place=line.place,
                    go=field.go,
                    type=field.type.text,
                    wire=wire,
                    words=words,
                    real=number is not None and words is not TombstoneWords.NOTHING,
                    markers=tuple(markers),
                )
            markers = []


def _marked(line: CommentLine, report: Report) -> GoTombstone | None:
    """Read `+k8s:deprecated=name,protobuf=N`; the number may be missing."""
    name, *options = (part.strip() for part in line.marker.text.removeprefix(DEPRECATED).split(","))
    number = None
    problem = None if _NAME.fullmatch(name) else f"{quote(name)} is not the name of a field"
    for option in options:
        key, _, value = option.partition("=")
        if key == "protobuf" and _POSITIVE.fullmatch(value):
            number = int(value)
        else:
            problem = problem or f"unknown option {quote(option)}"
    if problem is not None:
        hint = "write `+k8s:deprecated=jsonName,protobuf=4`"
        report.warning("AG1214", line.place, f"invalid marker of a removed field: {problem}", hint=hint)
    if not _NAME.fullmatch(name):
        return None
    return GoTombstone(TombstoneForm.MARKER, name, number, line.place, words=TombstoneWords.MARKER, real=True)


def _words(group: CommentGroup) -> TombstoneWords:
    """Return the words that announce the fields of a comment; lines with fields do not count."""
    text = " ".join(line.text.strip() for line in group.lines if _candidate(line) is None)
    return next((words for words, pattern in _WORDS if pattern.search(text)), TombstoneWords.NOTHING)


def _candidate(line: CommentLine) -> tuple[str, str] | None:
    """Return the possible field in a line of a comment, and the text after it; None without one."""
    text = line.text.strip()
    start = text.find("`")
    end = text.find("`", start + 1)
    if start < 0 or end < 0 or not any(word in text[start:end] for word in _TAG_WORDS):
        return None
    return (text[: end + 1], text[end + 1 :].strip()) if _HEAD.fullmatch(text[:start]) else None


def commented_fields(line: CommentLine, unit: Unit) -> tuple[GoField, ...]:
    """Return the fields in a comment line, if it has a struct tag with `json` or `protobuf`.

    A line that starts like a field but continues differently is reported, so that a person can check it.
    """
    candidate = _candidate(line)
    if candidate is None:
        return ()
    text, rest = candidate
    fields = () if rest and not rest.startswith("//") else _parsed(text, unit)
    is_field = bool(fields) and all(_is_plausible(field) for field in fields)
    is_prose = rest and 'protobuf:"' not in text
    if not is_field and not is_prose and is_exported(text.lstrip("*")) and len(text.partition("`")[0].split()) > 1:
        message = "this looks like a commented-out field, but is not one"
        hint = "if it is one, write only the field on its line"
        unit.report.warning("AG1213", line.place, message, hint=hint)
    return fields if is_field else ()


def _is_plausible(field: GoField) -> bool:
    """A single word before a tag is more often prose than an embedded type of this package."""
    return is_exported(field.go) and (not field.embedded or "." in field.type.text or field.protobuf is not None)


def _parsed(text: str, unit: Unit) -> tuple[GoField, ...]:
    """The fields that a line is in a struct. Names of packages in it need no import."""
    file = parse(unit.parser, f"package p\ntype T struct {{\n{text}\n}}\n".encode(), unit.file.display_path)
    if file is None or file.root.has_error:
        return ()
    quiet = Unit(file, read_comments(file), Imports({}, (), (), lambda path: None), Report(), unit.parser)
    structs = [
        struct
        for declaration in children_of(file.root, "type_declaration")
        for spec in children_of(declaration, "type_spec")
        for struct in children_of(spec, "struct_type")
    ]
    return FieldReader(quiet).read(structs[0]) if len(structs) == 1 else ()
