"""The values that structs set themselves: defaults of fields, defaults by path, and what gates set fields to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.ir.literal_reader import Limits
from apigen.ir.model import Alias, Api, Field, Struct
from apigen.ir.places import BoundPath, FieldStep, KeyStep, bind_path
from apigen.ir.types import NamedType, Type
from apigen.language.model import DefaultCase, LiteralNode, Located


@dataclass(frozen=True, slots=True)
class SetValue:
    """A literal that becomes the value of a field, or an entry of the map that the field is (`is_entry`)."""

    field: Field
    node: LiteralNode
    type: Type
    is_entry: bool = False


@dataclass(frozen=True, slots=True)
class ByPath:
    """By place, the fields that some `defaults:` fill, and those of them whose value that changes."""

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


def behind_names(type_: Type, limits: Limits, api: Api) -> tuple[Limits, Type]:
    """Return the constraints of a value, including those of its aliases, and the resolved type."""
    while isinstance(type_, NamedType):
        alias = api.types.get(type_.id)
        if isinstance(alias, Alias):
            limits = limits.and_of(alias)
        type_ = type_.target
    return limits, type_


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
    """The field that a path fills, or an entry of whose map it fills."""
    at = -2 if bound.steps and isinstance(bound.steps[-1], KeyStep) else -1
    last = bound.steps[at] if len(bound.steps) >= -at else None
    return last.field if isinstance(last, FieldStep) else None
