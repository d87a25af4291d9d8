"""Values of structs that are set as a whole and lack a field that must be there (AG0506)."""

from __future__ import annotations

from collections.abc import Container, Iterator

from apigen.diagnostics import Place, Related, Report
from apigen.diagnostics.quoting import quote
from apigen.ir.hand_written import HandWritten, Role
from apigen.ir.literal_reader import Limits
from apigen.ir.model import Api, Field, Struct
from apigen.ir.requiredness import must_be_set
from apigen.ir.types import ListType, MapType, StructType, Type
from apigen.language.model import Items, LiteralNode, Located, Object
from apigen.lint.set_values import ByPath, behind_names


def check_incomplete_values(api: Api, written: HandWritten, report: Report, groups: Container[str]) -> None:
    """Report (AG0506) the defaults of these groups, and what gates set fields to, that lack a required field.

    Validation rejects them, as Kubernetes does a definition with such a default. What a default or a gate may still
    fill in counts as there; so does everything in versions in which hand-written defaults do.
    """
    by_path = ByPath.of(api)
    by_hand = {(id_.group, id_.version) for id_, role in written.functions if role is Role.DEFAULT}
    for struct in api.types.values():
        if not isinstance(struct, Struct) or struct.id.group not in groups:
            continue
        if (struct.id.group, struct.id.version) in by_hand:
            continue
        for found in by_path.set_values(struct, api):
            for place, field in _missing(found.node, found.type, api, by_path):
                message = f"{quote(field.json_name)} is required, but missing"
                hint = f"set {quote(field.json_name)}, or declare a default for it"
                report.error("AG0506", place, message, hint=hint, related=[Related(field.place, "the field")])


def _missing(node: LiteralNode, type_: Type, api: Api, by_path: ByPath) -> Iterator[tuple[Place, Field]]:
    """Yield the missing fields of a value and of its parts, with their locations."""
    match behind_names(type_, Limits(), api)[1]:
        case ListType(item) if isinstance(node, Items):
            for each in node.items:
                yield from _missing(each, item, api, by_path)
        case MapType(_, item) if isinstance(node, Object):
            for _, each in node.members:
                yield from _missing(each, item, api, by_path)
        case StructType(id_) if isinstance(node, Object):
            struct = api.types[id_]
            assert isinstance(struct, Struct)
            yield from _missing_in(node, struct, api, by_path)


def _missing_in(node: Object, struct: Struct, api: Api, by_path: ByPath) -> Iterator[tuple[Place, Field]]:
    given = {name.value: inner for name, inner in node.members}
    for field in struct.fields:
        inner = given.get(field.json_name)
        if inner is not None and not (isinstance(inner, Located) and inner.value is None):
            yield from _missing(inner, field.type, api, by_path)
        elif must_be_set(field, api.types) and not by_path.may_fill(field) and field.gate is None:
            yield node.place, field
