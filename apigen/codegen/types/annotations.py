"""The spelling of types and zero values in generated Python."""

from __future__ import annotations

from apigen.codegen.python.making import blank
from apigen.codegen.python.modules import Imports
from apigen.codegen.types.order import ModuleCycles
from apigen.dataclass import dataclass
from apigen.ir.model import Field, zero_is_none
from apigen.ir.types import (
    EnumType,
    ListType,
    MapType,
    NamedType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    TypeId,
    WellKnown,
    WellKnownType,
    is_bytes,
    underlying,
)

_SCALARS = {
    Scalar.STRING: ("str", '""'),
    Scalar.BOOL: ("bool", "False"),
    Scalar.INT32: ("int", "0"),
    Scalar.INT64: ("int", "0"),
    Scalar.UINT32: ("int", "0"),
    Scalar.UINT64: ("int", "0"),
    Scalar.FLOAT32: ("float", "0.0"),
    Scalar.FLOAT64: ("float", "0.0"),
    Scalar.BYTES: ("bytes", 'b""'),
}
"""The Python type and the zero value of each scalar."""

_WELL_KNOWN_ZERO = {WellKnown.QUANTITY: '"0"', WellKnown.DURATION: "0"}
"""The argument of a well-known type's class for its zero value."""


def scalar_zero(scalar: Scalar) -> str:
    """The zero value of a scalar."""
    return _SCALARS[scalar][1]


def item_can_be_none(type_: Type) -> bool:
    """Return whether an element of a list or a value of a map may be `None`.

    True for types with `None` as zero value, for named lists and maps that are nullable, and for bytes, for which
    Kubernetes distinguishes `null` and `""` everywhere.
    """
    while isinstance(type_, NamedType):
        if type_.nullable:
            return True
        type_ = type_.target
    return zero_is_none(type_) or is_bytes(type_)


@dataclass(frozen=True, slots=True)
class Spelling:
    """Spells types and zero values in the module of `owner`, in the body of its class or as the target of an alias."""

    imports: Imports
    owner: TypeId
    cycles: ModuleCycles

    def annotation(self, type_: Type, can_be_none: bool = False) -> str:
        """The type of a value."""
        plain = self._plain(type_)
        return f"{plain} | None" if can_be_none else plain

    def default(self, field: Field) -> str:
        """Return the text after the `=` of a field: its zero value, or a factory for one that must not be shared."""
        if field.can_be_none:
            return "None"
        behind = underlying(field.type)
        match behind:
            case ScalarType(scalar):
                return scalar_zero(scalar)
            case WellKnownType(known) if known in _WELL_KNOWN_ZERO:
                return f"{self.imports.runtime(known.value)}({_WELL_KNOWN_ZERO[known]})"
            case ListType():
                return self._factory(self.imports.builtin("list"))
            case MapType():
                return self._factory(self.imports.builtin("dict"))
            case StructType(id_):
                name = self.imports.type_name(id_)
                is_late = behind.has_type_meta or (id_.group, id_.version) != (self.owner.group, self.owner.version)
                return self._factory(f"lambda: {blank(behind, lambda _: name)}" if is_late else name)
        return '""' if isinstance(behind, EnumType) else "0"

    def _plain(self, type_: Type) -> str:
        match type_:
            case ScalarType(scalar):
                return self.imports.builtin(_SCALARS[scalar][0])
            case WellKnownType(WellKnown.INT_OR_STRING):
                return f"{self.imports.builtin('int')} | {self.imports.builtin('str')}"
            case WellKnownType(known):
                return self.imports.runtime(known.value)
            case ListType(item):
                return f"{self.imports.builtin('list')}[{self._item(item)}]"
            case MapType(key, value):
                return f"{self.imports.builtin('dict')}[{self._plain(key)}, {self._item(value)}]"
            case EnumType(id_):
                return f"{self.imports.type_name(id_)} | {self.imports.builtin('str')}"
            case NamedType(_, target) if self.cycles.hides_target(type_, self.owner):
                return self._plain(target)
            case StructType(id_) | NamedType(id_):
                return self.imports.type_name(id_)

    def _item(self, type_: Type) -> str:
        return self.annotation(type_, item_can_be_none(type_))

    def _factory(self, make: str) -> str:
        return f"{self.imports.runtime('field', 'dataclasses')}(default_factory={make})"
