"""Hypothesis strategies for whole APIs (structs of all shapes, in two groups) and for objects of their types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from apigen.diagnostics import Place
from apigen.ir.model import (
    INTEGER_RANGES,
    STRING,
    Alias,
    Api,
    Enum,
    EnumType,
    EnumValue,
    Field,
    Group,
    Inline,
    Kind,
    Lifecycle,
    ListType,
    MapType,
    NamedType,
    Presence,
    Release,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    Version,
    WellKnown,
    WellKnownType,
)
from apigen.ir.names import field_name
from apigen.language.model import Located, Tombstone
from apigen.runtime.quantity import Quantity
from apigen.runtime.raw import FieldsV1, RawExtension
from apigen.runtime.times import Duration, MicroTime, Time

HERE = Place("randomized.yaml", 1, 1)
FIRST, SECOND = ("meta", "v1"), ("things.example-1.com", "v1beta1")
NAMES = (
    *("name", "from", "podIPs", "int", "list", "dict", "bytes", "str", "obj", "data", "path", "tag", "body", "number"),
    *("out", "item", "key", "value", "depth", "message", "optional", "repeated", "map", "reserved", "string", "$ref"),
    *("thing0", "x-kubernetes-thing", "encode", "field", "IPv4", "a_b", "merge", "read_fields", "items", "error"),
)
DOCS = st.none() | st.sampled_from(
    ["Plain.", 'Ends "it" */ now\n}\nmessage Evil {', "back\\slash \u202e bidi \x00\x07", "// x\r\n/* y", '"""', ""]
)
NUMBERS = st.integers(1, 20) | st.sampled_from([127, 128, 2047, 2048, 18999, 20000, 2**29 - 1])


