"""Renames and moves are proposed where they are likely, and nowhere else."""

from __future__ import annotations

import difflib

import pytest

from apigen.diagnostics import Place
from apigen.ir.surface import (
    Field,
    Group,
    KindVersion,
    ListOf,
    Named,
    Scalar,
    Scalars,
    Slot,
    Struct,
    Surface,
    Type,
    TypeName,
    Version,
)
from apigen.review.changes import partners
from apigen.review.changes.comparing import compare
from apigen.review.changes.partners import located_at_partners, proposals, route_to

HERE = Place("here")
TEXT, NUMBER = Scalar(Scalars.STRING), Scalar(Scalars.INT32)


def name(text: str) -> TypeName:
    return TypeName("g", "v1", text)


def struct(of: str, **fields: Type) -> Struct:
    members = {
        key: Field(key, Slot(type_, HERE), Place("here", number), number=number)
        for number, (key, type_) in enumerate(fields.items(), 1)
    }
    return Struct(name(of), members, Slot(Named(name(of)), HERE), HERE)


def surface(*structs: Struct) -> Surface:
    kinds = {"Thing": KindVersion("Thing", name("Thing"), HERE)}
    version = Version("g", "v1", HERE, {each.name.name: each for each in structs}, kinds)
    return Surface("here", "specs", {"g": Group("g", HERE, {"v1": version})})


def proposed(old: Surface, new: Surface) -> dict[str, str]:
    found = proposals(compare(old, new), old, new)
    return {element.path: text for element, text in found.items()}


def test_a_near_name_of_the_same_type_is_a_rename() -> None:
    old, new = surface(struct("Thing", colour=TEXT, size=NUMBER)), surface(struct("Thing", size=NUMBER, color=TEXT))
    assert "colour: {type: string, optional: true, protobuf: 1, hub: {alias: color}}" in proposed(old, new)["colour"]


def test_other_type_or_dissimilar_name_is_not_a_rename() -> None:
    old = surface(struct("Thing", colour=TEXT))
    assert not proposed(old, surface(struct("Thing", size=NUMBER, color=NUMBER)))
    assert not proposed(old, surface(struct("Thing", size=NUMBER, zip=TEXT)))


def test_unchanged_number_is_a_rename_for_any_name() -> None:
    old, new = surface(struct("Thing", colour=TEXT)), surface(struct("Thing", zip=TEXT))
    assert "Restore the name" in proposed(old, new)["colour"]
    new = surface(struct("Thing", zip=TEXT))
    removed = [change for change in located_at_partners(compare(old, new), old, new) if change.element.path == "colour"]
    assert [change.new_place.line for change in removed] == [1]


def test_a_name_at_another_path_of_the_kind_is_a_move() -> None:
    holder = struct("Thing", spec=Named(name("Spec")), status=Named(name("Status")))
    old = surface(holder, struct("Spec", size=NUMBER, phase=TEXT), struct("Status", ready=NUMBER))
    new = surface(holder, struct("Spec", size=NUMBER), struct("Status", ready=NUMBER, phase=TEXT))
    text = proposed(old, new)["phase"]
    assert (
        "spec.phase of Thing was probably moved to status.phase" in text
        and "lenses: {spec.phase: {alias: status.phase}}" in text
    )
    assert "moved between spec and status" in text


def test_move_into_a_new_type_is_detected() -> None:
    old = surface(struct("Thing", size=NUMBER, phase=TEXT))
    new = surface(struct("Thing", size=NUMBER, box=Named(name("Box"))), struct("Box", depth=NUMBER, phase=TEXT))
    assert "lenses: {phase: {alias: box.phase}}" in proposed(old, new)["phase"]


def test_unreachable_field_is_not_proposed() -> None:
    old = surface(struct("Thing", size=NUMBER), struct("Loose", phase=TEXT))
    new = surface(struct("Thing", size=NUMBER, phase=TEXT), struct("Loose", other=NUMBER))
    assert not proposed(old, new)


def test_routes_traverse_lists_and_stop_at_cycles() -> None:
    nodes = struct("Node", value=TEXT, children=ListOf(Slot(Named(name("Node")), HERE)))
    whole = surface(struct("Thing", roots=ListOf(Slot(Named(name("Node")), HERE))), nodes, struct("Loose", a=TEXT))
    route = route_to(whole, name("Node"))
    assert route is not None and route.steps == ("roots", "[]") and route.types == (name("Thing"), name("Node"))
    assert route_to(whole, name("Loose")) is None


def counted(monkeypatch: pytest.MonkeyPatch, called: str) -> list[object]:
    """What a function of the module is called with from now on."""
    calls: list[object] = []
    home = difflib if called == "SequenceMatcher" else partners
    real = getattr(home, called)

    def call(*of: object) -> object:
        calls.append(of)
        return real(*of)

    monkeypatch.setattr(home, called, call)
    return calls


def test_many_added_and_removed_fields_take_bounded_work(monkeypatch: pytest.MonkeyPatch) -> None:
    names, routes = (counted(monkeypatch, each) for each in ("SequenceMatcher", "route_to"))
    old = surface(struct("Thing", **{f"alpha{each}": TEXT for each in range(500)}))
    new = surface(struct("Thing", **{f"omega{each}": TEXT for each in range(500)}))
    proposed(old, new)
    assert 500 < len(names) <= 25_000
    old = surface(*(struct(f"Old{each}", phase=TEXT) for each in range(500)))
    new = surface(*(struct(f"Old{each}", count=NUMBER) for each in range(500)), struct("New", phase=TEXT))
    assert not proposed(old, new)
    assert 0 < len(routes) <= 400


def test_types_with_other_names_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = {side: {f"{side}{each}": Named(name(f"{side}{each}")) for each in range(500)} for side in ("a", "z")}
    old, new = surface(struct("Thing", **fields["a"])), surface(struct("Thing", **fields["z"]))
    monkeypatch.delattr(difflib, "SequenceMatcher")
    assert not proposed(old, new)
