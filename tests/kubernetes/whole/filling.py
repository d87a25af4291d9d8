"""The deterministically filled objects of Kubernetes' compatibility test, made from the IR alone.

Depth first, fields in order; each field hands down its JSON name and its protobuf number (without one: minus the length
of the name), and lists, maps and pointers hand on what they were given. The rules are those of the fixtures' README.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apigen.ir.model import (
    Api,
    EnumType,
    Field,
    ListType,
    MapType,
    NamedType,
    Presence,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeId,
    WellKnown,
    WellKnownType,
    underlying,
)

CUSTOM = {"apiVersion": "example.com/v1", "kind": "CustomType", "spec": {"replicas": 1}, "status": {"available": 1}}

Json = Any


@dataclass(frozen=True, slots=True)
class _Hint:
    """What a field hands down: `name` fills texts, `number` all else."""

    name: str
    number: int


class Filler:
    """Fills the types of an API. `without_numbers` are the types whose specs give their fields no protobuf numbers."""

    def __init__(self, api: Api, without_numbers: frozenset[TypeId] = frozenset()) -> None:
        self._api = api
        self._without_numbers = without_numbers

    def kind(self, api_version: str, struct: Struct) -> Mapping[str, Json]:
        """The JSON of a kind's object; `kind` and `apiVersion` come first where it has them."""
        filled = self._struct(struct.id, ())
        return {"kind": struct.id.name, "apiVersion": api_version, **filled} if struct.has_type_meta else filled

    def _struct(self, id_: TypeId, within: tuple[str, ...]) -> dict[str, Json]:
        if str(id_) in within:
            return {}
        within = (*within, str(id_))
        filled = {}
        for field in self._api.struct(id_).fields:
            number = None if id_ in self._without_numbers else field.number
            hint = _Hint(field.json_name, -len(field.json_name) if number is None else number)
            value = self._field(field, hint, within)
            if value is not None:
                filled[field.json_name] = value
        return filled

    def _field(self, field: Field, hint: _Hint, within: tuple[str, ...]) -> Json:
        """None where it stays as it is."""
        pointer = field.presence in (Presence.OPTIONAL, Presence.NULLABLE) and not _is_container(field.type)
        if pointer:
            if f"*{field.type}" in within:
                return None
            within = (*within, f"*{field.type}")
        return self._value(field.type, hint, within)

    def _value(self, type_: Type, hint: _Hint, within: tuple[str, ...], *, in_map: bool = False) -> Json:
        match type_:
            case NamedType():
                return self._value(type_.target, hint, within, in_map=in_map)
            case EnumType():
                return f"{hint.name}Value"
            case ScalarType():
                return _scalar(type_.scalar, hint)
            case WellKnownType():
                return _well_known(type_.known, hint, in_map)
            case ListType():
                key = f"[]{_identity(type_.item)}"
                return None if key in within else [self._value(type_.item, hint, (*within, key))]
            case MapType():
                return {f"{hint.name}Key": self._value(type_.value, hint, within, in_map=True)}
            case StructType():
                return self._struct(type_.id, within)


def _is_container(type_: Type) -> bool:
    return isinstance(underlying(type_), ListType | MapType)


def _identity(type_: Type) -> str:
    return str(type_.id) if isinstance(type_, StructType) else str(type_)


def _scalar(scalar: Scalar, hint: _Hint) -> Json:
    match scalar:
        case Scalar.STRING:
            return f"{hint.name}Value"
        case Scalar.BOOL:
            return True
        case Scalar.FLOAT32 | Scalar.FLOAT64:
            return hint.number + 0.5
        case Scalar.BYTES:
            return base64.b64encode(bytes([hint.number % 256])).decode()
    return hint.number


def _well_known(known: WellKnown, hint: _Hint, in_map: bool) -> Json:
    if known is WellKnown.QUANTITY:
        return "0"
    if in_map:
        return None
    match known:
        case WellKnown.TIME:
            return f"{2000 + hint.number}-01-01T01:01:01Z"
        case WellKnown.MICRO_TIME:
            return f"{2000 + hint.number}-01-01T01:01:01.{hint.number:06d}Z"
        case WellKnown.INT_OR_STRING:
            return f"{hint.name}Value"
        case WellKnown.RAW_EXTENSION:
            return CUSTOM
        case WellKnown.FIELDS_V1:
            return {}
        case _:
            return f"{hint.number}ns"
