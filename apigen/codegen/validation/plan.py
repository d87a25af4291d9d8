"""Which structs have anything to validate, in themselves or below, and which enum values are behind gates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.strategies.walks import Places
from apigen.dataclass import dataclass, field, replace
from apigen.ir.formats import ANY_JSON, is_format
from apigen.ir.hand_written import HandWrittenFunction, Role
from apigen.ir.model import (
    Alias,
    Enum,
    EnumType,
    EnumValue,
    Field,
    ListType,
    Struct,
    Type,
    TypeDef,
    TypeId,
    aliases_of,
    innermost_type,
    merge_of,
    named_in,
    parts_of,
    underlying,
)
from apigen.ir.requiredness import must_be_set
from apigen.language.model import Constraints

SET, MAP = "set", "map"


@dataclass(slots=True)
class ValidationPlan:
    """The types below kinds that have something to validate."""

    backend_input: BackendInput
    places: Places
    validated: frozenset[TypeId] = frozenset()
    """The structs with a function of their own: they, or structs in them, have a rule."""
    _handed: dict[TypeId, HandWrittenFunction] = field(default_factory=dict)

    @classmethod
    def of(cls, backend_input: BackendInput, places: Places, scope: Iterable[TypeId]) -> ValidationPlan:
        """Work out which of the structs in `scope` have anything to validate."""
        plan = cls(backend_input, places)
        for version, hub in backend_input.hub.hub_of.items():
            found = backend_input.hand_written.get(version, Role.VALIDATE)
            if found is not None and backend_input.hub.named.get(hub) == version:
                plan._handed[hub] = found
        own = [id_ for id_ in scope if plan._has_rules(places.struct(id_))]
        plan.validated = places.above(own)
        return plan

    def hand_written(self, struct: TypeId) -> HandWrittenFunction | None:
        """The hand-written function of the version that a hub's struct follows."""
        return self._handed.get(struct) or self.backend_input.hand_written.get(struct, Role.VALIDATE)

    def _has_rules(self, struct: Struct) -> bool:
        if struct.unions or self.hand_written(struct.id) is not None:
            return True
        return any(field_has_rules(f, self.backend_input.types) for f in struct.fields)


def is_validated(constraints: Constraints) -> bool:
    """Return whether generated functions validate any of these constraints: not CEL rules, nor raw JSON that may be any
    value.
    """
    if constraints.is_empty():
        return False
    format_ = None if is_format(constraints, ANY_JSON) else constraints.format
    return not replace(constraints, rules=(), format=format_).is_empty()


def field_has_rules(member: Field, types: Mapping[TypeId, TypeDef]) -> bool:
    """Return whether a field's own value has anything to validate (without nested structs)."""
    if _declares_rules(member) or must_be_set(member, types) or identity_of(member, types) is not None:
        return True
    return type_has_rules(member.type, types)


def _declares_rules(holder: Field | Alias) -> bool:
    own = (holder.constraints, holder.item_constraints, holder.key_constraints, holder.value_constraints)
    return any(map(is_validated, own))


def type_has_rules(type_: Type, types: Mapping[TypeId, TypeDef]) -> bool:
    """Return whether a type expression contains an enum or a constrained named type, apart from structs."""
    for declared in map(types.get, named_in(type_)):
        if isinstance(declared, Enum) and is_validated_enum(declared):
            return True
        if isinstance(declared, Alias) and (_declares_rules(declared) or identity_of(declared, types) is not None):
            return True
    return False


def is_rejecting(constraints: Constraints) -> bool:
    """Return whether constraints reject a field as a whole, other than by `immutable` alone."""
    own = (constraints.forbidden, constraints.required)
    if any(flag is not None and flag.value for flag in own) or constraints.update:
        return True
    cases = (case.constraints for case in (*constraints.if_enabled, *constraints.if_disabled))
    return any(is_rejecting(case) or is_immutable(case) for case in cases)


def is_immutable(constraints: Constraints) -> bool:
    """Return whether constraints say `immutable: true`."""
    return constraints.immutable is not None and constraints.immutable.value


def identity_of(declared: Field | Alias, types: Mapping[TypeId, TypeDef]) -> str | None:
    """Return how elements of a list are identified: `set` by value, `map` by keys; None for an atomic list.

    `declared` is the field of the list, or the named type.
    """
    type_ = declared_type(declared)
    if not isinstance(underlying(type_), ListType):
        return None
    if declared.constraints.unique_by:
        return MAP
    list_type = merge_of(type_, declared.merge, types).list_type
    if list_type is not None and list_type.value in (SET, MAP):
        return list_type.value
    return SET if unique_items(declared, types) else None


def unique_items(declared: Field | Alias, types: Mapping[TypeId, TypeDef]) -> bool | None:
    """Return `uniqueItems` of a field or named type, or else of the named types behind it; None if none declares it."""
    constraints = (declared.constraints, *(alias.constraints for alias in aliases_of(declared_type(declared), types)))
    return next((each.unique_items.value for each in constraints if each.unique_items is not None), None)


def declared_type(declared: Field | Alias) -> Type:
    """The type of a field, or the type that a named type is."""
    return declared.target if isinstance(declared, Alias) else declared.type


def alias_constraints(type_: Type, types: Mapping[TypeId, TypeDef]) -> Iterator[Constraints]:
    """Return the constraints of the aliases of a value, outermost first."""
    return (alias.constraints for alias in aliases_of(type_, types) if is_validated(alias.constraints))


def is_validated_enum(enum: Enum) -> bool:
    """Return whether a value of the enum can be wrong: any, unless it is open; then those that are rolled out."""
    return not enum.open or any(True for _ in rolled_out_values(enum))


def rolled_out_values(enum: Enum) -> Iterator[EnumValue]:
    """The values of an enum that are behind gates, that were tolerated before they were introduced, or, unless any string is
    accepted, that are removed in a release.
    """
    return (value for value in enum.values if value.is_rolled_out or (value.lifecycle.removed and not enum.open))


def enums_in(type_: Type) -> Iterator[TypeId]:
    """Yield the enums in a type expression, including those of map keys."""
    return (part.id for part in parts_of(type_) if isinstance(part, EnumType))


def enum_in(type_: Type) -> TypeId | None:
    """The enum of which a value, an element or a value of a map is, if any."""
    innermost = innermost_type(type_)
    return innermost.id if isinstance(innermost, EnumType) else None
