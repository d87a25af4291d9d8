"""Types as specs say them."""

from __future__ import annotations

import json
from collections.abc import Callable

from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.lifecycle import GateMark
from apigen.compat.surface.resolving import behind, definition
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import (
    Alias,
    Default,
    Enum,
    Field,
    ListOf,
    MapOf,
    Named,
    Scalar,
    Scalars,
    Several,
    Slot,
    Struct,
    Type,
    TypeDef,
    Union,
)
from apigen.compat.verdict.example import JsonValue
from apigen.compat.witnesses.lowering import releases
from apigen.compat.witnesses.lowering.constraints import gates_in, lowered_constraints
from apigen.compat.witnesses.lowering.names import OBJECT_META, Names, given_names
from apigen.compat.witnesses.lowering.problem import NotLoweredError
from apigen.ir.model import Presence
from apigen.ir.names import field_name, member_name

Said = dict[str, JsonValue]

_SCALARS = {
    Scalars.INTEGER: "int64",
    Scalars.NUMBER: "float64",
    Scalars.ANYTHING: "RawExtension",
    Scalars.SINT32: "int32",
    Scalars.SINT64: "int64",
    Scalars.FIXED32: "uint32",
    Scalars.FIXED64: "uint64",
    Scalars.SFIXED32: "int32",
    Scalars.SFIXED64: "int64",
}
_LITERALS: dict[Scalars, Callable[[str], str]] = {
    **dict.fromkeys((Scalars.INTEGER, Scalars.INT32, Scalars.INT64, Scalars.BOOL), str),
    **dict.fromkeys((Scalars.NUMBER, Scalars.FLOAT32, Scalars.FLOAT64), lambda text: repr(float(text))),
}
"""How CEL writes the values of enums that are not of text."""


