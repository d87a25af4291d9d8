"""The types that a file declares."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from apigen.diagnostics.quoting import quote
from apigen.inputs.go.comments import CommentGroup, doc_of
from apigen.inputs.go.fields import FieldReader, field_nodes, has_nameless_struct, is_exported
from apigen.inputs.go.model import GoField, GoKind, GoTypeDeclaration, Marker
from apigen.inputs.go.syntax import TooDeepError, children_of
from apigen.inputs.go.tombstones import find_removed_fields, tombstones
from apigen.inputs.go.unit import Unit

if TYPE_CHECKING:
    from tree_sitter import Node

_KINDS = {
    "type_identifier": GoKind.NAMED,
    "qualified_type": GoKind.NAMED,
    "slice_type": GoKind.LIST,
    "map_type": GoKind.MAP,
    "interface_type": GoKind.INTERFACE,
    "function_type": GoKind.FUNC,
}

_UNUSABLE = {
    "array_type": "an array of fixed length",
    "channel_type": "a channel",
    "generic_type": "a generic type with arguments",
    "struct_type": "an alias of an anonymous struct",
}


def read_types(unit: Unit) -> Iterator[GoTypeDeclaration]:
    """Return the types in source order. Types that an API cannot contain are reported and omitted."""
    for declaration in children_of(unit.file.root, "type_declaration"):
        for spec in children_of(declaration, "type_spec", "type_alias"):
            type_ = _declared(spec, unit)
            if type_ is not None:
                yield type_


def _declared(spec: Node, unit: Unit) -> GoTypeDeclaration | None:
    name_node, type_node = spec.child_by_field_name("name"), spec.child_by_field_name("type")
    if name_node is None or type_node is None:
        return None
    while type_node.type == "parenthesized_type" and type_node.named_children:
        type_node = type_node.named_children[0]
    name = unit.file.text(name_node)
    if spec.child_by_field_name("type_parameters") is not None:
        _leave_out(name, name_node, "a generic type", unit)
        return None
    if type_node.type == "struct_type" and spec.type == "type_spec":
        return _struct(name, name_node, type_node, unit)
    if type_node.has_error:
        return None
    kind = _KINDS.get(type_node.type)
    if kind is None:
        _leave_out(name, name_node, _UNUSABLE.get(type_node.type, "a pointer"), unit)
        return None
    if spec.type == "type_alias":
        kind = GoKind.ALIAS
    elif kind in (GoKind.LIST, GoKind.MAP) and is_exported(name) and has_nameless_struct(type_node):
        message = f"{quote(name)} contains an anonymous struct, whose fields are not read"
        unit.report.warning("AG1212", unit.file.place(name_node), message, hint="declare it as a named type")
    try:
        underlying = unit.type_of(type_node)
    except TooDeepError as error:
        unit.too_deep(error)
        return None
    place, (markers, doc) = unit.file.place(name_node), _said(name_node.start_point[0], unit)
    is_opaque = type_node.type == "interface_type"
    return GoTypeDeclaration(name, kind, place, underlying=None if is_opaque else underlying, markers=markers, doc=doc)


def _struct(name: str, name_node: Node, struct: Node, unit: Unit) -> GoTypeDeclaration:
    groups = _comments_of(struct, unit)
    gone = find_removed_fields(groups, unit)
    reader = FieldReader(unit, is_exported(name), frozenset(one.line.place.line for one in gone))
    fields = reader.read(struct)
    markers, doc = _said(name_node.start_point[0], unit)
    kept = {marker for one in gone for marker in one.markers}
    of_fields = {node.start_point[0] - 1 for node in field_nodes(struct)}
    detached = [group for group in groups if group.is_trailing or group.last not in of_fields]
    return GoTypeDeclaration(
        go=name,
        kind=GoKind.STRUCT,
        place=unit.file.place(name_node),
        root=any(_is_type_meta(field) for field in fields),
        fields=fields,
        tombstones=tombstones(gone, fields),
        markers=markers,
        detached_markers=tuple(marker for group in detached for marker in group.markers if marker not in kept),
        doc=doc,
    )


def _comments_of(struct: Node, unit: Unit) -> list[CommentGroup]:
    """The comments in the body of a struct, without those within a field's type."""
    ranges = [(node.start_point[0], node.end_point[0]) for node in field_nodes(struct)]
    groups = unit.comments.within(struct.start_point[0], struct.end_point[0])
    return [group for group in groups if not _is_nested(group, ranges)]


def _is_nested(group: CommentGroup, ranges: Sequence[tuple[int, int]]) -> bool:
    """Return whether a comment lies between the first and the last line of one of the declarations, which are in order."""
    position = bisect_left(ranges, (group.first, 0))
    return position > 0 and group.first < ranges[position - 1][1]


def _is_type_meta(field: GoField) -> bool:
    return field.embedded and field.go == "TypeMeta"


def _said(row: int, unit: Unit) -> tuple[tuple[Marker, ...], str | None]:
    """Return the markers of a type and its doc. Markers are read from the comment above and from the one before it."""
    near, far = unit.comments.above(row), unit.comments.second_above(row)
    groups = [group for group in (far, near) if group is not None]
    markers = tuple(marker for group in groups for marker in group.markers)
    return markers, None if near is None else doc_of(near.lines)


def _leave_out(name: str, node: Node, what: str, unit: Unit) -> None:
    if is_exported(name):
        message = f"{quote(name)} is {what} and is omitted"
        unit.report.warning("AG1211", unit.file.place(node), message)
