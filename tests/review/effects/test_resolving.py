"""Places for values behind the names of aliases."""

from __future__ import annotations

from apigen.diagnostics import Place
from apigen.ir.surface import (
    Alias,
    Constraint,
    Default,
    Group,
    Keyword,
    Merge,
    Named,
    Scalar,
    Scalars,
    Slot,
    Struct,
    Surface,
    TypeName,
    Version,
    behind,
    definition,
    without_aliases,
)

HERE = Place("here")
TEXT = Scalar(Scalars.STRING)


def name(text: str) -> TypeName:
    return TypeName("g", "v1", text)


def surface(*types: Alias | Struct) -> Surface:
    version = Version("g", "v1", HERE, {type_.name.name: type_ for type_ in types})
    return Surface("here", "specs", {"g": Group("g", HERE, {"v1": version})})


def limit(keyword: Keyword, value: int) -> dict[Keyword, Constraint]:
    return {keyword: Constraint(value, HERE)}


def test_nested_alias_combines_constraints_of_both() -> None:
    inner = Alias(name("Inner"), Slot(TEXT, HERE, constraints=limit(Keyword.MAX_LENGTH, 5), nullable=True), HERE)
    outer = Alias(name("Outer"), Slot(Named(inner.name), HERE, default=Default('"a"', HERE)), HERE)
    slot = Slot(
        Named(outer.name), HERE, constraints=limit(Keyword.MAX_LENGTH, 9), merge=Merge(patch_strategy="replace")
    )
    found = without_aliases(surface(inner, outer), slot)
    assert found.type == TEXT and found.nullable and found.default == Default('"a"', HERE)
    assert found.constraints == limit(Keyword.MAX_LENGTH, 5) and found.merge.patch_strategy == "replace"


def test_higher_of_two_lower_bounds_applies() -> None:
    alias = Alias(name("Name"), Slot(TEXT, HERE, constraints=limit(Keyword.MIN_LENGTH, 2)), HERE)
    slot = Slot(Named(alias.name), HERE, constraints=limit(Keyword.MIN_LENGTH, 3))
    assert without_aliases(surface(alias), slot).constraints == limit(Keyword.MIN_LENGTH, 3)


def test_cyclic_aliases_terminate() -> None:
    one, other = (Alias(name(a), Slot(Named(name(b)), HERE), HERE) for a, b in (("A", "B"), ("B", "A")))
    assert behind(surface(one, other), Named(one.name)) == Named(one.name)
    assert without_aliases(surface(one, other), Slot(Named(one.name), HERE)).type == Named(one.name)


def test_definitions_are_found_behind_names() -> None:
    struct = Struct(name("Box"), {}, Slot(Named(name("Box")), HERE), HERE)
    alias = Alias(name("Crate"), Slot(Named(struct.name), HERE), HERE)
    assert definition(surface(struct, alias), Named(alias.name)) is struct
    assert definition(surface(), Named(name("Gone"))) is None and definition(surface(), TEXT) is None
