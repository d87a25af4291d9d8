"""Types that take each other's place are compared to the end, whatever they hold, and however deep."""

from __future__ import annotations

from apigen.diagnostics import Place
from apigen.ir.surface import (
    Field,
    Group,
    KindVersion,
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
from apigen.review.changes.change import Altered, Trait
from apigen.review.changes.comparing import compare
from apigen.review.context import Context
from apigen.review.results import Direction
from apigen.review.review import nested_evaluator, review
from apigen.review.rules.registry import RULES
from apigen.review.rules.rule import ChangeRule
from apigen.review.rules.types import differences_behind, effects_of

HERE = Place("here")
TEXT, NUMBER = Scalar(Scalars.STRING), Scalar(Scalars.INT32)


def name(text: str) -> TypeName:
    return TypeName("g", "v1", text)


def named(text: str) -> Named:
    return Named(name(text))


def struct(of: str, required: str = "", **fields: Type) -> Struct:
    members = {
        key: Field(key, Slot(type_, HERE), HERE, number=number, required=key == required)
        for number, (key, type_) in enumerate(fields.items(), 1)
    }
    return Struct(name(of), members, Slot(named(of), HERE), HERE)


def surface(*structs: Struct) -> Surface:
    kinds = {"Thing": KindVersion("Thing", name("Thing"), HERE)}
    version = Version("g", "v1", HERE, {each.name.name: each for each in structs}, kinds)
    return Surface("here", "specs", {"g": Group("g", HERE, {"v1": version})})


def of_field(old: Surface, new: Surface) -> tuple[str, set[Direction]]:
    """Return the rule that handles the change of type of Thing.box, and the directions that it affects."""
    found = [each for each in review(old, new).findings if str(each.element) == "g/v1.Thing.box"]
    assert len(found) == 1
    return found[0].rule, set(found[0].result.effects)


def test_renamed_recursive_types_are_equal() -> None:
    old = surface(struct("Thing", box=named("Old")), struct("Old", next=named("Old"), value=TEXT))
    new = surface(struct("Thing", box=named("Fresh")), struct("Fresh", next=named("Fresh"), value=TEXT))
    assert of_field(old, new) == ("type-renamed", set())


def test_mutually_recursive_types_are_compared() -> None:
    def nodes(first: str, second: str, value: Type) -> tuple[Struct, ...]:
        top = struct("Thing", box=named(first), side=named(second))
        return top, struct(first, other=named(second)), struct(second, other=named(first), value=value)

    old, new = surface(*nodes("A", "B", TEXT)), surface(*nodes("C", "D", NUMBER))
    findings = {str(each.element): each for each in review(old, new).findings if each.result.effects}
    assert {findings[f"g/v1.Thing.{field}"].rule for field in ("box", "side")} == {"type-replaced"}
    assert set(findings["g/v1.Thing.side"].effects) == set(Direction)


def test_existing_unused_type_is_not_a_new_parent() -> None:
    fresh_before = struct("Fresh", x=NUMBER)
    old = surface(struct("Thing", box=named("Old")), struct("Old", x=NUMBER), fresh_before)
    new = surface(struct("Thing", box=named("Fresh")), struct("Fresh", x=NUMBER, z=TEXT, required="z"))
    rule, effect = of_field(old, new)
    assert rule == "type-replaced" and {Direction.OLD_CLIENT, Direction.STORED} <= effect


def test_old_type_is_not_confused_with_type_of_reused_name() -> None:
    old = surface(struct("Thing", box=named("Old")), struct("Old", y=named("Fresh")), struct("Fresh", v=TEXT))
    third = struct("Third", v=NUMBER)
    new = surface(struct("Thing", box=named("Fresh")), struct("Fresh", y=named("Third")), third)
    rule, effect = of_field(old, new)
    assert rule == "type-replaced" and effect == set(Direction)


def test_types_nested_too_deep_are_not_treated_as_equal() -> None:
    def chain(prefix: str) -> list[Struct]:
        links = [struct(f"{prefix}{n}", next=named(f"{prefix}{n + 1}")) for n in range(400)]
        return [struct("Thing", box=named(f"{prefix}0")), *links, struct(f"{prefix}400", value=TEXT)]

    old, new = surface(*chain("Old")), surface(*chain("New"))
    rule, effect = of_field(old, new)
    assert rule == "type-replaced" and effect == set(Direction)


def test_only_complete_comparisons_are_cached() -> None:
    old = surface(struct("Thing", box=named("Old")), struct("Old", next=named("Old"), value=TEXT))
    new = surface(struct("Thing", box=named("Fresh")), struct("Fresh", next=named("Fresh"), value=NUMBER))
    context = Context(old, new, nested_evaluator(tuple(rule for rule in RULES if isinstance(rule, ChangeRule))))
    change = next(each for each in compare(old, new) if isinstance(each, Altered) and each.trait is Trait.TYPE)
    assert isinstance(change.old, Slot) and isinstance(change.new, Slot)
    twice = [differences_behind(change.old, change.new, context) for _ in range(2)]
    assert twice[0] is twice[1] and twice[0] is not None and set(effects_of(twice[0])) == set(Direction)
    assert not context.comparing
