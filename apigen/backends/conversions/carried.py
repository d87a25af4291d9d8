"""Writes how values that annotations carry are read from JSON and written as JSON."""

from __future__ import annotations

from apigen.backends.conversions.runtime_names import runtime_name
from apigen.backends.conversions.values import ValueConverter
from apigen.dataclass import dataclass
from apigen.ir.names import snake_case
from apigen.ir.types import (
    ListType,
    MapType,
    StructType,
    Type,
    TypeId,
    WellKnown,
    WellKnownType,
    is_bytes,
    is_text,
    struct_in,
    underlying,
)
from apigen.ir.value_conversions import EachItem, EachValue, ValueConversion
from apigen.python.code import literal


@dataclass(frozen=True, slots=True)
class CarriedValues:
    """Writes expressions for one direction of one module."""

    converter: ValueConverter

    def read(self, wire: Type, value: ValueConversion, text: str, path: str) -> str:
        """The value of the hub that JSON text holds; `path` leads to the text, for errors."""
        where = literal(path)
        return self._decoded(wire, value, f"{self._runtime('parse_annotation')}({text}, {where})", where)

    def written(self, wire: Type, value: ValueConversion, expression: str) -> str:
        """JSON text of a value of the hub. Functions of structs have encoded all floats of what they return."""
        floats = "" if struct_in(wire) is None else ", floats_encoded=True"
        return f"{self._runtime('json_text')}({self._encoded(wire, value, expression)}{floats})"

    def _decoded(self, wire: Type, value: ValueConversion, parsed: str, where: str) -> str:
        behind = underlying(wire)
        match behind:
            case ListType(item):
                inner = self._decoded(item, _inner(value), "item", where)
                return f"[{inner} for item in {self._runtime('decode_list')}({parsed}, {where})]"
            case MapType(_, item):
                inner = self._decoded(item, _inner(value), "item", where)
                entries = f"{self._runtime('decode_object')}({parsed}, {where}).items()"
                return f"{{key: {inner} for key, item in {entries}}}"
            case StructType(id_):
                decode = self._codec("decode", id_)
            case _:
                decode = self._runtime(f"decode_{'string' if is_text(behind) else snake_case(str(behind))}")
        return self.converter.expression(value, f"{decode}({parsed}, {where})")

    def _encoded(self, wire: Type, value: ValueConversion, expression: str) -> str:
        behind = underlying(wire)
        match behind:
            case ListType(item):
                return f"[{self._encoded(item, _inner(value), 'item')} for item in {expression}]"
            case MapType(_, item):
                inner = self._encoded(item, _inner(value), "item")
                return f"{{key: {inner} for key, item in sorted({expression}.items())}}"
        converted = self.converter.expression(value, expression)
        match behind:
            case StructType(id_):
                return f"{self._codec('encode', id_)}({converted})"
            case WellKnownType(WellKnown.QUANTITY | WellKnown.TIME | WellKnown.MICRO_TIME | WellKnown.DURATION):
                return f"str({converted})"
        return f"{self._runtime('encode_bytes')}({converted})" if is_bytes(behind) else converted

    def _codec(self, verb: str, id_: TypeId) -> str:
        name = f"{verb}_{self.converter.types[id_].snake_name}"
        return self.converter.imports.function(id_, "json_codec", name)

    def _runtime(self, name: str) -> str:
        return runtime_name(self.converter.imports, name)


def _inner(value: ValueConversion) -> ValueConversion:
    """The conversion of the elements of a list or map; a value that is copied as it is has copied elements."""
    match value:
        case EachItem(inner) | EachValue(inner):
            return inner
    return value