class _Maker:
    """Generates the types of one API; later types may contain earlier ones."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.types: dict[TypeId, TypeDef] = {}
        self._kinds: set[TypeId] = set()
        self._py_names: set[str] = set()

    def version(self, group: str, name: str) -> Version:
        """A version with an enum, three names for types, and a few structs."""
        ids = [TypeId(group, name, f"{word}{group[0].upper()}") for word in ("Mode", "Count", "Names", "Limits")]
        structs = [TypeId(group, name, f"Thing{n}Entry") for n in range(self.draw(st.integers(1, 4)))]
        self._kinds.update(id_ for id_ in structs if self.draw(st.booleans()))
        values = tuple(EnumValue(text, text.upper(), HERE) for text in ("Always", "Never"))
        self.types[ids[0]] = Enum(ids[0], HERE, values, ids[0].name.lower())
        self.types[ids[1]] = Alias(ids[1], HERE, ScalarType(Scalar.INT32), ids[1].name.lower())
        for id_, container in zip(ids[2:], (ListType, lambda item: MapType(STRING, item)), strict=True):
            target = container(self._value(structs))
            self.types[id_] = Alias(id_, HERE, target, id_.name.lower(), nullable=True, doc=self.draw(DOCS))
        for id_ in structs:
            self.types[id_] = self._struct(id_, structs)
        return Version(group, name, HERE, Lifecycle(), storage=False, served=True, types=(*ids, *structs))

    def _struct(self, id_: TypeId, siblings: Sequence[TypeId]) -> Struct:
        numbers = self.draw(st.lists(NUMBERS, max_size=9, unique=True))
        gone, numbers = numbers[:1], numbers[1:]
        inlines, fields = self._inlines(numbers)
        fields += [self._field(number, siblings) for number in numbers[len(inlines) :]]
        kind = Kind(id_.name, "things", "thing", HERE) if id_ in self._kinds else None
        return Struct(
            id_,
            HERE,
            tuple(fields),
            id_.name.lower(),
            doc=self.draw(DOCS),
            inlines=inlines,
            tombstones=tuple(Tombstone("gone", HERE, Located(number, HERE)) for number in gone),
            kind=kind,
        )

    def _inlines(self, numbers: Sequence[int]) -> tuple[tuple[Inline, ...], list[Field]]:
        """Up to two of the structs so far, none of them twice, with all that they inline themselves."""
        inlines: list[Inline] = []
        fields: list[Field] = []
        found = [t for t in self.types.values() if isinstance(t, Struct) and not _is_kind(t)]
        for number, inner in zip(numbers[:2], self.draw(st.permutations(found)), strict=False):
            taken = {inline.type.id for inline in inlines}
            ids = {inner.id, *(inline.type.id for inline in inner.inlines)}
            if taken & ids or not self.draw(st.booleans()):
                break
            key = f"inline{number}"
            inlines.append(Inline(key, StructType(inner.id), number, key, HERE))
            inlines += [replace(inline, via=(key, *inline.via)) for inline in inner.inlines]
            fields += [replace(field, via=(key, *field.via)) for field in inner.fields]
        return tuple(inlines), fields

    def _field(self, number: int, siblings: Sequence[TypeId]) -> Field:
        json_name, py_name = self._names()
        presence = self.draw(st.sampled_from(Presence))
        earlier = [id_ for id_, type_ in self.types.items() if isinstance(type_, Struct)]
        is_built = presence in (Presence.PLAIN, Presence.OMIT_EMPTY)
        match self.draw(st.sampled_from(["one", "one", "one", "list", "map", "named"])):
            case "one":
                type_ = self._value(earlier if is_built else [*earlier, *siblings])
            case "list":
                type_ = ListType(self._item([*earlier, *siblings]))
            case "map":
                type_ = MapType(STRING, self._item([*earlier, *siblings]))
            case _:
                type_ = self._nullable()
        lifecycle = Lifecycle(deprecated=Release(1, 2)) if self.draw(st.booleans()) else Lifecycle()
        return Field(
            json_name,
            py_name,
            type_,
            presence,
            HERE,
            number=number,
            protobuf_name=py_name,
            doc=self.draw(DOCS),
            lifecycle=lifecycle,
        )

    def _names(self) -> tuple[str, str]:
        json_name = self.draw(st.sampled_from(NAMES))
        while (py_name := field_name(json_name)) is None or py_name in self._py_names:
            json_name += "x"
        self._py_names.add(py_name)
        return json_name, py_name

    def _item(self, structs: Sequence[TypeId]) -> Type:
        return (self.draw(st.booleans()) and self._nullable()) or self._value(structs)

    def _value(self, structs: Sequence[TypeId]) -> Type:
        named = [EnumType(t.id) for t in self.types.values() if isinstance(t, Enum)]
        named += [NamedType(t.id, t.target) for t in self.types.values() if isinstance(t, Alias) and not t.nullable]
        plain = [*map(ScalarType, Scalar), *map(WellKnownType, WellKnown), *named]
        return self.draw(
            st.sampled_from(plain) | st.sampled_from([StructType(s, s in self._kinds) for s in structs] or plain)
        )

    def _nullable(self) -> Type:
        aliases = [t for t in self.types.values() if isinstance(t, Alias) and t.nullable]
        return self.draw(st.sampled_from([NamedType(t.id, t.target, nullable=True) for t in aliases]))


def _is_kind(type_: TypeDef) -> bool:
    return isinstance(type_, Struct) and type_.has_type_meta


class RandomizedApi(Api):
    """An API that Hypothesis prints in a few lines."""

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        printer.text("\n".join(["", *(_shown(type_) for type_ in self.types.values())]))


def _shown(type_: TypeDef) -> str:
    match type_:
        case Struct():
            fields = [f"{f.number} {'.'.join([*f.via, f.json_name])} {f.type} {f.presence.value}" for f in type_.fields]
            return f"{type_.id}: {'; '.join(fields)}"
        case Alias():
            return f"{type_.id} is {type_.target}"
    return f"{type_.id}"


@st.composite
def apis(draw: st.DrawFn) -> Api:
    """Two groups with a version each; types of the second use those of the first."""
    maker = _Maker(draw)
    groups = [Group(g, g, HERE, (maker.version(g, v),), None, ()) for g, v in (FIRST, SECOND)]
    return RandomizedApi(tuple(groups), (), maker.types)


TEXT = st.text(max_size=4) | st.sampled_from(["é" * 70, "x" * 20_000])
KEYS = st.text(max_size=3)
SCALARS: Mapping[Scalar, st.SearchStrategy[Any]] = {
    Scalar.STRING: TEXT,
    Scalar.BOOL: st.booleans(),
    Scalar.BYTES: st.binary(max_size=4),
    Scalar.FLOAT32: st.floats(width=32, allow_nan=False),
    Scalar.FLOAT64: st.floats(allow_nan=False),
    **{
        scalar: st.integers(low, high) | st.sampled_from([low, high, min(high, 127), min(high, 16_384)])
        for scalar, (low, high) in INTEGER_RANGES.items()
    },
}
WELL_KNOWN: Mapping[WellKnown, st.SearchStrategy[Any]] = {
    WellKnown.TIME: st.none() | st.builds(Time, st.integers(-(10**10), 10**10)),
    WellKnown.MICRO_TIME: st.none() | st.builds(MicroTime, st.integers(-(10**16), 10**16)),
    WellKnown.DURATION: st.builds(Duration, st.integers(-(2**63), 2**63 - 1)),
    WellKnown.QUANTITY: st.sampled_from(["0", "1", "1500m", "-2Gi", "1e3"]).map(Quantity),
    WellKnown.INT_OR_STRING: st.integers(-(2**31), 2**31 - 1) | TEXT,
    WellKnown.RAW_EXTENSION: st.none() | st.builds(RawExtension, st.binary(max_size=4)),
    WellKnown.FIELDS_V1: st.none() | st.builds(FieldsV1, st.sampled_from([b"{}", b'{"f:a":{}}'])),
}
NULL_ITEMS = (ScalarType(Scalar.BYTES), WellKnownType(WellKnown.RAW_EXTENSION))


@st.composite
def objects(draw: st.DrawFn, api: Api, modules: Mapping[tuple[str, str], Any], id_: TypeId, depth: int = 0) -> Any:
    """An object of a struct; `modules` are those of the generated classes. Optional structs end at some depth."""
    struct = api.struct(id_)
    values = {}
    for field in struct.fields:
        if field.can_be_none and draw(st.booleans()):
            values[field.py_name] = None
        else:
            values[field.py_name] = draw(_values(api, modules, field.type, depth, field.can_be_none))
    return getattr(modules[id_.group, id_.version], id_.name)(**values)


def _values(
    api: Api, modules: Mapping[tuple[str, str], Any], type_: Type, depth: int, can_be_none: bool = False
) -> st.SearchStrategy[Any]:
    match type_:
        case ScalarType(scalar):
            return SCALARS[scalar]
        case WellKnownType(known):
            return WELL_KNOWN[known]
        case EnumType():
            return st.sampled_from(["Always", "Never", "Later", ""])
        case NamedType():
            return _values(api, modules, type_.target, depth, can_be_none)
        case ListType(item):
            return st.lists(_items(api, modules, item, depth), max_size=0 if depth > 2 else 3)
        case MapType(_, value):
            return st.dictionaries(KEYS, _items(api, modules, value, depth), max_size=0 if depth > 2 else 3)
        case StructType(id_):
            return st.none() if can_be_none and depth > 2 else objects(api, modules, id_, depth + 1)


def _items(api: Api, modules: Mapping[tuple[str, str], Any], type_: Type, depth: int) -> st.SearchStrategy[Any]:
    values = _values(api, modules, type_, depth)
    is_nullable = isinstance(type_, NamedType) and type_.nullable
    return st.none() | values if is_nullable or type_ == ScalarType(Scalar.BYTES) else values
