"""Places for values: fields, aliases, and the items, keys and values in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.compat.sources.api.constraints import constraints_of, rules_of
from apigen.compat.sources.api.defaults import default_of
from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.types import Branch, ListOf, MapOf, Merge, Named, Scalar, Scalars, Slot
from apigen.compat.surface.types import Type as SurfaceType
from apigen.diagnostics import Place
from apigen.ir.model import Alias, Api, Field
from apigen.ir.types import ListType, MapType, ScalarType, Type, TypeId, WellKnownType
from apigen.spec.model import NO_CONSTRAINTS, NO_MERGE, Constraints, Located, MergeSpec


class Names:
    """Gives the names of types. No two groups of an API have one wire name, so two types never get the same."""

    def __init__(self, api: Api) -> None:
        self._wire: Mapping[str, str] = {group.folder: group.name for group in api.groups}
        self._known: dict[TypeId, TypeName] = {}
        self._types: dict[TypeId, Named] = {}

    def of(self, id_: TypeId) -> TypeName:
        """The name of a type."""
        found = self._known.get(id_)
        if found is None:
            found = TypeName(self._wire.get(id_.group, id_.group), id_.version, id_.name)
            self._known[id_] = found
        return found

    def named(self, id_: TypeId) -> Named:
        """The type of what has that name: one value for all places that have it."""
        found = self._types.get(id_)
        if found is None:
            found = self._types[id_] = Named(self.of(id_))
        return found


_SCALARS = {scalar.value: Scalar(scalar) for scalar in Scalars}
_UNMERGED = Merge()


def field_slot(field: Field, names: Names, *, is_defaulted: bool) -> Slot:
    """The place of a field. What it may hold besides values (`null`) is a matter of its presence."""
    return Slot(
        type=type_of(field.type, field.place, names, field),
        place=field.place,
        default=default_of(field.default, is_read_time=is_defaulted),
        constraints=constraints_of(field.constraints),
        rules=rules_of(field.constraints.rules),
        merge=merge_of(field.merge),
        branches=_branches(field),
        doc=field.doc,
    )


def alias_slot(alias: Alias, names: Names) -> Slot:
    """The place that an alias is a name for."""
    return Slot(
        type=type_of(alias.target, alias.place, names, alias),
        place=alias.place,
        nullable=alias.nullable,
        constraints=constraints_of(alias.constraints),
        rules=rules_of(alias.constraints.rules),
        merge=merge_of(alias.merge),
        branches=_branches(alias),
        doc=alias.doc,
    )


def type_of(type_: Type, place: Place, names: Names, holder: Field | Alias | None = None) -> SurfaceType:
    """A type; `holder` has what it says of the items, keys and values of the outermost list or map."""
    match type_:
        case ScalarType(scalar):
            return _SCALARS[scalar.value]
        case WellKnownType(known):
            return _SCALARS[known.value]
        case ListType(item):
            return ListOf(_inner(item, place, names, holder.item_constraints if holder else NO_CONSTRAINTS))
        case MapType(key, value):
            keys, values = NO_CONSTRAINTS, NO_CONSTRAINTS
            if holder is not None:
                keys, values = holder.key_constraints, holder.value_constraints
            return MapOf(_inner(key, place, names, keys), _inner(value, place, names, values))
        case _:
            return names.named(type_.id)


def merge_of(written: MergeSpec) -> Merge:
    """What is said of merging."""
    if written is NO_MERGE or written == NO_MERGE:
        return _UNMERGED
    return Merge(
        list_type=_value(written.list_type),
        list_map_keys=tuple(key.value for key in written.list_map_keys),
        map_type=_value(written.map_type),
        struct_type=_value(written.struct_type),
        patch_strategy=_value(written.patch_strategy),
        patch_merge_key=_value(written.patch_merge_key),
    )


def _inner(type_: Type, place: Place, names: Names, constraints: Constraints) -> Slot:
    return Slot(
        type=type_of(type_, place, names),
        place=place,
        constraints=constraints_of(constraints),
        rules=rules_of(constraints.rules),
    )


def _branches(holder: Field | Alias) -> tuple[Branch, ...]:
    """What is said of the parts of a list or map that stands there by another name."""
    if holder.item_constraints is holder.key_constraints is holder.value_constraints is NO_CONSTRAINTS:
        return ()
    type_ = holder.type if isinstance(holder, Field) else holder.target
    return () if isinstance(type_, ListType | MapType) else tuple(_parts(holder))


def _parts(holder: Field | Alias) -> Iterator[Branch]:
    parts = (
        ("items", holder.item_constraints),
        ("keys", holder.key_constraints),
        ("values", holder.value_constraints),
    )
    for keyword, written in parts:
        if written is NO_CONSTRAINTS:
            continue
        constraints, rules = constraints_of(written), rules_of(written.rules)
        if constraints or rules:
            place = next((each.place for each in constraints.values()), holder.place)
            slot = Slot(_SCALARS["anything"], place, constraints=constraints, rules=rules)
            yield Branch(keyword, "", slot)


def _value(written: Located[str] | None) -> str | None:
    return None if written is None else written.value
