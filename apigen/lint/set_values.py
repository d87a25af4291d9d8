"""The values that structs set themselves: defaults, and values of disabled gates. Values that lack a required field are
AG0506.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Related, Report
from apigen.diagnostics.quoting import quote
from apigen.ir.hand_written import HandWritten, Role
from apigen.ir.model import (
    Api,
    Field,
    ListType,
    MapType,
    Struct,
    StructType,
    Type,
    struct_of,
    underlying,
)
from apigen.ir.places import BoundPath, FieldStep, KeyStep, bind_path
from apigen.ir.requiredness import must_be_set
from apigen.language.model import DefaultCase, Items, LiteralNode, Located, Object


@dataclass(frozen=True, slots=True)
class SetValue:
    """A literal that becomes the value of a field, or an entry of the map that the field is (`is_entry`)."""

    field: Field
    node: LiteralNode
    type: Type
    is_entry: bool = False


@dataclass(frozen=True, slots=True)
class ByPath:
    """The fields that `defaults:` set, by path, and those of them whose value changes."""

    filled: frozenset[Place]
    changed: frozenset[Place]

    @classmethod
    def of(cls, api: Api) -> ByPath:
        """Those of all structs."""
        found = list(_by_path(api))
        return cls(frozenset(f.place for f, _ in found), frozenset(f.place for f, changes in found if changes))

    def set_values(self, struct: Struct, api: Api) -> Iterator[SetValue]:
        """Return the literal values that a struct sets, without those that another default changes afterwards."""
        for field in struct.own_fields:
            if field.place not in self.changed:
                yield from (SetValue(field, node, field.type) for node in _values(field.default))
            if field.gate is not None and field.gate.to is not None:
                yield SetValue(field, field.gate.to, field.type)
        for default in struct.defaults:
            bound = bind_path(default.path, struct, api.types)
            filled = _last_field(bound) if isinstance(bound, BoundPath) else None
            if filled is not None and isinstance(bound, BoundPath):
                is_entry = bound.field is None
                yield from (SetValue(filled, node, bound.type, is_entry) for node in _values(default.cases))

    def may_change(self, field: Field) -> bool:
        """Return whether a field that is set does not keep its value."""
        return field.gate is not None or field.place in self.changed or any(case.overwrite for case in field.default)

    def may_fill(self, field: Field) -> bool:
        """Return whether a field that is not set gets a value by a default."""
        return bool(field.default) or field.place in self.filled


def _values(cases: Iterable[DefaultCase]) -> Iterator[LiteralNode]:
    """Return the literals that become a value unchanged; entries that `byKey` adds are next to others."""
    for case in cases:
        is_null = isinstance(case.value, Located) and case.value.value is None
        if case.value is not None and not is_null and not case.by_key:
            yield case.value


def _by_path(api: Api) -> Iterator[tuple[Field, bool]]:
    """Yield the fields that `defaults:` set, and whether they change existing values."""
    for struct in api.types.values():
        if not isinstance(struct, Struct):
            continue
        for default in struct.defaults:
            bound = bind_path(default.path, struct, api.types)
            if isinstance(bound, BoundPath) and (field := _last_field(bound)) is not None:
                changes = any(case.overwrite or case.by_key for case in default.cases)
                yield field, changes or bound.field is None


def _last_field(bound: BoundPath) -> Field | None:
    """Return the field that a path sets, or the map field with the entry that it sets."""
    at = -2 if bound.steps and isinstance(bound.steps[-1], KeyStep) else -1
    last = bound.steps[at] if len(bound.steps) >= -at else None
    return last.field if isinstance(last, FieldStep) else None


def check_incomplete_values(api: Api, written: HandWritten, report: Report, groups: Container[str]) -> None:
    """Report (AG0506) the defaults of these groups, and the values of disabled gates, that lack a required field.

    Validation rejects them, as Kubernetes rejects a definition with such a default. Fields that another default or a gate
    may set count as set, and so do all fields in versions with hand-written defaults.
    """
    by_path = ByPath.of(api)
    by_hand = {(id_.group, id_.version) for id_, role in written.functions if role is Role.DEFAULT}
    for struct in api.types.values():
        if not isinstance(struct, Struct) or struct.id.group not in groups:
            continue
        if (struct.id.group, struct.id.version) in by_hand:
            continue
        for set_value in by_path.set_values(struct, api):
            for place, field in _missing(set_value.node, set_value.type, api, by_path):
                message = f"{quote(field.json_name)} is required, but missing"
                hint = f"set {quote(field.json_name)}, or declare a default for it"
                report.error("AG0506", place, message, hint=hint, related=[Related(field.place, "the field")])


def _missing(node: LiteralNode, type_: Type, api: Api, by_path: ByPath) -> Iterator[tuple[Place, Field]]:
    """Yield the missing fields of a value and of its parts, with their locations."""
    match underlying(type_):
        case ListType(item) if isinstance(node, Items):
            for each in node.items:
                yield from _missing(each, item, api, by_path)
        case MapType(_, item) if isinstance(node, Object):
            for _, each in node.members:
                yield from _missing(each, item, api, by_path)
        case StructType(id_) if isinstance(node, Object):
            members = {name.value: inner for name, inner in node.members}
            for field in struct_of(id_, api.types).fields:
                inner = members.get(field.json_name)
                if inner is not None and not (isinstance(inner, Located) and inner.value is None):
                    yield from _missing(inner, field.type, api, by_path)
                elif must_be_set(field, api.types) and not by_path.may_fill(field) and field.gate is None:
                    yield node.place, field
