"""Every change of a field's type, presence, default or merging is handled by a rule."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from apigen.diagnostics import Place
from apigen.ir.model import Presence
from apigen.ir.surface import (
    Alias,
    Default,
    Enum,
    EnumValue,
    Field,
    Group,
    KindVersion,
    ListOf,
    MapOf,
    Merge,
    Named,
    Scalar,
    Scalars,
    Several,
    Slot,
    Struct,
    Surface,
    Type,
    TypeDef,
    TypeName,
    Version,
)
from apigen.review.review import review

HERE = Place("here")
TEXT = Scalar(Scalars.STRING)


def name(text: str) -> TypeName:
    return TypeName("g", "v1", text)


def named(text: str) -> Named:
    return Named(name(text))


def slot(type_: Type) -> Slot:
    return Slot(type_, HERE)


def struct(of: str, *fields: Field) -> Struct:
    return Struct(name(of), {field.name: field for field in fields}, slot(named(of)), HERE)


def enum(of: str, *values: str, is_open: bool = False) -> Enum:
    return Enum(name(of), {value: EnumValue(value, HERE) for value in values}, HERE, open=is_open)


DEFINITIONS: tuple[TypeDef, ...] = (
    struct("Box", Field("x", slot(TEXT), HERE, number=1)),
    struct("Crate", Field("x", slot(TEXT), HERE, number=1), Field("y", slot(TEXT), HERE, number=2)),
    enum("Mode", "On", "Off"),
    enum("Free", "On", "Off", is_open=True),
    Alias(name("Name"), slot(TEXT), HERE),
    Alias(name("Names"), slot(ListOf(slot(TEXT))), HERE),
)
TYPES: tuple[Type, ...] = (
    *(Scalar(each) for each in Scalars),
    *(named(each.name.name) for each in DEFINITIONS),
    named("Missing"),
    ListOf(slot(TEXT)),
    ListOf(slot(named("Box"))),
    MapOf(slot(TEXT), slot(TEXT)),
    MapOf(slot(TEXT), slot(Scalar(Scalars.INT32))),
    Several((Scalar(Scalars.INTEGER), TEXT)),
    Several((Scalar(Scalars.NULL), TEXT)),
)

SOME = (
    TEXT,
    Scalar(Scalars.BYTES),
    Scalar(Scalars.TIME),
    Scalar(Scalars.DURATION),
    named("Box"),
    named("Mode"),
    TYPES[-5],
)
"""One of each form in which values are omitted."""


def surface(field: Field, *more: TypeDef) -> Surface:
    types = {each.name.name: each for each in (struct("Thing", field), *DEFINITIONS, *more)}
    version = Version("g", "v1", HERE, types, {"Thing": KindVersion("Thing", name("Thing"), HERE)})
    return Surface("here", "specs", {"g": Group("g", HERE, {"v1": version})})


def unclassified(old: Surface, new: Surface) -> list[str]:
    found = review(old, new).findings
    assert found
    return [each.result.message for each in found if each.rule == "unclassified-change"]


@pytest.mark.slow
@pytest.mark.parametrize("number", [None, 3])
def test_each_type_to_each_other(number: int | None) -> None:
    base = Field("value", slot(TEXT), HERE, number=number)
    left = [
        each
        for old, new in permutations(TYPES, 2)
        for each in unclassified(surface(replace(base, slot=slot(old))), surface(replace(base, slot=slot(new))))
    ]
    assert not left, left[:5]


def test_each_form_to_each_other() -> None:
    field = Field("value", slot(named("Other")), HERE, number=3)
    other = name("Other")
    forms = [replace(each, name=other) for each in DEFINITIONS]
    left = [
        each for old, new in permutations(forms, 2) for each in unclassified(surface(field, old), surface(field, new))
    ]
    assert not left, left[:5]


@pytest.mark.parametrize("type_", SOME, ids=str)
def test_each_presence_and_default_to_each_other(type_: Type) -> None:
    defaults = (None, Default("1", HERE), Default("0", HERE), Default("the value at x", HERE, is_computed=True))
    states = [
        Field("value", replace(slot(type_), default=default), HERE, presence, required)
        for presence in Presence
        for required in (False, True)
        for default in defaults
    ]
    pairs = [pair for pair in permutations(states, 2) if _differ_in_one(*pair)]
    left = [each for old, new in pairs for each in unclassified(surface(old), surface(new))]
    assert not left, left[:5]


def _differ_in_one(old: Field, new: Field) -> bool:
    same = (old.presence is new.presence, old.required == new.required, old.slot.default == new.slot.default)
    return same.count(False) == 1


def test_each_merging_to_each_other() -> None:
    merges = [Merge(list_type=each) for each in (None, "atomic", "set")]
    merges += [Merge(list_type="map", list_map_keys=keys) for keys in (("x",), ("x", "y"))]
    merges += [
        Merge(patch_strategy="merge"),
        Merge(patch_merge_key="x"),
        Merge(struct_type="atomic"),
        Merge(map_type="atomic"),
    ]
    field = Field("value", slot(ListOf(slot(named("Crate")))), HERE, number=3)
    sides = [replace(field, slot=replace(field.slot, merge=merge)) for merge in merges]
    left = [each for old, new in permutations(sides, 2) for each in unclassified(surface(old), surface(new))]
    assert not left, left[:5]
