"""Literals of a spec as values of the IR: keys are bound to fields, strings are parsed by their type.

Backends render these; none of them looks at a literal as it was written.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.diagnostics.quoting import listing, quote
from apigen.ir.formats import FORMATS
from apigen.ir.model import (
    INTEGER_RANGES,
    Alias,
    Enum,
    EnumType,
    Field,
    ListType,
    MapType,
    NamedType,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    WellKnown,
    WellKnownType,
)
from apigen.ir.patterns import matches, pattern_problem
from apigen.language.model import Constraints, Items, Literal, LiteralNode, Located, Object
from apigen.runtime.quantity import Quantity
from apigen.runtime.times import Duration, MicroTime, Time


@dataclass(frozen=True, slots=True)
class NullValue:
    """The literal `null`."""


@dataclass(frozen=True, slots=True)
class PlainValue:
    """A bool, number, text or bytes, as Python has it."""

    value: bool | int | float | str | bytes


@dataclass(frozen=True, slots=True)
class EnumText:
    """A known value of an enum; `py_name` is its member."""

    id: TypeId
    value: str
    py_name: str


@dataclass(frozen=True, slots=True)
class KnownValue:
    """A value of a well-known type by its canonical text: `500m`, `1h30m0s`, `2001-02-03T04:05:06Z`.

    Of RawExtension and FieldsV1 it is JSON text, compact. An IntOrString is a PlainValue.
    """

    known: WellKnown
    text: str


@dataclass(frozen=True, slots=True)
class ListValue:
    """A list."""

    items: tuple[LiteralValue, ...]


@dataclass(frozen=True, slots=True)
class MapValue:
    """A map, in written order."""

    entries: tuple[tuple[str, LiteralValue], ...]


@dataclass(frozen=True, slots=True)
class StructValue:
    """A struct with the fields that are given, in written order; the others are zero."""

    type: StructType
    members: tuple[tuple[Field, LiteralValue], ...]


LiteralValue = NullValue | PlainValue | EnumText | KnownValue | ListValue | MapValue | StructValue


def violations(constraints: Constraints, value: object) -> Iterator[str]:
    """Yield the reasons for which a value is rejected: a number, string, list (as a tuple) or map (as a dict of its
    keys).
    """
    other = constraints.not_value
    if isinstance(other, Located) and type(other.value) is type(value) and other.value == value:
        yield f"{json.dumps(value, ensure_ascii=False)} is an excluded value"
    match value:
        case bool():
            return
        case int() | float():
            yield from _number(constraints, value)
        case str():
            yield from _text(constraints, value)
        case tuple():
            yield from _size(len(value), constraints.min_items, constraints.max_items, "elements")
            if constraints.unique_items and constraints.unique_items.value and _repeats(value):
                yield "the list contains a duplicate element"
        case dict():
            yield from _size(len(value), constraints.min_properties, constraints.max_properties, "entries")


def _number(constraints: Constraints, value: float) -> Iterator[str]:
    least, greatest = constraints.minimum, constraints.maximum
    above, below = constraints.exclusive_minimum, constraints.exclusive_maximum
    if least is not None and value < least.value:
        yield f"{value} is less than the minimum, {least.value}"
    if greatest is not None and value > greatest.value:
        yield f"{value} is more than the maximum, {greatest.value}"
    if above is not None and value <= above.value:
        yield f"{value} is not more than {above.value}"
    if below is not None and value >= below.value:
        yield f"{value} is not less than {below.value}"
    step = constraints.multiple_of
    if step is not None and step.value > 0 and Decimal(str(value)) % Decimal(str(step.value)):
        yield f"{value} is not a multiple of {step.value}"


def _text(constraints: Constraints, value: str) -> Iterator[str]:
    yield from _size(len(value), constraints.min_length, constraints.max_length, "characters")
    longest = constraints.max_bytes
    if longest is not None and len(value.encode(errors="surrogatepass")) > longest.value:
        yield f"{quote(value)} has more than {longest.value} bytes"
    pattern = constraints.pattern
    if pattern is not None and pattern_problem(pattern.value) is None and matches(pattern.value, value) is False:
        yield f"{quote(value)} does not match {quote(pattern.value)}"
    format_ = constraints.format
    if format_ is not None and format_.value in FORMATS and not FORMATS[format_.value](value):
        yield f"{quote(value)} is not a valid {format_.value}"


def _size(size: int, least: Located[int] | None, greatest: Located[int] | None, unit: str) -> Iterator[str]:
    if least is not None and size < least.value:
        yield f"fewer {unit} than the minimum, {least.value}: {size}"
    if greatest is not None and size > greatest.value:
        yield f"more {unit} than the maximum, {greatest.value}: {size}"


def _repeats(items: Iterable[object]) -> bool:
    seen: set[str] = set()
    for item in items:
        key = json.dumps(item, sort_keys=True)
        if key in seen:
            return True
        seen.add(key)
    return False


_MOST_SHOWN = 8

_INTEGER = re.compile(r"-?[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class LiteralProblem:
    """A part of a literal that does not fit its type; `candidates` are words that may be meant instead of `word`."""

    code: str
    place: Place
    message: str
    word: str = ""
    candidates: tuple[str, ...] = ()
    owner: TypeId | None = None
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """The constraints of a value, and of its items, keys and values."""

    own: tuple[Constraints, ...] = ()
    items: tuple[Constraints, ...] = ()
    keys: tuple[Constraints, ...] = ()
    values: tuple[Constraints, ...] = ()

    def and_of(self, holder: Field | Alias) -> Limits:
        """These and the constraints of a field or alias."""
        return Limits(
            (*self.own, holder.constraints),
            (*self.items, holder.item_constraints),
            (*self.keys, holder.key_constraints),
            (*self.values, holder.value_constraints),
        )


NO_LIMITS = Limits()


def behind_names(type_: Type, limits: Limits, types: Mapping[TypeId, TypeDef]) -> tuple[Limits, Type]:
    """Return the constraints of a value, including those of its aliases, and the resolved type."""
    while isinstance(type_, NamedType):
        alias = types.get(type_.id)
        if isinstance(alias, Alias):
            limits = limits.and_of(alias)
        type_ = type_.target
    return limits, type_


def read_literal(
    node: LiteralNode,
    type_: Type,
    types: Mapping[TypeId, TypeDef],
    problems: list[LiteralProblem],
    limits: Limits = NO_LIMITS,
) -> LiteralValue:
    """Return the value of a literal. Problems are added to the list; a part that does not fit is NullValue."""
    return _Reader(types, problems).read(node, type_, limits)


class _Reader:
    """Reads one literal."""

    def __init__(self, types: Mapping[TypeId, TypeDef], problems: list[LiteralProblem]) -> None:
        self._types = types
        self._problems = problems

    def read(self, node: LiteralNode, type_: Type, limits: Limits) -> LiteralValue:
        limits, type_ = behind_names(type_, limits, self._types)
        match type_:
            case ScalarType(scalar):
                return self._scalar(node, scalar, limits)
            case WellKnownType(known):
                return self._known(node, known)
            case EnumType(id_):
                return self._enum(node, id_)
            case ListType(item):
                return self._list(node, item, limits)
            case MapType(key, value):
                return self._map(node, key, value, limits)
            case StructType() as struct:
                return self._struct(node, struct)
        raise TypeError(type_)

    def _scalar(self, node: LiteralNode, scalar: Scalar, limits: Limits) -> LiteralValue:
        value = node.value if isinstance(node, Located) else None
        match scalar:
            case Scalar.BOOL if isinstance(value, bool):
                return PlainValue(value)
            case Scalar.STRING if isinstance(value, str):
                return self._within(node, value, limits)
            case Scalar.BYTES if isinstance(value, str):
                return self._bytes(node, value)
            case Scalar.FLOAT32 | Scalar.FLOAT64 if isinstance(value, int | float) and not isinstance(value, bool):
                return self._within(node, float(value), limits)
        if scalar in INTEGER_RANGES and isinstance(value, int) and not isinstance(value, bool):
            return self._integer(node, value, scalar, limits)
        return self._misfit(node, _EXPECTED.get(scalar, "an integer"))

    def _integer(self, node: LiteralNode, value: int, scalar: Scalar, limits: Limits) -> LiteralValue:
        least, greatest = INTEGER_RANGES[scalar]
        if not least <= value <= greatest:
            self._add("AG0506", node.place, f"{value} is out of range for {scalar.value}: {least} to {greatest}")
            return NullValue()
        return self._within(node, value, limits)

    def _within(self, node: LiteralNode, value: float | str, limits: Limits) -> LiteralValue:
        self._bounded(node, value, limits.own)
        return PlainValue(value)

    def _bounded(self, node: LiteralNode, value: object, constraints: tuple[Constraints, ...]) -> None:
        for constraint in constraints:
            for violation in violations(constraint, value):
                self._add("AG0506", node.place, violation)

    def _bytes(self, node: LiteralNode, text: str) -> LiteralValue:
        try:
            return PlainValue(base64.b64decode(text, validate=True))
        except (binascii.Error, ValueError):
            return self._misfit(node, "bytes in Base64")

    def _known(self, node: LiteralNode, known: WellKnown) -> LiteralValue:
        if known in (WellKnown.RAW_EXTENSION, WellKnown.FIELDS_V1):
            if known is WellKnown.FIELDS_V1 and not isinstance(node, Object):
                return self._misfit(node, "a mapping")
            if isinstance(node, Located) and node.value is None:
                return self._misfit(node, "any JSON value except null")
            return KnownValue(known, json.dumps(plain(node), ensure_ascii=False, separators=(",", ":")))
        value = node.value if isinstance(node, Located) else None
        if known is WellKnown.INT_OR_STRING:
            return self._int_or_string(node, value)
        if known is WellKnown.QUANTITY and isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if isinstance(value, str):
            try:
                return KnownValue(known, _canonical(value, known))
            except ValueError:
                pass
        return self._misfit(node, _EXPECTED[known])

    def _int_or_string(self, node: LiteralNode, value: Literal) -> LiteralValue:
        if isinstance(value, str):
            return PlainValue(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return self._integer(node, value, Scalar.INT32, Limits())
        return self._misfit(node, "an integer or a string")

    def _enum(self, node: LiteralNode, id_: TypeId) -> LiteralValue:
        if not isinstance(node, Located) or not isinstance(node.value, str):
            return self._misfit(node, f"a value of {id_.name}")
        enum = self._types.get(id_)
        values = enum.values if isinstance(enum, Enum) else ()
        for known in values:
            if known.value == node.value:
                return EnumText(id_, known.value, known.py_name)
        if isinstance(enum, Enum) and enum.open:
            return PlainValue(node.value)
        names = tuple(v.value for v in values)
        message = f"{id_.name} has no value {quote(node.value)}"
        if len(names) <= _MOST_SHOWN:
            message += f", only {listing(names, 'and')}"
        self._problems.append(LiteralProblem("AG0507", node.place, message, node.value, names, id_))
        return NullValue()

    def _list(self, node: LiteralNode, item: Type, limits: Limits) -> LiteralValue:
        if not isinstance(node, Items):
            return self._misfit(node, "a list")
        self._bounded(node, tuple(plain(i) for i in node.items), limits.own)
        return ListValue(tuple(self.read(i, item, Limits(limits.items)) for i in node.items))

    def _map(self, node: LiteralNode, key: Type, value: Type, limits: Limits) -> LiteralValue:
        if not isinstance(node, Object):
            return self._misfit(node, "a mapping")
        self._bounded(node, dict.fromkeys(name.value for name, _ in node.members), limits.own)
        entries: list[tuple[str, LiteralValue]] = []
        for name, inner in node.members:
            key_node: LiteralNode = Located(name.value, name.place)
            self.read(key_node, key, Limits(limits.keys))
            entries.append((name.value, self.read(inner, value, Limits(limits.values))))
        return MapValue(tuple(entries))

    def _struct(self, node: LiteralNode, type_: StructType) -> LiteralValue:
        id_ = type_.id
        struct = self._types.get(id_)
        if not isinstance(node, Object) or not isinstance(struct, Struct):
            return self._misfit(node, f"a map with the fields of {id_.name}")
        fields = {field.json_name: field for field in struct.fields}
        members: list[tuple[Field, LiteralValue]] = []
        for name, inner in node.members:
            field = fields.get(name.value)
            if field is None:
                message = f"{id_.name} has no field {quote(name.value)}"
                self._problems.append(LiteralProblem("AG0508", name.place, message, name.value, tuple(fields), id_))
            elif isinstance(inner, Located) and inner.value is None and field.can_be_none:
                members.append((field, NullValue()))
            else:
                members.append((field, self.read(inner, field.type, Limits().and_of(field))))
        return StructValue(type_, tuple(members))

    def _misfit(self, node: LiteralNode, expected: str) -> LiteralValue:
        is_unquoted = expected == "a string" and isinstance(node, Located) and node.value is not None
        hint = "in quotes, it is a string" if is_unquoted else f"write {expected}"
        if expected == "an integer" and isinstance(node, Located) and _INTEGER.fullmatch(str(node.value)):
            hint = f"write it without quotes: {node.value}"
        message = f"expected {expected}, found {_described(node)}"
        self._problems.append(LiteralProblem("AG0505", node.place, message, hint=hint))
        return NullValue()

    def _add(self, code: str, place: Place, message: str) -> None:
        self._problems.append(LiteralProblem(code, place, message))


def plain(node: LiteralNode) -> object:
    """A literal as data of Python."""
    match node:
        case Object(members):
            return {name.value: plain(value) for name, value in members}
        case Items(items):
            return [plain(item) for item in items]
    return node.value


_EXPECTED: Mapping[Scalar | WellKnown, str] = {
    Scalar.BOOL: "`true` or `false`",
    Scalar.STRING: "a string",
    Scalar.BYTES: "bytes in Base64",
    Scalar.FLOAT32: "a number",
    Scalar.FLOAT64: "a number",
    WellKnown.QUANTITY: "a quantity such as `500m`",
    WellKnown.DURATION: "a duration such as `1h30m`",
    WellKnown.TIME: "a time such as `2001-02-03T04:05:06Z`",
    WellKnown.MICRO_TIME: "a time such as `2001-02-03T04:05:06.000000Z`",
}


def _canonical(text: str, known: WellKnown) -> str:
    match known:
        case WellKnown.QUANTITY:
            return str(Quantity(text))
        case WellKnown.DURATION:
            return str(Duration.parse(text))
    time = MicroTime.parse(text) if known is WellKnown.MICRO_TIME else Time.parse(text)
    if time is None:
        raise ValueError("the zero time is not allowed")
    return str(time)


def _described(node: LiteralNode) -> str:
    if not isinstance(node, Located):
        return "a mapping" if isinstance(node, Object) else "a list"
    if node.value is None or isinstance(node.value, bool):
        return f"`{json.dumps(node.value)}`"
    return f"the string {quote(node.value)}" if isinstance(node.value, str) else f"the number {node.value}"


def literal_value(node: LiteralNode, type_: Type, types: Mapping[TypeId, TypeDef]) -> LiteralValue:
    """The value of a literal that has been checked. Raises ValueError for one that does not fit."""
    problems: list[LiteralProblem] = []
    value = read_literal(node, type_, types, problems)
    if problems:
        raise ValueError(f"{problems[0].place}: {problems[0].message}")
    return value