class Types:
    """Lowers types of one version.

    It remembers in `wanted` which others they name, in `keys` the first fields by which elements of lists are told apart: one of them is always there.
    `is_alone`: the version is its own hub, so that nothing is said of conversions.
    """

    def __init__(self, surface: Surface, names: Names, *, is_alone: bool = False) -> None:
        self._surface = surface
        self._is_alone = is_alone
        self._names = names
        self.wanted: list[TypeName] = []
        self.gates: set[str] = set()
        self.keys: list[tuple[TypeName, str]] = []

    def of(self, type_: TypeDef) -> Said:
        """A type."""
        match type_:
            case Struct():
                return self._struct(type_)
            case Enum():
                return self._enum(type_)
            case Alias():
                found: Said = {"is": self._type(type_.slot.type), **self._slot(type_.slot)}
                return {**found, "nullable": True} if type_.slot.nullable else found

    def _struct(self, struct: Struct) -> Said:
        if struct.lenses and not self._is_alone:
            raise NotLoweredError(f"the conversions of {struct.name.name} to and from the hub cannot be made again")
        fields: Said = {field.name: self._field(field) for field in struct.fields.values()}
        for name, py_name in given_names(struct.fields, field_name, "field_no_").items():
            fields[name] = {**self._field(struct.fields[name]), "pyName": py_name}
        found: Said = {"fields": fields}
        if struct.defaults:
            found["defaults"] = {
                path: self._default(slot.default) for path, slot in struct.defaults.items() if slot.default
            }
        self.gates.update(gates_in(struct.slot.constraints))
        if struct.unions:
            found["unions"] = [_union(union) for union in struct.unions]
        return {**found, **lowered_constraints(struct.slot.constraints, struct.slot.rules)}

    def _field(self, field: Field) -> Said:
        found: Said = {"type": self._type(field.slot.type), **self._slot(field.slot)}
        if field.presence is not Presence.PLAIN:
            found[field.presence.value] = True
        if field.slot.nullable and field.presence is Presence.PLAIN:
            found["nullable"] = True
        found["required"] = field.required
        if field.number is not None and not field.via:
            found["protobuf"] = field.number
        if field.slot.default is not None:
            found["default"] = self._default(field.slot.default)
        if field.gate is not None:
            found["featureGate"] = self._mark(field.gate)
        return {**found, **releases.of_field(field, self._surface)}

    def _slot(self, slot: Slot) -> Said:
        """What is said of values at a place, and of those inside them."""
        if slot.branches:
            raise NotLoweredError(f"`{slot.branches[0].keyword}` cannot be tried")
        self.gates.update(gates_in(slot.constraints))
        found = {**self._constraints(slot), **self._merge(slot)}
        match slot.type:
            case ListOf(item):
                if isinstance(item.type, Named):
                    self.keys += ((item.type.name, key) for key in slot.merge.list_map_keys[:1])
                inner = self._constraints(item)
                found |= {"items": inner} if inner else {}
            case MapOf(key, value):
                keys = self._constraints(key)
                values = self._constraints(value)
                found |= {**({"keys": keys} if keys else {}), **({"values": values} if values else {})}
        return found

    def _constraints(self, slot: Slot) -> Said:
        is_either = _is_int_or_string(behind(self._surface, slot.type))
        return lowered_constraints(slot.constraints, slot.rules, is_int_or_string=is_either)

    def _merge(self, slot: Slot) -> Said:
        """How apply treats it, where specs have a word for that; no trial applies anything."""
        merge, found = slot.merge, Said()
        if merge.list_type is not None:
            found["listType"] = merge.list_type
        if merge.list_map_keys:
            found["listMapKeys"] = list(merge.list_map_keys)
        struct = definition(self._surface, slot.type)
        if isinstance(behind(self._surface, slot.type), MapOf) or (isinstance(struct, Struct) and _is_free(struct)):
            found |= {} if merge.map_type is None else {"mapType": merge.map_type}
        elif isinstance(struct, Struct) and (merge.map_type or merge.struct_type):
            found["structType"] = merge.struct_type or merge.map_type
        return found

    def _type(self, type_: Type) -> str:
        match type_:
            case Scalar(Scalars.NULL):
                raise NotLoweredError("a type of null alone cannot be tried")
            case Scalar(name):
                return _SCALARS.get(name, name.value)
            case ListOf(item):
                return f"[]{self._type(item.type)}"
            case MapOf(key, value):
                return f"map[{self._type(key.type)}]{self._type(value.type)}"
            case Several() if _is_int_or_string(type_):
                return Scalars.INT_OR_STRING.value
            case Several():
                raise NotLoweredError(f"a value of type {type_} cannot be tried")
            case Named(name):
                return self._named(name)

    def _named(self, name: TypeName) -> str:
        if name.name == "ObjectMeta" and name.version == "v1" and self._names.is_foreign(name):
            return OBJECT_META
        type_ = self._surface.type(name)
        if type_ is None:
            raise NotLoweredError(f"there is no type {name.name}")
        if isinstance(type_, Struct) and _is_free(type_):
            return f"map[string]{_SCALARS[Scalars.ANYTHING]}"
        self.wanted.append(name)
        return self._names.of(name)

    def _enum(self, enum: Enum) -> Said:
        if str(enum.base) != "string":
            return _listed(enum)
        values: Said = {}
        given = given_names(enum.values, member_name, "VALUE_NO_")
        for value in enum.values.values():
            said: Said = {} if value.gate is None else {"featureGate": self._mark(value.gate)}
            said |= releases.of_value(value, self._surface)
            values[value.value] = {**said, "pyName": given[value.value]} if value.value in given else said
        found: Said = {"enum": values}
        if enum.open:
            found["open"] = True
        if enum.unknown is not None:
            found["unknown"] = enum.unknown
        return found

    def _default(self, default: Default) -> JsonValue:
        if not default.is_computed:
            return {"value": json.loads(default.text)}
        if not default.cases:
            raise NotLoweredError("a default that is computed cannot be made again")
        self.gates.update(default.gates)
        cases: JsonValue = json.loads(default.cases)
        return cases

    def _mark(self, mark: GateMark) -> JsonValue:
        if mark.words:
            raise NotLoweredError("a gate that drops by conditions of its own cannot be tried")
        self.gates.update(mark.gates)
        return mark.gates[0] if len(mark.gates) == 1 else {"any" if mark.is_any else "all": list(mark.gates)}


def _is_int_or_string(type_: Type | None) -> bool:
    """Whether values are whole numbers or text; of several types, `null` is said otherwise."""
    if isinstance(type_, Several):
        return {str(each) for each in type_.types} <= {"string", "integer", "int32", "int64"}
    return type_ == Scalar(Scalars.INT_OR_STRING)


def _listed(enum: Enum) -> Said:
    """An enum that is not of text: specs have none, but they have scalars with a rule."""
    base = enum.base.name if isinstance(enum.base, Scalar) else Scalars.ANYTHING
    literal = _LITERALS.get(base)
    if literal is None or enum.open or enum.unknown is not None or any(each.gate for each in enum.values.values()):
        raise NotLoweredError(f"an enum of {enum.base} cannot be tried")
    values = ", ".join(literal(text) for text in enum.values)
    return {
        "is": _SCALARS.get(base, base.value),
        "rules": [{"rule": f"self in [{values}]", "message": "none of the values of the enum"}],
    }


def _is_free(struct: Struct) -> bool:
    """Whether it is an object of which nothing is known, and that keeps whatever is in it: servers handle it like a map."""
    is_bare = not (struct.fields or struct.patterns or struct.unions or struct.defaults or struct.lenses)
    return struct.unknown.keeps and is_bare


def _union(union: Union) -> Said:
    found: Said = {"members": list(union.members), "optional": union.optional}
    if union.discriminator is not None:
        found = {"discriminator": union.discriminator}
        found["members"] = {value or name: name for name, value in union.members.items()}
        if union.empty:
            found["empty"] = list(union.empty)
        elif union.optional:
            found["optional"] = True
    return found
