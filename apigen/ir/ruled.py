"""The places of CEL rules: types, fields, and the elements of their lists and maps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.dataclass import dataclass
from apigen.ir.model import (
    Alias,
    Api,
    Field,
    ListType,
    MapType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    struct_of,
    underlying,
)
from apigen.language.model import RuleSpec


@dataclass(frozen=True, slots=True)
class RuledPlace:
    """A rule and its subject: `self` is of `type`, at `place` of the type `owner` (empty: the type itself).

    `has_old`: the value can have an old value, so that a rule may compare the two.
    """

    rule: RuleSpec
    owner: TypeId
    place: str
    type: Type
    has_old: bool


def rules_of_struct(struct: Struct, types: Mapping[TypeId, TypeDef]) -> tuple[RuleSpec, ...]:
    """Return the rules of a struct and of its inline structs, whose fields are among its own in JSON."""
    inlined = (struct_of(inline.type.id, types) for inline in struct.inlines)
    return tuple(rule for each in (struct, *inlined) for rule in each.constraints.rules)


def ruled_places(api: Api) -> Iterator[RuledPlace]:
    """All rules of all versions, in order."""
    for id_, type_ in api.types.items():
        match type_:
            case Struct():
                for rule in type_.constraints.rules:
                    yield RuledPlace(rule, id_, "", StructType(id_), True)
                for member in type_.own_fields:
                    yield from _of(id_, member.json_name, member, member.type)
            case Alias():
                yield from _of(id_, "", type_, type_.target)


def _of(owner: TypeId, name: str, holder: Field | Alias, type_: Type) -> Iterator[RuledPlace]:
    behind = underlying(type_)
    for rule in holder.constraints.rules:
        yield RuledPlace(rule, owner, name, type_, True)
    if isinstance(behind, ListType):
        is_map = holder.merge.list_type is not None and holder.merge.list_type.value == "map"
        for rule in holder.item_constraints.rules:
            yield RuledPlace(rule, owner, f"{name}[]", behind.item, is_map)
    if isinstance(behind, MapType):
        is_atomic = holder.merge.map_type is not None and holder.merge.map_type.value == "atomic"
        for rule in holder.key_constraints.rules:
            yield RuledPlace(rule, owner, f"{name}[]", behind.key, not is_atomic)
        for rule in holder.value_constraints.rules:
            yield RuledPlace(rule, owner, f"{name}[]", behind.value, not is_atomic)
