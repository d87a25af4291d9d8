"""Slots by the paths of elements, and which of them are only in the status."""

from __future__ import annotations

import pytest

from apigen.diagnostics import Place
from apigen.ir.surface import (
    Alias,
    Branch,
    Element,
    ElementKind,
    Field,
    Group,
    KindVersion,
    ListOf,
    MapOf,
    Named,
    Scalar,
    Scalars,
    Slot,
    Struct,
    Surface,
    Type,
    TypeDef,
    TypeName,
    Version,
    slot_at,
)
from apigen.review.context import Context
from apigen.review.rules.constraints.values import is_status_only

HERE = Place("made up")
TEXT = Scalar(Scalars.STRING)


def slot(type_: Type, *branches: Branch) -> Slot:
    return Slot(type_, HERE, branches=branches)


def name(of: str) -> TypeName:
    return TypeName("g", "v1", of)


def struct(of: str, **fields: Slot) -> Struct:
    members = {field: Field(field, said, HERE) for field, said in fields.items()}
    return Struct(name(of), members, slot(Named(name(of))), HERE)


def surface(*types: TypeDef, has_status: bool = True) -> Surface:
    subresources = ("status",) if has_status else ()
    kinds = {"Thing": KindVersion("Thing", name("Thing"), HERE, subresources=subresources)}
    version = Version("g", "v1", HERE, {type_.name.name: type_ for type_ in types}, kinds)
    return Surface("made up", "test", {"g": Group("g", HERE, {"v1": version})})


def element(type_: str, path: str = "") -> Element:
    return Element(ElementKind.FIELD, "g", "v1", type_, path)


MAP = MapOf(slot(TEXT), slot(ListOf(slot(Scalar(Scalars.INT32)))))
SHAPES = surface(
    struct("Thing", tags=slot(MAP), other=slot(TEXT, Branch("anyOf", "1", slot(Scalar(Scalars.BOOL))))),
    Alias(name("Tags"), slot(ListOf(slot(TEXT))), HERE),
)


@pytest.mark.parametrize(
    ("type_", "path", "found"),
    [
        ("Thing", "tags", MAP),
        ("Thing", "tags{key}", TEXT),
        ("Thing", "tags{}[]", Scalar(Scalars.INT32)),
        ("Thing", "other(anyOf[1])", Scalar(Scalars.BOOL)),
        ("Thing", "other(self > 'a')", TEXT),
        ("Thing", "(self.tags.size() > 1)", Named(name("Thing"))),
        ("Tags", "[]", TEXT),
        ("Tags", "(self.size() > 1)", ListOf(slot(TEXT))),
    ],
)
def test_slot_is_found(type_: str, path: str, found: Type) -> None:
    at = slot_at(SHAPES, element(type_, path))
    assert at is not None and at.type == found


def test_missing_slot_is_not_found() -> None:
    assert slot_at(SHAPES, element("Nothing", "x")) is None
    assert slot_at(SHAPES, element("Thing", "nothing")) is None


PARTS = (
    struct("Thing", spec=slot(Named(name("Spec"))), status=slot(Named(name("Status")))),
    struct("Spec", part=slot(Named(name("Both")))),
    struct("Status", parts=slot(ListOf(slot(Named(name("Part"))))), both=slot(Named(name("Both")))),
    struct("Part", size=slot(Scalar(Scalars.INT32))),
    struct("Both", size=slot(Scalar(Scalars.INT32))),
    struct("Alone", size=slot(Scalar(Scalars.INT32))),
)


@pytest.mark.parametrize(
    ("type_", "path", "is_status"),
    [
        ("Thing", "status", True),
        ("Thing", "spec", False),
        ("Thing", "", False),
        ("Status", "parts[]", True),
        ("Part", "size", True),
        ("Both", "size", False),
        ("Spec", "part", False),
        ("Alone", "size", False),
    ],
)
def test_types_used_only_in_status(type_: str, path: str, is_status: bool) -> None:
    side = surface(*PARTS)
    assert is_status_only(element(type_, path), Context(side, side)) == is_status


def test_clients_write_status_without_the_subresource() -> None:
    side = surface(*PARTS, has_status=False)
    assert not is_status_only(element("Part", "size"), Context(side, side))
