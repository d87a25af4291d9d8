"""Writes objects that only have a value at one place: `Frobber(parts=[Part(width=1)])`."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.codegen.python.source_text import Imports, literal
from apigen.dataclass import dataclass
from apigen.ir.generated_modules import Module
from apigen.ir.model import Enum, Field, TypeDef, struct_of
from apigen.ir.places import BoundStep, EachStep, FieldStep, IndexStep, InlineStep, KeyStep, PrefixStep, SelectStep
from apigen.ir.types import (
    EnumType,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    TypeId,
    WellKnown,
    WellKnownType,
    underlying,
)

KEY = "x"
"""The key of every map."""

_SCALARS = {
    Scalar.STRING: '"x"',
    Scalar.BOOL: "True",
    Scalar.BYTES: 'b"x"',
    Scalar.FLOAT32: "1.5",
    Scalar.FLOAT64: "1.5",
}
_TIME = '.parse("2006-01-02T15:04:05Z")'
_WELL_KNOWN = {
    WellKnown.TIME: _TIME,
    WellKnown.MICRO_TIME: _TIME.replace("05Z", "05.000000Z"),
    WellKnown.DURATION: '.parse("1s")',
    WellKnown.QUANTITY: '("1")',
    WellKnown.RAW_EXTENSION: '(b"{}")',
    WellKnown.FIELDS_V1: '(b"{}")',
}


class NoSample(Exception):
    """No object with a value at this place can be generated."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Generates values, spelled for one module."""

    imports: Imports
    types: Mapping[TypeId, TypeDef]
    near: TypeId
    """A type of the version whose classes are imported by name."""
    among_others: bool = False
    """Whether a list gets an empty element before that with the value, where its elements are structs."""

    def type_name(self, id_: TypeId) -> str:
        """Return how the module spells a class."""
        if (id_.group, id_.version) == (self.near.group, self.near.version):
            return self.imports.name(Module.of(id_.group, id_.version, "types"), id_.name)
        return self.imports.type_name(id_)

    def holding(self, type_: Type, steps: tuple[BoundStep, ...], value: str) -> str:
        """A value of a type that has `value` at the end of `steps`. NoSample where a selection is beyond us."""
        if not steps:
            return value
        behind = underlying(type_)
        step, rest = steps[0], steps[1:]
        match step, behind:
            case FieldStep(member), StructType(id_):
                return self._struct(id_, {member.py_name: self.holding(member.type, rest, value)})
            case InlineStep(), StructType():
                return self.holding(behind, rest, value)
            case EachStep(), ListType(item):
                item_value = self.holding(item, rest, value)
                return f"[{self.value(item)}, {item_value}]" if self.index(item) else f"[{item_value}]"
            case EachStep(), MapType(_, item):
                return f"{{{literal(KEY)}: {self.holding(item, rest, value)}}}"
            case PrefixStep(prefix), MapType(_, item):
                return f"{{{literal(prefix + KEY)}: {self.holding(item, rest, value)}}}"
            case KeyStep(key), MapType(_, item):
                return f"{{{literal(key)}: {self.holding(item, rest, value)}}}"
            case IndexStep(0), ListType(item):
                return f"[{self.holding(item, rest, value)}]"
            case SelectStep(), ListType(item):
                return f"[{self._selected(step, item, rest, value)}]"
        raise NoSample

    def index(self, item: Type) -> int:
        """Return the index of the element with the value in its list."""
        return 1 if self.among_others and isinstance(underlying(item), StructType) else 0

    def value(self, type_: Type, *, avoiding: frozenset[str] = frozenset()) -> str:
        """A value that is not zero; of an enum, one of no gate that is not in `avoiding`."""
        behind = underlying(type_)
        match behind:
            case ScalarType(scalar):
                return _SCALARS.get(scalar, "2" if "1" in avoiding else "1")
            case WellKnownType(WellKnown.INT_OR_STRING):
                return "1"
            case WellKnownType(known):
                return f"{self.imports.runtime(known.value)}{_WELL_KNOWN[known]}"
            case EnumType(id_):
                return literal(self._enum_value(id_, avoiding))
            case ListType(item):
                return f"[{self.value(item)}]"
            case MapType(_, item):
                return f"{{{literal(KEY)}: {self.value(item)}}}"
            case StructType(id_):
                return self._struct(id_, {})
        raise NoSample

    def field_value(self, member: Field, *, avoiding: frozenset[str] = frozenset()) -> str:
        """A value of a field that counts as set."""
        behind = underlying(member.type)
        if isinstance(behind, StructType) and not member.can_be_none:
            return self._struct_with_something(behind.id)
        return self.value(member.type, avoiding=avoiding)

    def _struct_with_something(self, id_: TypeId) -> str:
        """A struct that is not zero: with its first plain field set."""
        struct = struct_of(id_, self.types)
        for member in struct.fields:
            if member.gate is None and not isinstance(underlying(member.type), StructType):
                return self._struct(id_, {member.py_name: self.value(member.type)})
        raise NoSample

    def _struct(self, id_: TypeId, values: Mapping[str, str]) -> str:
        arguments = ", ".join(f"{name}={value}" for name, value in values.items())
        return f"{self.type_name(id_)}({arguments})"

    def _enum_value(self, id_: TypeId, avoiding: frozenset[str]) -> str:
        enum = self.types[id_]
        assert isinstance(enum, Enum)
        for known in enum.values:
            if known.gate is None and known.value and known.value not in avoiding:
                return known.value
        return KEY

    def _selected(self, step: SelectStep, item: Type, rest: tuple[BoundStep, ...], value: str) -> str:
        """Return an element that a selection selects, with the rest of the path."""
        behind = underlying(item)
        values: dict[str, str] = {}
        for comparison in step.comparisons:
            if comparison.equal:
                match comparison.steps:
                    case (FieldStep(member),):
                        values[member.py_name] = literal(comparison.value)
                    case _:
                        raise NoSample
        match rest, behind:
            case (), StructType(id_):
                return self._struct(id_, values)
            case (FieldStep(member), *below), StructType(id_) if member.py_name not in values:
                values[member.py_name] = self.holding(member.type, tuple(below), value)
                return self._struct(id_, values)
        raise NoSample


def avoided(steps: tuple[BoundStep, ...]) -> frozenset[str]:
    """Return the values that a selection on the path excludes for the field at its end."""
    last = steps[-1] if steps else None
    found = set()
    for step in steps:
        if isinstance(step, SelectStep) and isinstance(last, FieldStep):
            found |= {c.value for c in step.comparisons if not c.equal and c.steps == (last,)}
    return frozenset(found)
