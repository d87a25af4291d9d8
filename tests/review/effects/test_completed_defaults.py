"""The defaults inside a default are followed up to a limit, because their number grows exponentially."""

from __future__ import annotations

from apigen.diagnostics import Place
from apigen.ir.surface import Default, Field, Group, Named, Slot, Struct, Surface, TypeDef, TypeName, Version
from apigen.review.effects.member import member_of
from apigen.review.effects.nested_defaults import completed_default
from apigen.review.results import Missing

HERE = Place("v1.yaml", 1, 1)


def _name(number: int) -> TypeName:
    return TypeName("example.com", "v1", f"T{number}")


def _field(name: str, number: int) -> Field:
    return Field(name, Slot(Named(_name(number)), HERE, default=Default("{}", HERE)), HERE)


def _surface(depth: int) -> Surface:
    """Return types of which each has two fields of the next one, with a default."""
    types: dict[str, TypeDef] = {}
    for number in range(depth):
        fields = {each: _field(each, number + 1) for each in ("a", "b")}
        types[f"T{number}"] = Struct(_name(number), fields, Slot(Named(_name(number)), HERE), HERE)
    types[f"T{depth}"] = Struct(_name(depth), {}, Slot(Named(_name(depth)), HERE), HERE)
    version = Version("example.com", "v1", HERE, types=types)
    return Surface("test", "specs", {"example.com": Group("example.com", HERE, {"v1": version})})


def test_defaults_inside_a_default_are_set() -> None:
    inner: dict[str, object] = {"a": {}, "b": {}}
    assert completed_default(member_of(_surface(2), _field("root", 0))) == {"a": inner, "b": inner}


def test_too_many_of_them_are_not_followed() -> None:
    assert isinstance(completed_default(member_of(_surface(60), _field("root", 0))), Missing)
